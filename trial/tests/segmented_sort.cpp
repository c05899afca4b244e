// Sorting segments on trial: bundles, pieces and large segments, all of small shapes; segments of
// all lengths, many of them empty; all kinds of keys and values, orders and bits; in place where
// that is allowed; counts on the host and in device memory; several calls in a row.
#include "lookback/segmented_sort.hpp"

#include "support/segment_lengths.hpp"
#include "tests/sort_calls.hpp"

namespace lookback::trial {
namespace {

using detail::device::segmented_sort_tuning;

/// Blocks so small that a simulation has time for them.
inline constexpr segmented_sort_tuning small_blocks = {.short_bundle = {4, 2, 1},
                                                       .bundle = {8, 2, 1},
                                                       .piece = {8, 3, 1},
                                                       .large = small_tiles<true>,
                                                       .step = 200,
                                                       .most_short = 50};

/// Lengths of segments that have n items together, some of them empty. One case has few kinds of
/// lengths.
std::vector<std::size_t> lengths_of(case_choices& choices, std::uint64_t n) {
    const std::vector<std::uint64_t> means = {0, 1, 3, 20, 40, 300, 511, 512, 700, 1500, n};
    const auto one = choices.said("mean", choices.of(means));
    const bool mixed = choices.said("mixed", choices.coin());
    const bool exact = choices.said("exact", choices.coin());
    std::vector<std::size_t> lengths;
    for (std::uint64_t left = n; left > 0;) {
        const std::uint64_t mean = mixed ? choices.of(means) : one;
        const auto length = std::min(left, exact ? mean : choices.below(2 * mean + 1));
        lengths.push_back(length);
        left -= length;
        if (mean == 0) lengths.insert(lengths.end(), choices.below(20), 0);
        if (mean == 0 && !mixed) lengths.push_back(1), --left;
    }
    // Sometimes more segments than there is room for items.
    if (choices.said("piled", choices.one_in(6))) {
        const auto at = static_cast<std::ptrdiff_t>(choices.below(lengths.size() + 1));
        lengths.insert(lengths.begin() + at, 2500, 0);
    }
    return lengths;
}

/// The segments of a call, and the call itself, as the public functions make it, on small blocks.
class segment_sort {
 public:
    static constexpr std::uint64_t tile_items = 512;
    inline static const std::string name = "segmented_sort";

    segment_sort(case_choices& choices, const call_size& size)
        : size_(size),
          lengths_(lengths_of(choices, size.n)),
          wide_(choices.said("wide offsets", choices.coin())),
          offsets64_(
              std::make_shared<gpu_array<std::int64_t>>(all().template offsets<std::int64_t>(), 1)),
          offsets32_(std::make_shared<gpu_array<std::uint32_t>>(
              all().template offsets<std::uint32_t>(), 1)) {}

    template <class Key, class... Arguments>
    void sort(lookback::gpu& gpu, const auto& keys, const Arguments&... arguments) const {
        [[maybe_unused]] const auto whole = detail::calls_on<lookback::gpu>::begin(gpu);
        if (size_.at_most == 0) return;
        const auto with = [&](auto& offsets) {
            const auto* const first = offsets.data();
            const segment_offsets segments{first, first + offsets.items()};
            detail::device::sort_segments<Key, small_blocks>(gpu, count_of(size_), segments, keys,
                                                             arguments...);
        };
        wide_ ? with(*offsets64_) : with(*offsets32_);
    }
    template <class Key>
    std::vector<std::uint32_t> order_of(const std::vector<Key>& keys, const sort_by& by) const {
        return test::order_in_segments(keys, lengths_, by);
    }

 private:
    test::segment_lengths all() const { return {"", lengths_}; }

    call_size size_;
    std::vector<std::size_t> lengths_;
    bool wide_;
    std::shared_ptr<gpu_array<std::int64_t>> offsets64_;
    std::shared_ptr<gpu_array<std::uint32_t>> offsets32_;
};

TEST(SegmentedSort, Keys) { on_trial(40, sort_keys<segment_sort, std::uint32_t>); }
TEST(SegmentedSort, Bytes) { on_trial(20, sort_keys<segment_sort, std::int8_t>); }
TEST(SegmentedSort, Uint64) { on_trial(15, sort_keys<segment_sort, std::uint64_t>); }
TEST(SegmentedSort, Int128) { on_trial(10, sort_keys<segment_sort, detail::int128>); }
TEST(SegmentedSort, Float) { on_trial(20, sort_keys<segment_sort, float>); }
TEST(SegmentedSort, DoubleBackward) { on_trial(10, sort_keys<segment_sort, double, true>); }
TEST(SegmentedSort, Pairs) {
    on_trial(30, [](case_choices& c) {
        return c.said("narrow", c.coin()) ? sort_pairs<segment_sort, std::uint8_t, std::uint8_t>(c)
                                          : sort_pairs<segment_sort, float, std::uint32_t>(c);
    });
}
TEST(SegmentedSort, PairsWithWideValues) {
    on_trial(20, sort_pairs_with_wide_values<segment_sort>);
}
TEST(SegmentedSort, Order) { on_trial(20, sort_order_of_any_width<segment_sort>); }
TEST(SegmentedSort, ByProjection) { on_trial(20, sort_by_projection<segment_sort>); }

}  // namespace
}  // namespace lookback::trial
