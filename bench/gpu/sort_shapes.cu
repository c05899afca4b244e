// Measures sorts of u32 keys, with u32 values or without, by tiles of other shapes than those of
// lookback/detail/device/sort_shapes.hpp. It is a place to try shapes, which no other target needs.
//   lookback_bench_gpu_sort_shapes OUT.json [--filter REGEX] [NAME...]
//       NAME: keys, pairs, buckets

#include "comparison.hpp"
#include "sort_measure.cuh"

namespace lookback::bench {
namespace {

using detail::device::sort_tuning;
using key = std::uint32_t;

/// Passes with tiles of `warps` warps that have `rows` rows of 32 keys each, and `blocks` blocks a
/// multiprocessor.
constexpr sort_tuning of(int warps, int rows, int blocks) {
    sort_tuning tuning = detail::device::sort_tuning_of<key, no_array>();
    tuning.tile = {warps, rows, blocks};
    return tuning;
}

/// Items dealt out to buckets by `warps` warps with up to `rows` rows of 32 keys each.
constexpr sort_tuning dealt(int warps, int rows, int blocks, std::uint64_t tiles) {
    sort_tuning tuning = of(10, 32, 2);
    tuning.dealt = {warps, rows, blocks};
    tuning.dealt_tiles = tiles;
    return tuning;
}

template <class Value>
class shapes {
    using contest = sort_contest<key, Value, false>;

 public:
    shapes(session& s, std::uint64_t n) : s_(s), contest_(s, {.items = n}), n_(n) {}

    void measure(const observer& tell) const {
        measure(tell, {
                          shaped<of(16, 12, 2)>(),
                          shaped<of(16, 16, 2)>(),
                          shaped<of(16, 18, 2)>(),
                          shaped<of(16, 20, 2)>(),
                          shaped<of(16, 22, 2)>(),
                          shaped<of(16, 24, 2)>(),
                          shaped<of(12, 20, 2)>(),
                          shaped<of(8, 20, 4)>(),
                          shaped<of(8, 32, 3)>(),
                          shaped<of(10, 32, 2)>(),
                      });
    }
    void measure_buckets(const observer& tell) const {
        measure(tell, {
                          bucketed<dealt(16, 16, 2, 128)>(),
                          bucketed<dealt(16, 16, 2, 256)>(),
                          bucketed<dealt(16, 8, 3, 256)>(),
                          bucketed<dealt(8, 32, 3, 256)>(),
                      });
    }

 private:
    void measure(const observer& tell, const std::vector<implementation>& tried) const {
        cell c;
        c.op = "sort";
        c.type = std::is_same_v<Value, no_array> ? "u32" : "u32+u32";
        c.items = n_;
        c.item_bytes = contest::item_bytes;
        c.least_bytes = 2 * n_ * static_cast<std::uint64_t>(contest::item_bytes);
        if (!tell.wants(c)) return;
        tell.begin(c);
        contest_.fill();
        std::vector<implementation> all = {contest_.ours(), contest_.cub()};
        all.insert(all.end(), tried.begin(), tried.end());
        for (const implementation& one : all) {
            if (c.trouble.empty()) c.trouble = contest_.judge(one);
        }
        if (c.trouble.empty()) c.device_us = s_.device_times(all, c.trouble);
        c.checked = c.trouble.empty();
        tell.end(c);
    }

    template <sort_tuning tuning>
    implementation shaped() const {
        return {name_of(tuning.tile), [*this] { sort<tuning>(); }};
    }
    template <sort_tuning tuning>
    implementation bucketed() const {
        return {name_of(tuning.dealt) + ", " + std::to_string(tuning.dealt_tiles),
                [*this] { sort<tuning>(); }};
    }
    static std::string name_of(const detail::device::sort_shape& shape) {
        return std::to_string(shape.warps) + "x" + std::to_string(shape.rows) + "x" +
               std::to_string(shape.blocks);
    }

    template <sort_tuning tuning>
    void sort() const {
        const auto in = contest_.in(), out = contest_.out();
        const sort_by by{.last_bit = 8 * sizeof(key)};
        using detail::device::sort_arrays;
        if constexpr (std::is_same_v<Value, no_array>) {
            sort_arrays<key, tuning>(s_.gpu(), {n_}, in.keys, out.keys, no_array{}, no_array{}, by);
        } else {
            sort_arrays<key, tuning>(s_.gpu(), {n_}, in.keys, out.keys, in.values, out.values, by);
        }
    }

    session& s_;
    contest contest_;
    std::uint64_t n_;
};

template <class Value>
void measure_shapes(session& s, const observer& tell) {
    for (const int power : {20, 22, 28}) {
        shapes<Value>(s, std::uint64_t{1} << power).measure(tell);
    }
}
void measure_buckets(session& s, const observer& tell) {
    for (const int power : {18, 20, 22}) {
        shapes<no_array>(s, (std::uint64_t{1} << power) - 77).measure_buckets(tell);
    }
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    using namespace lookback::bench;
    return run(comparison("lookback_bench_gpu_sort_shapes",
                          {{"keys", measure_shapes<lookback::detail::no_array>},
                           {"pairs", measure_shapes<std::uint32_t>},
                           {"buckets", measure_buckets}},
                          std::uint64_t{2} << 30, 2,
                          "us of one call; median of 11 replays of a graph of calls"),
               argc, argv);
}
