/// \file
/// Scans of segments on the CPU.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/cpu/call.hpp"
#include "lookback/detail/cpu/segment_heads.hpp"
#include "lookback/detail/cpu/segmented_scan_problem.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/cpu/simd_segments_problem.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/segmented.hpp"

namespace lookback::detail {

/// Refuses offsets that decrease, or do not begin at 0 and end at the number of items.
template <class Offsets>
void check_offsets(const cpu& where, const segment_offsets<Offsets>& segments, std::size_t items) {
    const std::size_t entries = detail::checked_count(segments.first, segments.last);
    const auto entry = [&](std::size_t s) {
        return std::to_string(detail::item(segments.first, s));
    };
    if (detail::item(segments.first, 0) != 0) {
        throw std::invalid_argument("lookback: the first offset is " + entry(0) + "; expected 0");
    }
    // As wide as an offset: vectors have as many of these.
    using falls_type = std::conditional_t<sizeof(detail::item(segments.first, 0)) <= 4,
                                          std::uint32_t, std::uint64_t>;
    std::atomic<std::size_t> wrong{entries};  // the least that anybody has found
    detail::for_shares(where, entries - 1, 1 << 14, [&](std::size_t begin, std::size_t end) {
        falls_type falls = 0;
        for (std::size_t s = begin; s < end; ++s) {
            const bool here = detail::item(segments.first, s + 1) < detail::item(segments.first, s);
            falls = static_cast<falls_type>(falls | (here ? 1 : 0));
        }
        if (falls == 0) return;
        while (!(detail::item(segments.first, begin + 1) < detail::item(segments.first, begin)))
            ++begin;
        std::size_t least = wrong.load(std::memory_order_relaxed);
        while (begin < least &&
               !wrong.compare_exchange_weak(least, begin, std::memory_order_relaxed)) {
        }
    });
    if (const std::size_t s = wrong.load(std::memory_order_relaxed); s < entries) {
        throw std::invalid_argument("lookback: offsets decrease from " + entry(s) + " to " +
                                    entry(s + 1) + " at entry " + std::to_string(s + 1) +
                                    "; expected each to be at least the one before");
    }
    if (static_cast<std::size_t>(detail::item(segments.first, entries - 1)) != items) {
        throw std::invalid_argument("lookback: the last offset is " + entry(entries - 1) +
                                    "; expected the number of items, " + std::to_string(items));
    }
}

/// Scans items > 0 in segments that begin at `heads` (detail/cpu/segment_heads.hpp). An array may
/// come in pieces: `before` is what the piece before has returned.
template <bool is_exclusive, class T, class Values, class Heads, class Out, class Op>
segment_value<T> scan_segments(const cpu& where, const Values& values, std::size_t items,
                               const Heads& heads, const Out& out, const std::optional<T>& init,
                               const Op& op,
                               const std::optional<segment_value<T>>& before = std::nullopt) {
    constexpr simd_op kernel_op = simd_op_of<Op, T>;
    if constexpr (kernel_op != simd_op::none && contiguous_items_of<Values, T> &&
                  contiguous_items_of<Out, T>) {
        using K = simd_type<kernel_op, T>;  // same bits, and a kernel
        std::optional<K> first;
        if (init) first = static_cast<K>(*init);
        std::optional<segment_value<K>> open;
        if (before) open = {static_cast<K>(before->value), before->head};
        const auto all = detail::single_pass(
            where, simd_segments_problem<Heads, K>(
                       segments_kernel_of<kernel_op, K>(),
                       reinterpret_cast<const K*>(std::to_address(values)), items, heads,
                       reinterpret_cast<K*>(std::to_address(out)), first, open, is_exclusive));
        return {static_cast<T>(all.value), all.head};
    } else {
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
