/// \file
/// Writes sorted items to the caller's arrays by non-temporal stores.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

#include "lookback/detail/call.hpp"
#include "lookback/detail/cpu/radix_arrays.hpp"
#include "lookback/detail/cpu/scratch.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"

namespace lookback::detail {

/// Writes words, as keys, and loads to the caller's arrays. A block of them at a time is collected
/// in the cache, because non-temporal stores write whole cache lines. Keys are not written if the
/// caller does not want them.
template <class Word, class Load>
class key_stream {
 public:
    template <class Source>
    void write(const word_order<Word>& order, Source from, std::size_t first,
               const sort_arrays<Word, Load>& to, std::size_t items) const {
        const simd_compaction& kernels = simd_compaction_kernels();
        const sort_arrays<Word, Load> near{word_array<Word>(words_.data()), loads_.data()};
        for (std::size_t i = 0; i < items; i += block) {
            const std::size_t some = std::min(block, items - i);
            const std::size_t at = first + i;
            for (std::size_t j = 0; j < some; ++j) {
                near.put(j, from.word(at + j), from.load(at + j));
            }
            order.to_keys(near.words, some);
            if (order.keys_too) {
                kernels.stream(near.words.at(0), to.words.at(i), some * sizeof(Word));
            }
            if constexpr (!std::same_as<Load, no_array>) {
                kernels.stream(near.loads, to.loads + i, some * sizeof(Load));
            }
        }
    }

    /// To be called after the last write: orders the non-temporal stores.
    void flush() const { simd_compaction_kernels().flush(); }

 private:
    static constexpr std::size_t block = 1024;
    const scratch_array<Word> words_{block};
    const scratch_array<Load> loads_{block};
};

}  // namespace lookback::detail
