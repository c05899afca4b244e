// Measures sorts of u32 keys, with u32 values or without, by tiles of other shapes than those of
// lookback/detail/device/sort_shapes.hpp: a place to try shapes, which no other target needs.
//   lookback_bench_gpu_sort_shapes OUT.json [--filter REGEX] [NAME...]      NAME: keys, pairs

#include <cstdio>

#include "goals.hpp"
#include "sort_measure.cuh"

namespace lookback::bench {
namespace {

using detail::device::sort_tuning;
using key = std::uint32_t;

/// Tiles of `warps` warps with `rows` rows of 32 keys each, `blocks` blocks a multiprocessor.
constexpr sort_tuning of(int warps, int rows, int blocks) {
    sort_tuning tuning = detail::device::sort_tuning_of<key, no_array>();
    tuning.tile = {warps, rows, blocks};
    return tuning;
}

template <class Value>
class shapes {
    using contest = sort_contest<key, Value, false>;

 public:
    shapes(session& s, std::uint64_t n) : s_(s), contest_(s, {.items = n}), n_(n) {}

    void measure(const observer& tell) const {
        cell c;
        c.op = "sort";
        c.type = std::is_same_v<Value, no_array> ? "u32" : "u32+u32";
        c.items = n_;
        c.item_bytes = contest::item_bytes;
        c.least_bytes = 2 * n_ * static_cast<std::uint64_t>(contest::item_bytes);
        if (!tell.wants(c)) return;
        tell.begin(c);
        contest_.fill();
        const std::vector<implementation> all = {
            contest_.ours(),         contest_.cub(),          shaped<of(16, 12, 2)>(),
            shaped<of(16, 16, 2)>(), shaped<of(16, 18, 2)>(), shaped<of(16, 20, 2)>(),
            shaped<of(16, 22, 2)>(), shaped<of(16, 24, 2)>(), shaped<of(12, 20, 2)>(),
            shaped<of(8, 20, 4)>(),  shaped<of(8, 32, 3)>(),  shaped<of(10, 32, 2)>(),
        };
        for (const implementation& one : all) {
            if (c.trouble.empty()) c.trouble = contest_.judge(one);
        }
        if (c.trouble.empty()) c.device_us = s_.device_times(all, c.trouble);
        c.checked = c.trouble.empty();
        tell.end(c);
    }

 private:
    template <sort_tuning tuning>
    implementation shaped() const {
        const auto& [warps, rows, blocks] = tuning.tile;
        const auto name =
            std::to_string(warps) + "x" + std::to_string(rows) + "x" + std::to_string(blocks);
        return {name, [*this] { sort<tuning>(); }};
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

void print_figures(const cell& c) {
    for (const auto& [name, us] : c.device_us)
        std::printf("\n    %-14s%10.2f us", name.c_str(), us);
}

program all_shapes() {
    return {
        .name = "lookback_bench_gpu_sort_shapes",
        .groups = {{"keys", measure_shapes<no_array>}, {"pairs", measure_shapes<std::uint32_t>}},
        .array_bytes = std::uint64_t{2} << 30,
        .arrays = 2,
        .method = "us of one call; median of 11 replays of a graph of calls",
        .name_width = 20,
        .columns = "",
        .print_figures = print_figures,
        .goals = [](const std::vector<cell>&) { return std::vector<goal>{}; }};
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    return lookback::bench::run(lookback::bench::all_shapes(), argc, argv);
}
