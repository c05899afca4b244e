/// \file
/// Few keys, which are all compared with each other: the place of a key is the number of keys that
/// come before it. Those are the smaller ones, and the equal ones that lie before it in the input.
///
/// A block finds the places of 32 keys. All of its warps hold these, a key in each lane, and each
/// warp compares them with other rows of keys.
///
/// A digit of 8 bits takes a block or a cluster some 1.5 us, most of which is waiting. A comparison
/// takes two instructions for a row of 32 keys, and no block waits for another. So up to 1,024 keys
/// for each digit this is faster, although the work grows with the square.
///
/// Cost, of n keys: n * n comparisons. Each block reads all keys, from L2; each key and each value
/// is written once. Outputs must not lie over inputs: a block may write before another has read.
///
/// Source: Muller & Preparata 1975, "Bounds to Complexities of Networks for Sorting and for
/// Switching", where it sorts in logarithmic time.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_values.hpp"

namespace lookback::detail::device {

/// The most warps of a block, and the most rows of 32 keys that a warp compares with.
inline constexpr int enumerating_warps = 32;
template <class Word>
inline constexpr int enumerated_rows = sizeof(Word) <= 8 ? 4 : 2;
/// The most keys.
template <class Word>
inline constexpr int most_enumerated = enumerating_warps * enumerated_rows<Word> * warp_lanes;

template <class Word>
struct enumeration_memory {
    alignas(16) Word word[enumerating_warps][enumerated_rows<Word>][warp_lanes];
    std::uint32_t place[warp_lanes];
};

template <class Problem>
class enumerating_block {
    using Word = typename Problem::word_type;
    static constexpr int most_rows = enumerated_rows<Word>;

 public:
    /// Each warp compares with `rows` rows.
    __device__ enumerating_block(const Problem& problem, enumeration_memory<Word>& shared,
                                 std::uint32_t items, int rows)
        : problem_(problem),
          shared_(shared),
          bits_(problem.digits.template bits<Word>()),
          items_(items),
          first_(block_in_grid() * warp_lanes),
          compared_(static_cast<unsigned>(warp() * rows * warp_lanes)),
          rows_(rows) {}

    __device__ void run() {
        const std::uint32_t mine = first_ + static_cast<unsigned>(lane());
        const Word word = word_at(mine);
        take();
        if (warp() == 0) shared_.place[lane()] = 0;
        sync_block();  // the places are 0
        add_in_block(&shared_.place[lane()], count_before(word & bits_));
        sync_block();  // the places are complete
        if (warp() == 0) store(mine, word);
    }

 private:
    // Where there is no key: a word that comes after all keys, or is equal to the last of them.
    __device__ Word word_at(std::uint32_t i) const {
        return i < items_ ? problem_.word(i) : static_cast<Word>(~Word{0});
    }

    // The warp brings the keys that it compares with to its part of shared memory.
    __device__ void take() const {
        Word word[most_rows];
#pragma unroll
        for (int i = 0; i < most_rows; ++i) {
            if (i < rows_) word[i] = word_at(first_of_row(i) + static_cast<unsigned>(lane()));
        }
#pragma unroll
        for (int i = 0; i < most_rows; ++i) {
            if (i < rows_) shared_.word[warp()][i][lane()] = word[i] & bits_;
        }
        sync_warp();
    }
    __device__ std::uint32_t first_of_row(int i) const {
        return compared_ + static_cast<unsigned>(i * warp_lanes);
    }

    // How many of the warp's keys come before this lane's key.
    __device__ std::uint32_t count_before(Word mine) const {
        std::uint32_t count = 0;
#pragma unroll 1
        for (int i = 0; i < rows_; ++i) {
            const Word(&row)[warp_lanes] = shared_.word[warp()][i];
            if (first_of_row(i) < first_) {
                count += count_in(row, [mine](Word other, int) { return other <= mine; });
            } else if (first_of_row(i) > first_) {
                count += count_in(row, [mine](Word other, int) { return other < mine; });
            } else {
                count += count_in(row, [mine, me = lane()](Word other, int at) {
                    return other < mine || (other == mine && at < me);
                });
            }
        }
        return count;
    }
    template <class ComesBefore>
    __device__ static std::uint32_t count_in(const Word (&row)[warp_lanes],
                                             const ComesBefore& comes_before) {
        using vector = vector16<Word>;
        std::uint32_t count = 0;
#pragma unroll
        for (int i = 0; i < warp_lanes; i += vector::items) {
            const vector some = load_vector16<Word>(row + i);
#pragma unroll
            for (int k = 0; k < vector::items; ++k) {
                count += comes_before(some.item[k], i + k) ? 1 : 0;
            }
        }
        return count;
    }

    __device__ void store(std::uint32_t mine, Word word) const {
        const std::uint32_t to = shared_.place[lane()];
        if constexpr (Problem::has_values) {
            const std::uint32_t left = items_ - first_;
            move_values(problem_.values, problem_.values_out,
                        static_cast<int>(left < warp_lanes ? left : warp_lanes),
                        mine < items_ ? mine : 0, to);
        }
        if (mine < items_) store_key(problem_.keys_out, to, problem_.code.bits(word));
    }

    const Problem& problem_;
    enumeration_memory<Word>& shared_;
    Word bits_;
    std::uint32_t items_;
    std::uint32_t first_;     ///< of this block's keys
    std::uint32_t compared_;  ///< the first key that this warp compares with
    int rows_;
};

/// Finds the places of 32 keys in each block. Each of its warps compares with `rows` rows of keys.
template <class Problem>
__global__ __launch_bounds__(enumerating_warps* warp_lanes) void enumeration_sort_kernel(
    const __grid_constant__ Problem problem, int rows) {
    using memory = enumeration_memory<typename Problem::word_type>;
    wait_for_previous_kernel();
    const auto items = static_cast<std::uint32_t>(problem.count.get());
    if (block_in_grid() * warp_lanes >= items) return;
    enumerating_block<Problem>(problem, shared_memory<memory>(), items, rows).run();
}

}  // namespace lookback::detail::device
