#include "real_number.hpp"

namespace lookback::cli {

std::optional<std::uint64_t> decimal::whole_part() const {
    if (point <= 0) return 0;
    if (point > 20) return std::nullopt;
    std::string whole = digits.substr(0, static_cast<std::size_t>(point));
    whole.resize(static_cast<std::size_t>(point), '0');
    std::uint64_t value = 0;
    const auto found = std::from_chars(whole.data(), whole.data() + whole.size(), value);
    return found.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

std::optional<decimal> read_decimal(std::string_view text) {
    const auto digits_of = [&] {
        std::size_t count = 0;
        while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
        const std::string_view digits = text.substr(0, count);
        text.remove_prefix(count);
        return digits;
    };
    const auto accept = [&](char a, char b) {
        const bool is_there = !text.empty() && (text[0] == a || text[0] == b);
        if (is_there) text.remove_prefix(1);
        return is_there;
    };
    decimal d;
    d.is_negative = text.starts_with('-');
    accept('-', '+');
    d.digits = digits_of();
    d.point = static_cast<std::int64_t>(d.digits.size());
    if (accept('.', '.')) {
        d.is_whole = false;
        d.digits += digits_of();
    }
    if (d.digits.empty()) return std::nullopt;
    if (accept('e', 'E')) {
        d.is_whole = false;
        const bool is_small = text.starts_with('-');
        accept('-', '+');
        const std::string_view exponent = digits_of();
        if (exponent.empty()) return std::nullopt;
        std::int64_t size = 0;
        const auto found =
            std::from_chars(exponent.data(), exponent.data() + exponent.size(), size);
        constexpr std::int64_t most = std::int64_t{1} << 60;  // more than the digits of any text
        if (found.ec != std::errc{} || size > most) size = most;
        d.point += is_small ? -size : size;
    }
    if (!text.empty()) return std::nullopt;
    const std::size_t first = d.digits.find_first_not_of('0');
    if (first == std::string::npos) return decimal{d.is_negative, d.is_whole, {}, 0};
    d.digits.erase(0, first);
    d.point -= static_cast<std::int64_t>(first);
    d.digits.erase(d.digits.find_last_not_of('0') + 1);
    return d;
}

}  // namespace lookback::cli
