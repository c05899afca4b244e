#include "result.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lookback::bench {
namespace {

std::optional<double> find(const times& all, const std::string& who) {
    const auto found = all.find(who);
    return found == all.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> quotient(std::optional<double> a, std::optional<double> b) {
    return a && b && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

std::optional<double> difference(std::optional<double> a, std::optional<double> b) {
    return a && b ? std::optional(*a - *b) : std::nullopt;
}

}  // namespace

std::string cell::name() const {
    return op + " " + type + (data.empty() ? "" : " " + data) + " " +
           (std::has_single_bit(items) ? "2^" + std::to_string(std::bit_width(items) - 1)
                                       : std::to_string(items));
}
std::optional<double> cell::device(const std::string& who) const { return find(device_us, who); }
std::optional<double> cell::host(const std::string& who) const { return find(host_us, who); }

std::optional<double> cell::billions_a_second() const {
    return quotient(static_cast<double>(items) / 1e3, device("ours"));
}

std::optional<double> cell::copy_us() const {
    const auto kernel = device("copy_kernel");
    const auto memcpy = device("memcpy");
    return kernel && memcpy ? std::min(kernel, memcpy) : kernel ? kernel : memcpy;
}
std::optional<double> cell::ratio_to_copy() const {
    const auto speedup = quotient(copy_us(), device("ours"));
    if (!speedup) return std::nullopt;
    const auto copied = copied_bytes > 0 ? static_cast<double>(copied_bytes)
                                         : static_cast<double>(2 * items) * item_bytes;
    return *speedup * static_cast<double>(least_bytes) / copied;
}
std::optional<double> cell::speedup_over_cub() const {
    return quotient(device("cub"), device("ours"));
}
std::optional<double> cell::host_above_launch() const {
    return difference(host("ours"), host("empty"));
}
std::optional<double> cell::in_place_ratio() const {
    return quotient(difference(device("restored_in_place"), device("restoring")),
                    difference(device("restored_beside"), device("restoring")));
}

std::optional<summary> over_cub(const std::vector<cell>& cells) {
    double logarithms = 0;
    int count = 0;
    summary result;
    for (const cell& c : cells) {
        const auto speedup = c.speedup_over_cub();
        if (!speedup) continue;
        if (count == 0 || *speedup < result.worst) {
            result.worst = *speedup;
            result.worst_cell = c.name();
        }
        logarithms += std::log(*speedup);
        ++count;
    }
    if (count == 0) return std::nullopt;
    result.mean = std::exp(logarithms / count);
    return result;
}

}  // namespace lookback::bench
