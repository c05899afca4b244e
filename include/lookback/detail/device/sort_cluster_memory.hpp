/// \file
/// What each block has in its shared memory when a cluster sorts (sort_cluster.hpp), and which of
/// it the other blocks write.
///
/// The other blocks write `count`, `sent` and `sent_source`. A block may overwrite another block's
/// memory only after that block has read it.
///
/// This holds for `sent`: a block sends keys after it has received the counts of every block, and
/// each block sends its counts only after it has read its keys of the previous digit.
///
/// With a single set of counts it would not hold. A block sends counts after it has received all
/// its keys of the previous digit, but these do not come from every block, and a block that sent it
/// none may still read the counts of that digit. So there are two sets, in turns.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/sort_padding.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"

namespace lookback::detail::device {

template <class Problem, sort_shape shape>
struct sort_cluster_memory {
    using Word = typename Problem::word_type;
    using sent_word = std::conditional_t<(sizeof(Word) < 4), std::uint32_t, Word>;
    static constexpr int sources = Problem::has_values ? shape.items() : 1;

    rank_memory<shape.warps> ranks;
    std::uint32_t offset[digit_values];  ///< add a key's place in `word`: its place in the array
    /// How many keys of each block have each value: two sets, which the digits use in turns.
    alignas(16) std::uint16_t count[2][shape.blocks][digit_values];
    /// The block's own keys, in the order of this digit.
    alignas(16) Word word[padded(shape.items())];
    /// The keys that the cluster has sent to this block.
    alignas(16) sent_word sent[shape.items()];
    /// Where the values of `word` and of `sent` lie in the input.
    alignas(16) std::uint32_t source[padded(sources)];
    alignas(16) std::uint32_t sent_source[sources];
    /// Barriers that count the bytes of `count`, and of `sent` and `sent_source`.
    phase_barrier counts_are_there[2], keys_are_there;
};

}  // namespace lookback::detail::device
