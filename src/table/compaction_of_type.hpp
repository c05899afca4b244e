/// \file
/// The loops of compaction.hpp as templates. The types are divided among compaction_*.cpp, to
/// compile faster.
#pragma once

#include "lookback/detail/cpu/shares.hpp"
#include "lookback/partition.hpp"
#include "lookback/runs.hpp"
#include "lookback/select.hpp"
#include "table/compaction.hpp"
#include "table/predicates.hpp"

namespace lookback::table {

template <class T>
struct compaction_of_type {
    static std::size_t select(const void* from, std::size_t items, void* out, bool is_signed,
                              const wanted& which, int threads) {
        const auto* const in = static_cast<const T*>(from);
        return with_predicate<T>(which, is_signed, [&](auto predicate) {
            return select_if(cpu{.threads = threads}, in, in + items, static_cast<T*>(out),
                             predicate);
        });
    }

    static std::size_t partition(const void* from, std::size_t items, void* out, void* rest,
                                 bool is_signed, const wanted& which, int threads) {
        const auto* const in = static_cast<const T*>(from);
        return with_predicate<T>(which, is_signed, [&](auto predicate) {
            return partition_if(cpu{.threads = threads}, in, in + items, static_cast<T*>(out),
                                static_cast<T*>(rest), predicate);
        });
    }

    static std::size_t unique(const void* from, std::size_t items, void* out, int threads) {
        const auto* const in = static_cast<const T*>(from);
        return lookback::unique(cpu{.threads = threads}, in, in + items, static_cast<T*>(out));
    }

    static std::size_t run_length_encode(const void* from, std::size_t items, void* out,
                                         std::int64_t* lengths, int threads) {
        const auto* const in = static_cast<const T*>(from);
        return lookback::run_length_encode(cpu{.threads = threads}, in, in + items,
                                           static_cast<T*>(out), lengths);
    }

    static void find_heads(const void* from, std::size_t items, const std::optional<scalar>& before,
                           std::uint8_t* heads, int threads) {
        constexpr std::size_t share = 1 << 14;
        const auto* const in = static_cast<const T*>(from);
        detail::for_shares(cpu{.threads = threads}, items, share,
                           [&](std::size_t begin, std::size_t end) {
                               if (begin == 0) heads[begin++] = as<T>(before) == in[0] ? 0 : 1;
                               for (std::size_t i = begin; i < end; ++i) {
                                   heads[i] = in[i - 1] == in[i] ? 0 : 1;
                               }
                           });
    }

    static constexpr compaction all = {select, partition, unique, run_length_encode, find_heads};
};

}  // namespace lookback::table
