/// \file
/// A GPU and an array of ints there, for tests of the arguments that calls take.
#pragma once

#include "lookback/gpu.hpp"
#include "support/device.hpp"

namespace lookback::test {

// A size for each driver of scans, and for one tile and for many tiles of the other primitives.
inline std::vector<std::size_t> sizes_of_calls() {
    if (reduced()) return {1, 100, 20'000};
    return {0, 1, 100, 3000, 20'000, 200'001, 3'000'001};
}

// A GPU, and an array of ints there.
struct on_gpu {
    explicit on_gpu(const std::vector<int>& values) : in(values), out(values.size()), kept(1) {}
    stream s;
    lookback::gpu gpu{s};
    device_array<int> in, out;
    device_array<int> kept;
    const int* begin() const { return in.data(); }
    const int* end() const { return in.data() + in.size(); }
    count_to<int> count() { return {kept.data()}; }
    int found() const { return kept.get()[0]; }
    // The first n results that a call has written.
    std::vector<int> first_of(const device_array<int>& results, std::size_t n) const {
        auto all = results.get();
        all.resize(n);
        return all;
    }
};

struct is_positive {
    LOOKBACK_HD bool operator()(int x) const { return x > 0; }
};

}  // namespace lookback::test
