/// \file
/// Scans of segments on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>

#include "lookback/detail/cpu/call.hpp"
#include "lookback/detail/cpu/segment_heads.hpp"
#include "lookback/detail/cpu/segment_offsets.hpp"
#include "lookback/detail/cpu/segmented_scan_problem.hpp"
#include "lookback/detail/cpu/simd_segments_problem.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/segmented.hpp"

namespace lookback::detail {

/// Scans items > 0 in segments that begin at `heads` (detail/cpu/segment_heads.hpp). An array may
/// come in pieces: `before` is what the piece before has returned.
template <bool is_exclusive, class T, class Values, class Heads, class Out, class Op>
segment_value<T> scan_segments(const cpu& where, const Values& values, std::size_t items,
                               const Heads& heads, const Out& out, const std::optional<T>& init,
                               const Op& op,
                               const std::optional<segment_value<T>>& before = std::nullopt) {
    constexpr simd_op kernel_op = simd_op_of<Op, T>;
    constexpr bool by_kernel =
        kernel_op != simd_op::none && contiguous_items_of<Values, T> && contiguous_items_of<Out, T>;
    if constexpr (by_kernel) {
        using K = simd_type<kernel_op, T>;  // same bits, and a kernel
        if (const auto& kernel = segments_kernel_of<kernel_op, K>();
            on_all_machines<kernel_op, T> || kernel.scan != nullptr) {
            std::optional<K> first;
            if (init) first = static_cast<K>(*init);
            std::optional<segment_value<K>> open;
            if (before) open = {static_cast<K>(before->value), before->head};
            const auto all = detail::single_pass(
                where,
                simd_segments_problem<Heads, K>(
                    kernel, reinterpret_cast<const K*>(std::to_address(values)), items, heads,
                    reinterpret_cast<K*>(std::to_address(out)), first, open, is_exclusive));
            return {static_cast<T>(all.value), all.head};
        }
    }
    if constexpr (!by_kernel || !on_all_machines<kernel_op, T>) {
        return detail::single_pass(where,
                                   segmented_scan_problem<is_exclusive, Values, Heads, Out, T, Op>(
                                       values, items, heads, out, init, op, before));
    }
}

template <>
struct segments_on<cpu> {
    template <bool is_exclusive, class T, class Keys, class In, class Out, class Init, class Op,
              class Equal>
    static void by_key(const cpu& where, const item_count& count, const Keys& keys,
                       const In& values, const Out& out, const Init& init, const Op& op,
                       const Equal& equal) {
        const heads_by_key<Keys, Equal> heads{{keys, equal}};
        scan<is_exclusive, T>(where, count, values, heads, out, init, op);
    }

    template <class Flags>
    static void check(const cpu&, const head_flags<Flags>&, const item_count&) {}
    template <class Offsets>
    static void check(const cpu& where, const segment_offsets<Offsets>& segments,
                      const item_count& count) {
        detail::check_offsets(where, segments, count.get());
    }

    template <bool is_exclusive, class T, class In, class Flags, class Out, class Init, class Op>
    static void of(const cpu& where, const item_count& count, const In& first,
                   const head_flags<Flags>& segments, const Out& out, const Init& init,
                   const Op& op) {
        scan<is_exclusive, T>(where, count, first, heads_by_flag<Flags>{segments.flags}, out, init,
                              op);
    }
    template <bool is_exclusive, class T, class In, class Offsets, class Out, class Init, class Op>
    static void of(const cpu& where, const item_count& count, const In& first,
                   const segment_offsets<Offsets>& segments, const Out& out, const Init& init,
                   const Op& op) {
        const auto entries = static_cast<std::size_t>(segments.last - segments.first);
        scan<is_exclusive, T>(where, count, first,
                              heads_by_offset<Offsets>{segments.first, entries}, out, init, op);
    }

 private:
    template <bool is_exclusive, class T, class In, class Heads, class Out, class Init, class Op>
    static void scan(const cpu& where, const item_count& count, const In& values,
                     const Heads& heads, const Out& out, const Init& init, const Op& op) {
        const std::size_t items = count.get();
        if (items == 0) return;
        detail::scan_segments<is_exclusive, T>(where, values, items, heads, out,
                                               detail::start_with<T>(init), op);
    }
};

}  // namespace lookback::detail
