#include "sort.hpp"

namespace lookback::bench {

std::string sort_case::text() const {
    constexpr const char* names[] = {"random",   "all equal", "sorted",
                                     "reversed", "skewed",    "low entropy"};
    std::string all = names[static_cast<int>(data)];
    if (last_bit >= 0) {
        all += ", bits " + std::to_string(first_bit) + " to " + std::to_string(last_bit);
    }
    if (off > 0) all += ", arrays off by " + std::to_string(off);
    return all;
}

std::vector<sort_case> random_keys(std::initializer_list<int> powers) {
    std::vector<sort_case> all;
    for (const int power : powers) {
        all.push_back({.items = std::uint64_t{1} << power,
                       .in_place = power == 16 || power == 20 || power == 28});
    }
    return all;
}

std::vector<sort_case> other_keys(std::initializer_list<int> powers) {
    std::vector<sort_case> all;
    for (const keys_are data : {keys_are::all_equal, keys_are::sorted, keys_are::reversed,
                                keys_are::skewed, keys_are::low_entropy}) {
        for (const int power : powers) {
            all.push_back({.items = std::uint64_t{1} << power, .data = data});
        }
    }
    return all;
}

std::vector<sort_case> operator+(std::vector<sort_case> a, const std::vector<sort_case>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace lookback::bench
