/// \file
/// Arrays that are too large for one block to be quick: the blocks of one cluster sort them in one
/// launch, digit by digit, in the shared memory of all of them.
///
/// Each block holds as many keys, in the order of the blocks. For each digit it counts its keys
/// (sort_ranks.hpp) and writes how many have each value into the shared memory of every block.
/// While that is on its way it puts its own keys in order. Then each block knows where its keys
/// with each value go, and sends them there: into the shared memory of the block that has the
/// place, in runs, as keys with one value lie side by side; with the last digit, into the output.
///
/// What others write to is read before a barrier of the cluster, and written behind the next: the
/// counts of a digit are read before the keys arrive, keys before the next digit's counts arrive.
///
/// Cost: each key is read and written once; each value is fetched from where it is when it is known
/// where it goes. Two barriers of the cluster a digit. Shared memory: twice the keys, and 4 bytes
/// for each that has a value; 1 KiB a warp, 1 KiB a block.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/sort_values.hpp"

namespace lookback::detail::device {

template <class Problem, sort_shape shape>
struct sort_cluster_memory {
    using Word = typename Problem::word_type;
    static constexpr int sources = Problem::has_values ? shape.items() : 1;

    rank_memory<shape.warps> ranks;
    std::uint32_t offset[digit_values];
    std::uint32_t count[shape.blocks][digit_values];  ///< of each block: written by it
    alignas(16) Word word[shape.items()];             ///< in the order of this digit
    alignas(16) Word sent[shape.items()];             ///< by all blocks
    alignas(16) std::uint32_t source[sources];        ///< where the values are
    alignas(16) std::uint32_t sent_source[sources];
};

template <class Problem, sort_shape shape>
class sort_cluster_block {
    using Word = typename Problem::word_type;
    using memory = sort_cluster_memory<Problem, shape>;
    // That `owner` is exact.
    static_assert(std::uint64_t(shape.blocks) * shape.items() * shape.items() <= std::uint64_t{1}
                                                                                     << 32);

 public:
    /// Keys are dealt out in as few rows as hold `items`, one at least.
    __device__ sort_cluster_block(const Problem& problem, memory& shared, std::uint32_t items)
        : problem_(problem),
          shared_(shared),
          items_(items),
          blocks_(blocks_in_cluster()),
          mine_(block_in_cluster()),
          rows_(static_cast<int>((items - 1) / (blocks_ * shape.threads())) + 1),
          per_block_(static_cast<unsigned>(rows_ * shape.threads())),
          inverse_(~0U / per_block_ + 1) {}

    /// Behind this thread's first arrival at the barrier of the cluster.
    __device__ void run() {
        load();
        wait_for_cluster();  // all blocks have begun
        const int last = problem_.digits.digits() - 1;
        for (int d = 0; d < last; ++d) {
            const digit_place place(problem_.digits, d);
            const bool stay = sort(place);
            if (!stay) send(place);
            arrive_in_cluster();
            wait_for_cluster();  // the counts are read, the keys are there
            if (!stay) receive();
        }
        // Without any digit there is one that is 0 in all keys.
        const digit_place place(problem_.digits, last < 0 ? 0 : last);
        sort(place);
        store(place);
    }

 private:
    // Places in this block: a warp's rows lie side by side where ranks are found; otherwise the
    // block has a row.
    __device__ int in_warp(int i) const { return (warp() * rows_ + i) * warp_lanes + lane(); }
    __device__ static int in_block(int i) { return i * shape.threads() + thread_in_block(); }

    // Behind the last key there are some that go behind all others.
    __device__ void load() {
        const std::uint32_t first = mine_ * per_block_;
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const std::uint32_t at = first + static_cast<unsigned>(in_warp(i));
            word_[i] = static_cast<Word>(~Word{0});
            if (i < rows_ && at < items_) word_[i] = problem_.word(at);
            if constexpr (Problem::has_values) source_[i] = at;
        }
        if constexpr (Problem::fetches_values) {
            // Outputs may lie over inputs.
            if (!problem_.layout.apart) {
                for (int i = 0; i < rows_; ++i) {
                    const std::uint32_t at = first + static_cast<unsigned>(in_block(i));
                    move_values(problem_.values, problem_.value_room[0], keys_in_row(at), at, at);
                }
            }
        }
    }

    // Those for which this holds are the first in their row.
    __device__ int keys_in_row(std::uint32_t at) const {
        return static_cast<int>(count_bits(ballot(at < items_)));
    }

    // Puts the block's keys in order, and finds where they go; says whether all are there already:
    // the digit is the same in all keys.
    __device__ bool sort(const digit_place& place) {
        tile_ranks<shape> ranks(shared_.ranks, place);
        ranks.count(word_, rows_);
        const std::uint32_t start = ranks.start([&](std::uint32_t count) {
            std::uint32_t* const to = &shared_.count[mine_][thread_in_block()];
            for (unsigned b = 0; b < blocks_; ++b) *in_block_of_cluster(to, b) = count;
        });
        arrive_in_cluster();
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= rows_) break;
            const std::uint32_t to = ranks.next(word_[i]);
            shared_.word[to] = word_[i];
            if constexpr (Problem::has_values) shared_.source[to] = source_[i];
        }
        wait_for_cluster();  // the counts are there
        return find_offsets(place, start);
    }

    // `start`: where the block's keys with this thread's value begin.
    __device__ bool find_offsets(const digit_place& place, std::uint32_t start) {
        const int value = thread_in_block();
        std::uint32_t total = 0, before = 0, up_to = 0;
        bool same_in_all = false;
        if (value < digit_values) {
            for (unsigned b = 0; b < blocks_; ++b) {
                if (b == mine_) before = total;
                total += shared_.count[b][value];
            }
            up_to = scan_lanes(total, warp_lanes,
                               [](std::uint32_t a, std::uint32_t b) { return a + b; });
            if (lane() == warp_lanes - 1) shared_.ranks.totals[warp()] = up_to;
            // Those behind the last key have the highest digit.
            const std::uint32_t behind = blocks_ * per_block_ - items_;
            same_in_all = total - (value == static_cast<int>(place.mask) ? behind : 0) == items_;
        }
        same_in_all = sync_block_or(same_in_all);
        if (value < digit_values) {
            std::uint32_t first = up_to - total;
            for (int w = 0; w < warp(); ++w) first += shared_.ranks.totals[w];
            shared_.offset[value] = first + before - start;
        }
        sync_block();  // the offsets are there
        return same_in_all;
    }

    __device__ std::uint32_t target(const digit_place& place, Word word, int at) const {
        return shared_.offset[place.of(word)] + static_cast<unsigned>(at);
    }

    __device__ void send(const digit_place& place) const {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= rows_) break;
            const Word word = shared_.word[in_block(i)];
            const std::uint32_t to = target(place, word, in_block(i));
            const auto owner = static_cast<unsigned>(std::uint64_t{to} * inverse_ >> 32);
            const std::uint32_t at = to - owner * per_block_;
            *in_block_of_cluster(shared_.sent + at, owner) = word;
            if constexpr (Problem::has_values) {
                *in_block_of_cluster(shared_.sent_source + at, owner) = shared_.source[in_block(i)];
            }
        }
    }
    __device__ void receive() {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= rows_) break;
            word_[i] = shared_.sent[in_warp(i)];
            if constexpr (Problem::has_values) source_[i] = shared_.sent_source[in_warp(i)];
        }
    }

    // Outputs may be the inputs: all keys are read, and values are, before anything is written.
    __device__ void store(const digit_place& place) const {
        if constexpr (Problem::holds_values) {
            typename Problem::value_type value[shape.rows];
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                if (i >= rows_) break;
                const std::uint32_t from = shared_.source[in_block(i)];
                if (from < items_) value[i] = problem_.values[from];
            }
            if (!problem_.layout.apart) {
                arrive_in_cluster();
                wait_for_cluster();
            }
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                if (i >= rows_) break;
                const std::uint32_t to = target(place, shared_.word[in_block(i)], in_block(i));
                if (to < items_) store_value(problem_.values_out, to, value[i]);
            }
        } else if constexpr (Problem::fetches_values) {
            if (problem_.layout.apart) {
                move(place, problem_.values);
            } else {
                move(place,
                     static_cast<const typename Problem::value_type*>(problem_.value_room[0]));
            }
        }
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= rows_) break;
            const Word word = shared_.word[in_block(i)];
            const std::uint32_t to = target(place, word, in_block(i));
            if (to < items_) store_key(problem_.keys_out, to, problem_.code.bits(word));
        }
    }
    template <class From>
    __device__ void move(const digit_place& place, const From& from) const {
        for (int i = 0; i < rows_; ++i) {
            const std::uint32_t to = target(place, shared_.word[in_block(i)], in_block(i));
            move_values(from, problem_.values_out, keys_in_row(to), shared_.source[in_block(i)],
                        to);
        }
    }

    const Problem& problem_;
    memory& shared_;
    std::uint32_t items_;
    unsigned blocks_, mine_;
    int rows_;
    std::uint32_t per_block_, inverse_;
    Word word_[shape.rows];
    std::uint32_t source_[Problem::has_values ? shape.rows : 1];
};

/// One cluster, of `blocks` blocks at most.
template <class Problem, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes) void sort_cluster_kernel(
    const __grid_constant__ Problem problem) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    constexpr sort_shape shape = {warps, rows, blocks};
    using memory = sort_cluster_memory<Problem, shape>;
    arrive_in_cluster();
    wait_for_previous_kernel();
    const auto items = static_cast<std::uint32_t>(problem.count.get());
    if (items == 0) return;
    sort_cluster_block<Problem, shape>(problem, *reinterpret_cast<memory*>(dynamic_shared_memory()),
                                       items)
        .run();
#endif
}

}  // namespace lookback::detail::device
