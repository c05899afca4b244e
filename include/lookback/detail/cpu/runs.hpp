/// \file
/// Runs on the CPU.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "lookback/detail/cpu/call.hpp"
#include "lookback/detail/cpu/classifiers.hpp"
#include "lookback/detail/cpu/run_folds.hpp"
#include "lookback/detail/cpu/run_lengths.hpp"
#include "lookback/detail/cpu/run_problem.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/runs.hpp"

namespace lookback::detail {

// Writes the results of all runs and returns the number of runs. If an array comes in pieces, the
// pieces after the first have a run `before` (detail/cpu/run_problem.hpp), and their outputs then
// take one item more.
template <class Results, class Heads>
std::size_t write_runs(const cpu& where, const Results& results, std::size_t items,
                       const Heads& heads,
                       const std::optional<run_summary<std::size_t, typename Results::value_type>>&
                           before = std::nullopt) {
    auto all = detail::single_pass(where, run_problem(results, items, heads, before));
    results.close(all.heads - 1, std::move(all.open));
    return all.heads;
}

template <class T, class Keys, class Values, class Heads, class KeysOut, class FoldsOut, class Op>
std::size_t fold_runs(const cpu& where, Keys keys, std::size_t items, Values values,
                      const Heads& heads, KeysOut keys_out, FoldsOut folds_out, const Op& op,
                      const std::optional<run_summary<std::size_t, T>>& before = std::nullopt) {
    using folds = run_folds<Keys, Values, KeysOut, FoldsOut, T, Op>;
    return detail::write_runs(where, folds(keys, items, values, keys_out, folds_out, op), items,
                              heads, before);
}

template <>
struct runs_on<cpu> {
    template <class In, class ValuesOut, class LengthsOut, class Equal>
    static void lengths(const cpu& where, const item_count& count, const In& first,
                        const ValuesOut& values_out, const LengthsOut& lengths_out,
                        const total_place& total, const Equal& equal) {
        using all_lengths = run_lengths<In, ValuesOut, LengthsOut>;
        const std::size_t items = count.get();
        if (items == 0) return total.set(0, 0);
        const run_heads<all_lengths::tile_items, In, Equal> heads(first, items, equal);
        total.set(0, detail::write_runs(where, all_lengths(first, items, values_out, lengths_out),
                                        items, heads));
    }

    template <class In, class OffsetsOut, class LengthsOut, class Equal>
    static void nontrivial(const cpu& where, const item_count& count, const In& first,
                           const OffsetsOut& offsets_out, const LengthsOut& lengths_out,
                           const total_place& total, const Equal& equal) {
        const std::size_t items = count.get();
        if (items == 0) return total.set(0, 0);
        const nontrivial_run_lengths results(items, offsets_out, lengths_out);
        const head_changes<In, Equal> begins(first, equal);
        total.set(0, detail::write_runs(where, results, items, begins) / 2);
    }

    template <class T, class Keys, class Values, class KeysOut, class ValuesOut, class Op,
              class Equal>
    static void folds(const cpu& where, const item_count& count, const Keys& keys,
                      const Values& values, const KeysOut& keys_out, const ValuesOut& values_out,
                      const total_place& total, const Op& op, const Equal& equal) {
        constexpr std::size_t tile = run_tile_items<std::iter_value_t<Keys>, T>;
        const std::size_t items = count.get();
        if (items == 0) return total.set(0, 0);
        const run_heads<tile, Keys, Equal> heads(keys, items, equal);
        total.set(
            0, detail::fold_runs<T>(where, keys, items, values, heads, keys_out, values_out, op));
    }
};

}  // namespace lookback::detail
