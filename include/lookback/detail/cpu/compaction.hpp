/// \file
/// Selections and partitions on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>

#include "lookback/detail/classes.hpp"
#include "lookback/detail/cpu/call.hpp"
#include "lookback/detail/cpu/classifiers.hpp"
#include "lookback/detail/cpu/compaction_problem.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/detail/cpu/zip.hpp"
#include "lookback/select.hpp"

namespace lookback::detail {

template <>
struct compaction_on<cpu> {
    template <class In, class Paired, class Classes, class Values, class... Outs>
    static void run(const cpu& where, const item_count& count, const In& first,
                    const Paired& paired, const Classes& classes, const total_place& total,
                    const Values& values, const Outs&... outs) {
        const std::size_t items = count.get();
        const auto compact_by = [&]<class From, class Classifier, class... To>(
                                    const From& from, const Classifier& classifier,
                                    const To&... to) {
            const auto counts = detail::single_pass(
                where, compaction_problem<From, Classifier, To...>(from, items, classifier, to...));
            for (int c = 0; c < Classes::counted; ++c) total.set(c, counts.of[c]);
        };
        if (items == 0) {
            for (int c = 0; c < Classes::counted; ++c) total.set(c, 0);
        } else if constexpr (Classes::compares && !std::same_as<Values, no_array>) {
            using in = zipped_input<In, Paired>;
            using pair = typename in::value_type;
            using out = zipped_output<pair, Outs..., Values>;
            constexpr std::size_t tile = compaction_tile_items<pair>;
            compact_by(in{first, paired}, heads_of_tiles<tile>(first, items, classes.equal),
                       out{outs..., values});
        } else if constexpr (Classes::compares) {
            constexpr std::size_t tile = compaction_tile_items<std::iter_value_t<In>>;
            compact_by(first, heads_of_tiles<tile>(first, items, classes.equal), outs...);
        } else if constexpr (!std::same_as<Paired, no_array>) {
            compact_by(first, item_classes(paired, classes), outs...);
        } else {
            compact_by(first, item_classes(first, classes), outs...);
        }
    }

    /// Two classes into one output: the rest is written from its end backward, and is then reversed
    /// unless `reversed` keeps it so.
    template <bool reversed, class In, class Paired, class Classes, class Out, class N>
    static void run_into_one(const cpu& where, const item_count& count, const In& first,
                             const Paired& paired, const Classes& classes, const total_place& total,
                             const Out& out, count_to<N> kept) {
        const auto end = out + static_cast<std::iter_difference_t<Out>>(count.at_most);
        run(where, count, first, paired, classes, total, no_array{}, out,
            std::make_reverse_iterator(end));
        if constexpr (!reversed) turn_rest(where, count, out, kept);
    }

 private:
    // Reverses the items after the kept ones. Each pair is swapped once.
    template <class Out, class N>
    static void turn_rest(const cpu& where, const item_count& count, const Out& out,
                          count_to<N> kept) {
        const std::size_t items = count.get();
        const std::size_t first = *kept.at;
        const auto at = [&](std::size_t i) {
            return out + static_cast<std::iter_difference_t<Out>>(i);
        };
        detail::for_shares(where, (items - first) / 2,
                           compaction_tile_items<std::iter_value_t<Out>> / 2,
                           [&](std::size_t begin, std::size_t end) {
                               for (std::size_t i = begin; i < end; ++i) {
                                   std::ranges::iter_swap(at(first + i), at(items - 1 - i));
                               }
                           });
    }

    template <std::size_t tile, class Keys, class Equal>
    static run_heads<tile, Keys, Equal> heads_of_tiles(const Keys& keys, std::size_t items,
                                                       const Equal& equal) {
        return {keys, items, equal};
    }
};

}  // namespace lookback::detail
