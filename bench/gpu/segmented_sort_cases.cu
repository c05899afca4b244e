#include <algorithm>
#include <random>

#include "segmented_sort.hpp"

namespace lookback::bench {
namespace {

constexpr std::uint64_t many = std::uint64_t{1} << 26;

// Draws are the same in every run.
template <class Draw>
std::function<std::uint64_t()> drawn(Draw draw) {
    return [draw, random = std::mt19937_64(1)]() mutable { return draw(random); };
}
std::function<std::uint64_t()> always(std::uint64_t length) {
    return [=] { return length; };
}

std::uint64_t skewed_length(std::mt19937_64& random) {
    constexpr std::uint64_t longest = 100'000;
    return longest / (1 + random() % longest);
}

}  // namespace

std::vector<std::int32_t> segments_case::offsets() const {
    std::vector<std::int32_t> all = {0};
    const auto draw = length;  // anew for each call
    for (std::uint64_t at = 0; at < items;) {
        at = std::min(items, at + draw());
        all.insert(all.end(), static_cast<std::size_t>(1 + empty_behind),
                   static_cast<std::int32_t>(at));
    }
    return all;
}

std::vector<segments_case> segments_of(std::initializer_list<std::uint64_t> lengths) {
    std::vector<segments_case> all;
    for (const std::uint64_t n : lengths) {
        all.push_back({many, "segments of " + std::to_string(n), always(n)});
    }
    return all;
}

segments_case mixed_segments() {
    return {many, "mixed segments",
            drawn([magnitude = 0, left = std::uint64_t{0}](std::mt19937_64& random) mutable {
                if (left == 0) {
                    magnitude = static_cast<int>(random() % 23);
                    left = std::uint64_t{1} << 22;
                }
                if (random() % 8 == 0) return std::uint64_t{0};
                const std::uint64_t most = std::uint64_t{1} << magnitude;
                const std::uint64_t length = std::min(left, most / 2 + 1 + random() % most);
                left -= length;
                return length;
            })};
}

segments_case skewed_segments() { return {many, "skewed segments", drawn(skewed_length)}; }

std::vector<segments_case> ragged_segments() {
    const auto up_to = [](std::uint64_t most) {
        return drawn([=](std::mt19937_64& random) { return random() % (most + 1); });
    };
    constexpr std::uint64_t odd = many - 12'345;
    return {{odd, "segments of up to 3, off by 1", up_to(3), 1},
            {odd, "segments of up to 70, off by 1", up_to(70), 1},
            {odd, "segments of 30 among 7 empty ones", always(30), 0, 7},
            {1'000'007, "segments of 30", always(30)},
            {10'007, "segments of 30", always(30)}};
}

std::vector<segments_case> operator+(std::vector<segments_case> a,
                                     const std::vector<segments_case>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace lookback::bench
