// Sorting on trial: by one block, by a cluster, or by passes over small tiles, in portions; with
// all kinds of keys and values, orders and bits; in place where that is allowed; with counts on the
// host and in device memory; several calls in a row.
#include "lookback/sort.hpp"

#include <algorithm>

#include "tests/sort_calls.hpp"

namespace lookback::trial {
namespace {

/// Whole arrays.
template <sort_tuning tuning>
class array_sort {
 public:
    static constexpr std::uint64_t tile_items = 512;
    inline static const std::string name = "sort";

    array_sort(case_choices& /*choices*/, const call_size& size) : size_(size) {}

    template <class Key, class... Arguments>
    void sort(lookback::gpu& gpu, const auto& keys, const Arguments&... arguments) const {
        [[maybe_unused]] const auto whole = detail::calls_on<lookback::gpu>::begin(gpu);
        if (size_.at_most == 0) return;
        detail::device::sort_arrays<Key, tuning, tuning>(gpu, count_of(size_), keys, arguments...);
    }
    template <class Key>
    static std::vector<std::uint32_t> order_of(const std::vector<Key>& keys, const sort_by& by) {
        return test::order_of(keys, by);
    }

 private:
    call_size size_;
};
using sorts = array_sort<small_tiles<true>>;
using hybrid_sorts = array_sort<hybrid_tiles>;

/// Sorts by the lower bits, and then sorts the result by the higher bits.
pending_call sort_twice(case_choices& choices) {
    using Key = std::uint32_t;
    const call_size size(choices, sorts::tile_items);
    const sorts sort(choices, size);
    const auto items = keys_of_a_kind<Key>(choices, size.n);
    const auto in = std::make_shared<walked_array<Key>>(choices, size.at_most, items);
    const auto middle = output_over(choices, in, size);
    const auto out = output_over(choices, middle, size);
    const auto start = [=](lookback::gpu& gpu) {
        sort.sort<Key>(gpu, in->reads(), middle->writes(), no_array{}, no_array{},
                       sort_by{false, 0, 16});
        sort.sort<Key>(gpu, middle->reads(), out->writes(), no_array{}, no_array{},
                       sort_by{false, 16, 32});
    };
    const auto check = [=] {
        const sort_by whole{false, 0, 32};
        EXPECT_TRUE(same_items(out->get(size.n), in_order(items, test::order_of(items, whole))))
            << "sorted twice";
    };
    return {start, check};
}

/// A call for which one kernel is refused leaves nothing behind that changes the next call.
TEST(Sort, AfterRefusedKernels) {
    using Key = std::uint32_t;
    for_schedules(1, [](case_choices& choices) {
        const std::uint64_t n = 1500;
        std::vector<Key> keys(n);
        for (Key& key : keys) key = static_cast<Key>(choices.bits());
        const sort_by by{.last_bit = 32};
        gpu_array<Key> in(keys);
        bool refused = true;
        int asked = 0;
        for (; refused; ++asked) {
            lookback::gpu gpu;
            gpu_array<Key> out(n);
            const auto sort = [&] {
                [[maybe_unused]] const auto whole = detail::calls_on<lookback::gpu>::begin(gpu);
                detail::device::sort_arrays<Key, small_tiles<true>>(gpu, {n}, in.data(), out.data(),
                                                                    no_array{}, no_array{}, by);
            };
            answers_left = asked;
            refused = false;
            try {
                sort();
            } catch (const cuda_error&) {
                refused = true;
            }
            answers_left = -1;
            if (refused) sort();
            if (cudaDeviceSynchronize() != cudaSuccess) return;
            if (out.get() != in_order(keys, test::order_of(keys, by))) throw failure("not sorted");
        }
        // Copying, dealing out, the buckets, and the sort of what the buckets leave.
        if (asked < 5) throw failure("there was nothing to refuse");
    });
}

TEST(Sort, Keys) { on_trial(12, sort_keys<sorts, std::uint32_t>); }
TEST(Sort, WithoutLookingWhetherSorted) {
    on_trial(5, sort_keys<array_sort<small_tiles<false>>, std::uint64_t>);
}
TEST(Sort, Hybrid) { on_trial(4, sort_keys<hybrid_sorts, std::uint64_t>); }
/// Keys of which so many are nearly the same: more than a bin may have, or more than a bucket may.
TEST(Sort, HybridCrowds) {
    for_schedules(2, [](case_choices& choices) {
        using Key = std::uint32_t;
        const std::uint64_t n = 1000;
        const auto crowd = choices.said("crowd", choices.of<std::uint64_t>({33, 200, 256, 257}));
        const auto one = static_cast<Key>(choices.bits());
        std::vector<Key> keys(n);
        for (std::uint64_t i = 0; i < n; ++i) {
            keys[i] = i < crowd ? static_cast<Key>(one ^ choices.below(3))
                                : static_cast<Key>(choices.bits());
        }
        gpu_array<Key> in(keys), out(n), with_order(n);
        gpu_array<std::uint32_t> order(n);
        const sort_by by{.descending = choices.coin(), .last_bit = 32};
        lookback::gpu gpu;
        {
            [[maybe_unused]] const auto whole = detail::calls_on<lookback::gpu>::begin(gpu);
            detail::device::sort_arrays<Key, hybrid_tiles>(gpu, {n}, in.data(), out.data(),
                                                           no_array{}, no_array{}, by);
            detail::device::sort_arrays<Key, hybrid_tiles>(gpu, {n}, in.data(), with_order.data(),
                                                           input_positions{}, order.data(), by);
        }
        if (cudaDeviceSynchronize() != cudaSuccess) return;
        const auto want = test::order_of(keys, by);
        const auto sorted = in_order(keys, want);
        if (out.get() != sorted || with_order.get() != sorted) throw failure("not sorted");
        const auto places = order.get();
        if (!std::equal(places.begin(), places.end(), want.begin())) throw failure("not in order");
    });
}
TEST(Sort, HybridPairs) {
    on_trial(5, [](case_choices& c) {
        return c.said("64 bits", c.coin())
                   ? sort_pairs<hybrid_sorts, std::uint64_t, std::uint64_t>(c)
                   : sort_pairs<hybrid_sorts, float, std::uint8_t, true>(c);
    });
}
TEST(Sort, HybridPairsWithWideValues) {
    on_trial(3, sort_pairs<hybrid_sorts, std::uint32_t, bytes24, true>);
}
TEST(Sort, HybridByProjection) { on_trial(3, sort_by_key_of<hybrid_sorts, bytes24>); }
TEST(Sort, HybridBackward) { on_trial(3, sort_keys<hybrid_sorts, float, true>); }
TEST(Sort, Twice) { on_trial(6, sort_twice); }
TEST(Sort, SignedBytes) { on_trial(8, sort_keys<sorts, std::int8_t>); }
// Few schedules: the counts of 65,536 key values take long.
#ifdef __FLT16_MANT_DIG__
TEST(Sort, FloatsOf16Bits) { on_trial(4, sort_keys<sorts, _Float16>); }
#endif
TEST(Sort, Uint16Backward) { on_trial(4, sort_keys<sorts, std::uint16_t, true>); }
TEST(Sort, Uint64) { on_trial(7, sort_keys<sorts, std::uint64_t>); }
TEST(Sort, Int128) { on_trial(6, sort_keys<sorts, detail::int128>); }
TEST(Sort, Float) { on_trial(7, sort_keys<sorts, float>); }
TEST(Sort, DoubleBackward) { on_trial(6, sort_keys<sorts, double, true>); }
TEST(Sort, Pairs) {
    on_trial(12, [](case_choices& c) {
        switch (c.said("values of", c.of<int>({1, 2, 4, 8}))) {
            case 1: return sort_pairs<sorts, std::uint8_t, std::uint8_t>(c);
            case 2: return sort_pairs<sorts, std::uint32_t, std::uint16_t, true>(c);
            case 4: return sort_pairs<sorts, float, std::uint32_t>(c);
            default: return sort_pairs<sorts, std::uint16_t, std::uint64_t>(c);
        }
    });
}
TEST(Sort, PairsWithWideValues) { on_trial(7, sort_pairs_with_wide_values<sorts>); }
TEST(Sort, Order) { on_trial(7, sort_order_of_any_width<sorts>); }
TEST(Sort, ByProjection) { on_trial(7, sort_by_projection<sorts>); }

}  // namespace
}  // namespace lookback::trial
