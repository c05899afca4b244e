/// \file
/// Arrays that one block cannot sort quickly: the blocks of one cluster sort them in one launch,
/// digit by digit, in the shared memory of all of them.
///
/// The blocks hold equal shares of the keys: block b holds the b-th share. For each digit, a block
/// counts its keys (sort_ranks.hpp) and sends to every block how many of them have each value.
/// While the counts are on their way, the block puts its own keys in order. Then each block knows
/// where its keys with each value go. It sends each key to the block that has this place. Keys with
/// one value lie side by side, so they go in runs. For the last digit, the keys go to the output
/// instead.
///
/// Only the first barrier holds all blocks: after it, all of them have begun. From then on each
/// block waits at barriers of its own, which count the bytes that it is sent. (A barrier of the
/// cluster would wait until all writes have arrived, in any memory.) sort_cluster_memory.hpp says
/// why no block overwrites what another has still to read.
///
/// Cost: each key is read and written once. Each value is fetched from the input once its place is
/// known. Shared memory: the keys twice, the second time in words of 4 bytes at least; 8 bytes for
/// each key that has a value; 1 KiB a warp; 17 KiB a block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/sort_buckets.hpp"
#include "lookback/detail/device/sort_cluster_memory.hpp"
#include "lookback/detail/device/sort_padding.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/sort_values.hpp"

namespace lookback::detail::device {

template <class Problem, sort_shape shape>
class sort_cluster_block {
    using Word = typename Problem::word_type;
    using memory = sort_cluster_memory<Problem, shape>;
    // Counts have 16 bits. And the multiplication by which `send` finds the owner of a place is
    // exact.
    static_assert(double{1} * shape.blocks * shape.items() * shape.items() <= 65536.0 * 65536.0);

 public:
    /// Deals out the keys in as few rows as hold `items`, at least one.
    __device__ sort_cluster_block(const Problem& problem, memory& shared, std::uint32_t items)
        : problem_(problem),
          shared_(shared),
          items_(items),
          blocks_(blocks_in_cluster()),
          mine_(block_in_cluster()),
          rows_(static_cast<int>((items - 1) / (blocks_ * shape.threads())) + 1),
          per_block_(static_cast<unsigned>(rows_ * shape.threads())),
          inverse_(~0U / per_block_ + 1) {}

    /// To be called after this thread has arrived at the barrier of the cluster.
    __device__ void run() {
        load();
        wait_for_cluster();  // all blocks have begun
        if constexpr (Problem::fetches_values) {
            if (!problem_.layout.apart) {
                copy_values();
                arrive_in_cluster();
                wait_for_cluster();  // sent bytes do not order writes to other memory
            }
        }
        std::uint32_t receipts = 0;
        // Without any digit to sort by, there is one pass, by a digit that is 0 in all keys.
        for (int d = 0;; ++d) {
            const digit_place place(problem_.digits, d);
            const bool stay = sort(place, d);
            if (d + 1 >= problem_.digits.digits()) return store(place);
            if (!stay) {
                send(place);
                receive(receipts++);
            }
        }
    }

 private:
    // The place in the block of this thread's item in row `i`. Where ranks are found, the rows of a
    // warp lie side by side (in_warp); otherwise a row spans the block (in_block).
    __device__ int in_warp(int i) const { return (warp() * rows_ + i) * warp_lanes + lane(); }
    __device__ static int in_block(int i) { return i * shape.threads() + thread_in_block(); }

    // Threads that have no key in a row hold a word that comes after all keys.
    __device__ void load() {
        const std::uint32_t first = mine_ * per_block_;
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const std::uint32_t at = first + static_cast<unsigned>(in_warp(i));
            word_[i] = static_cast<Word>(~Word{0});
            if (i < rows_ && at < items_) word_[i] = problem_.word(at);
            if constexpr (Problem::has_values) source_[i] = at;
        }
    }

    // Copies the values to scratch memory, where outputs may lie over inputs.
    __device__ void copy_values() const {
        each_row([&](int i) {
            const std::uint32_t at = mine_ * per_block_ + static_cast<unsigned>(in_block(i));
            move_values(problem_.values, problem_.value_room[0], keys_in_row(at), at, at);
        });
    }

    // How many lanes of this row have a key. The keys come first in their row.
    __device__ int keys_in_row(std::uint32_t at) const {
        return static_cast<int>(count_bits(ballot(at < items_)));
    }

    // Puts the block's keys in order, and finds where they go. Returns whether all of them are
    // there already, because the digit is the same in all keys.
    __device__ bool sort(const digit_place& place, int d) {
        auto& counts = shared_.count[d % 2];
        phase_barrier& there = shared_.counts_are_there[d % 2];
        tile_ranks<shape> ranks(shared_.ranks, place);
        ranks.count(word_, rows_);
        const std::uint32_t start = ranks.start([&](std::uint32_t count) {
            counts[mine_][thread_in_block()] = static_cast<std::uint16_t>(count);
        });
        tell(counts[mine_], there);
        each_row([&](int i) {
            const unsigned to = padded(ranks.next(word_[i]));
            shared_.word[to] = word_[i];
            if constexpr (Problem::has_values) shared_.source[to] = source_[i];
        });
        there.wait_for_others(static_cast<unsigned>(d / 2));
        return find_offsets(place, counts, start);
    }

    // Each warp sends the counts to one block at a time.
    __device__ void tell(std::uint16_t (&counts)[digit_values], phase_barrier& there) const {
        using eight = vector16<std::uint16_t>;
        static_assert(digit_values == warp_lanes * eight::items);
        std::uint16_t* const mine = counts + lane() * eight::items;
        const eight some = load_vector16<std::uint16_t>(mine);
        for (unsigned b = static_cast<unsigned>(warp()); b < blocks_; b += shape.warps) {
            if (b != mine_) send_to_block(reinterpret_cast<eight*>(mine), b, some, there);
        }
        if (thread_in_block() == 0) announce(there, (blocks_ - 1) * sizeof(counts));
    }
    __device__ static void announce(phase_barrier& there, std::size_t bytes) {
        there.expect(static_cast<std::uint32_t>(bytes));
        there.arrive();
    }

    // `start`: where the block's keys with this thread's value begin in the block. Returns whether
    // all keys have the same value.
    __device__ bool find_offsets(const digit_place& place,
                                 const std::uint16_t (&counts)[shape.blocks][digit_values],
                                 std::uint32_t start) {
        const int value = thread_in_block();
        std::uint32_t total = 0, before = 0, up_to = 0;
        bool same_in_all = false;
        if (value < digit_values) {
            // All counts are loaded at once, and no load waits for a condition.
            std::uint32_t count[shape.blocks];
#pragma unroll
            for (int b = 0; b < shape.blocks; ++b) count[b] = counts[b][value];
#pragma unroll
            for (unsigned b = 0; b < shape.blocks; ++b) {
                before += b < mine_ ? count[b] : 0;
                total += b < blocks_ ? count[b] : 0;
            }
            up_to = scan_lanes(total, warp_lanes,
                               [](std::uint32_t a, std::uint32_t b) { return a + b; });
            if (lane() == warp_lanes - 1) shared_.ranks.totals.of_warp[warp()] = up_to;
            // The words behind the last key have the highest digit.
            const std::uint32_t behind = blocks_ * per_block_ - items_;
            same_in_all = total - (value == static_cast<int>(place.mask) ? behind : 0) == items_;
        }
        same_in_all = sync_block_or(same_in_all);
        if (value < digit_values) {
            shared_.offset[value] =
                up_to - total + before_warp(shared_.ranks.totals) + before - start;
        }
        sync_block();  // the offsets are there, and the keys are in order
        return same_in_all;
    }

    __device__ void send(const digit_place& place) {
        std::uint32_t to[shape.rows];
        take_in_order(place, to);
        each_row([&](int i) {
            const auto owner = static_cast<unsigned>(std::uint64_t{to[i]} * inverse_ >> 32);
            const std::uint32_t at = to[i] - owner * per_block_;
            send_to_block(shared_.sent + at, owner,
                          static_cast<typename memory::sent_word>(word_[i]),
                          shared_.keys_are_there);
            if constexpr (Problem::has_values) {
                send_to_block(shared_.sent_source + at, owner, source_[i], shared_.keys_are_there);
            }
        });
    }
    __device__ void receive(std::uint32_t receipt) {
        if (thread_in_block() == 0) {
            constexpr auto each = sizeof(shared_.sent[0]) + (Problem::has_values ? 4 : 0);
            announce(shared_.keys_are_there, per_block_ * each);
        }
        shared_.keys_are_there.wait_for_others(receipt);
        each_row([&](int i) {
            word_[i] = static_cast<Word>(shared_.sent[in_warp(i)]);
            if constexpr (Problem::has_values) source_[i] = shared_.sent_source[in_warp(i)];
        });
    }
    // Loads the keys in their order, and finds where they go. All are loaded before any is written:
    // the compiler cannot know that the loads and the writes do not overlap.
    __device__ void take_in_order(const digit_place& place, std::uint32_t (&to)[shape.rows]) {
        each_row([&](int i) {
            const unsigned at = padded_in_row(thread_in_block(), i, shape.threads());
            word_[i] = shared_.word[at];
            if constexpr (Problem::has_values) source_[i] = shared_.source[at];
            to[i] = shared_.offset[place.of(word_[i])] + static_cast<unsigned>(in_block(i));
        });
    }
    // Outputs may be the inputs, so all keys and all values are read before anything is written.
    __device__ void store(const digit_place& place) {
        std::uint32_t to[shape.rows];
        take_in_order(place, to);
        if constexpr (Problem::holds_values) {
            typename Problem::value_type value[shape.rows];
            each_row([&](int i) {
                if (to[i] < items_) value[i] = problem_.values[source_[i]];
            });
            if (!problem_.layout.apart) {
                arrive_in_cluster();
                wait_for_cluster();
            }
            each_row([&](int i) {
                if (to[i] < items_) store_value(problem_.values_out, to[i], value[i]);
            });
        } else if constexpr (Problem::fetches_values) {
            const auto fetch = [&](const auto& from) {
                each_row([&](int i) {
                    move_values(from, problem_.values_out, keys_in_row(to[i]), source_[i], to[i]);
                });
            };
            if (problem_.layout.apart) {
                fetch(problem_.values);
            } else {
                fetch(static_cast<const typename Problem::value_type*>(problem_.value_room[0]));
            }
        }
        each_row([&](int i) {
            if (to[i] < items_) store_key(problem_.keys_out, to[i], problem_.code.bits(word_[i]));
        });
    }
    template <class F>
    __device__ void each_row(const F& f) const {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= rows_) break;
            f(i);
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

/// Sorts in one cluster, of `blocks` blocks at most. `sums`: the sums of sort_buckets.hpp if its
/// kernels ran before this one, and so may have sorted the keys already; otherwise null. Clears
/// what they hold about buckets.
template <class Problem, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes) void sort_cluster_kernel(
    const __grid_constant__ Problem problem, sort_sums* sums) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    constexpr sort_shape shape = {warps, rows, blocks};
    auto& shared = *reinterpret_cast<sort_cluster_memory<Problem, shape>*>(dynamic_shared_memory());
    if (thread_in_block() == 0) {
        for (phase_barrier& barrier : shared.counts_are_there) barrier.init(1);
        shared.keys_are_there.init(1);
        publish_barriers();
    }
    arrive_in_cluster();
    wait_for_previous_kernel();
    if (sums != nullptr && block_in_cluster() == 0) clear_dealing<shape.threads()>(sums);
    const auto items = static_cast<std::uint32_t>(problem.count.get());
    if (items == 0 || (sums != nullptr && problem.state->in_buckets)) return;
    sort_cluster_block<Problem, shape>(problem, shared, items).run();
#endif
}

}  // namespace lookback::detail::device
