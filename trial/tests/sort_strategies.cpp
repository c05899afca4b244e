// The CUDA sort strategies on trial, with small blocks and keys of 1 to 8 bytes. The library's own
// sort has other tests.
#include <algorithm>
#include <functional>
#include <vector>

#include "strategies/cuda/sorts.cuh"
#include "support/sorting.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

// With these shapes, the merges of a chunk's threads take more than one step through shared memory.
using small_chunk = strategies::sort_shape<128, 2>;
using small_tile = strategies::sort_shape<64, 2>;

template <class Key, class Sort>
void try_sort(case_choices& choices) {
    strategies::device gpu;
    // Two calls share the memory between kernels.
    for (std::uint64_t calls = choices.between(1, 2); calls > 0; --calls) {
        const std::uint64_t n = choices.size_around(Sort::tile_keys, 6);
        const bool in_place = choices.said("in place", choices.coin());
        const auto shapes = test::key_shapes<Key>(n);
        const auto& [shape, keys] = choices.of(shapes);
        choices.text += ", " + shape;
        gpu_array<Key> in(keys, choices.shift()), out(n, choices.shift());
        Sort::run(gpu, in.data(), in_place ? in.data() : out.data(), n);
        auto want = keys;
        std::sort(want.begin(), want.end(), test::comes_before<Key>);
        EXPECT_TRUE(same_items(in_place ? in.get() : out.get(), want));
        EXPECT_TRUE(in.is_untouched_around(n) && out.is_untouched_around(in_place ? 0 : n));
        if (!in_place) {
            EXPECT_TRUE(same_items(in.get(), keys)) << "the input has changed";
        }
    }
}

/// `schedules` schedules for each strategy.
template <class Key>
void on_trial(int schedules) {
    std::vector<std::function<void(case_choices&)>> all;
    strategies::for_each_sort<small_chunk, small_tile>(
        [&]<class Sort>(const strategies::named<Sort>& s) {
            if constexpr (!std::is_same_v<Sort, strategies::library_sort>) {
                all.push_back([s](case_choices& c) {
                    c.text = s.name;
                    try_sort<Key, Sort>(c);
                });
            }
        });
    for_schedules(schedules * static_cast<int>(all.size()), [&](case_choices& c) { c.of(all)(c); });
}

TEST(SortStrategies, Uint32) { on_trial<std::uint32_t>(40); }
TEST(SortStrategies, Int32) { on_trial<std::int32_t>(12); }
TEST(SortStrategies, Float) { on_trial<float>(12); }
TEST(SortStrategies, Uint8) { on_trial<std::uint8_t>(10); }
TEST(SortStrategies, Uint64) { on_trial<std::uint64_t>(10); }

}  // namespace
}  // namespace lookback::trial
