/// \file
/// The random choices of a simulation. All come from one seed, so a simulation can be repeated.
#pragma once

#include <cstdint>

namespace lookback::trial {

/// splitmix64.
class random_choices {
 public:
    explicit random_choices(std::uint64_t seed = 0) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t x = state_ += 0x9e3779b97f4a7c15ULL;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }
    /// A number from 0 to `n` - 1.
    std::uint64_t below(std::uint64_t n) {
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits()) * n) >> 64);
    }
    /// A number from `low` to `high`, both included.
    std::uint64_t between(std::uint64_t low, std::uint64_t high) {
        return low + below(high - low + 1);
    }
    /// True in one of `n` cases.
    bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
    std::uint64_t state_;
};

}  // namespace lookback::trial
