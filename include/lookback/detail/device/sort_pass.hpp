/// \file
/// One pass of a sort: by one digit, from one array to another, each key read and written once.
///
/// A block claims a tile, ranks its keys by the digit (sort_ranks.hpp), tells the tiles after it
/// how many keys have each value, puts the keys in order in shared memory, looks back for how many
/// the tiles before have (sort_look_back.hpp), and writes: keys with one value lie side by side in
/// shared memory and in the output.
///
/// Bytes, of n keys: n read, n written; and of each tile 2 KiB of status words, written twice and
/// read a few times, from L2. Shared memory: a tile of keys and what is held of values, 512 bytes a
/// warp, 2 KiB.
///
/// Source: Adinets & Merrill 2022, "Onesweep: A Faster Least Significant Digit Radix Sort for
/// GPUs".
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_look_back.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/sort_values.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// What one launch of a pass sorts: the tiles from item `first` on. Of a large array, the next one
/// goes on from the starts that this one leaves.
struct sort_portion {
    std::uint64_t first;
    std::uint32_t most_tiles;
    int turn;  ///< of the two tables of starts, the one that this launch reads
};

/// What a block keeps in shared memory.
template <class Problem, sort_shape shape>
struct sort_pass_memory {
    using Word = typename Problem::word_type;
    /// What stands for a value: itself, or the number of its key in the tile.
    using held =
        std::conditional_t<Problem::holds_values, typename Problem::value_type, std::uint16_t>;

    rank_memory<shape.warps> ranks;
    alignas(16) std::uint64_t offset[digit_values];
    claim next;
    alignas(16) Word word[shape.items()];
    alignas(16) held value[Problem::has_values ? shape.items() : 1];
};

/// A block's work on one tile after the other.
template <class Problem, sort_shape shape, digit_match match>
class sort_pass_block {
    using Word = typename Problem::word_type;
    using memory = sort_pass_memory<Problem, shape>;

 public:
    __device__ sort_pass_block(const Problem& problem, const planned_pass& plan,
                               const digit_place& place, memory& shared)
        : problem_(problem), plan_(plan), place_(place), shared_(shared) {}

    /// Sorts the tile of `items` items from item `first` on. `starts`: where keys with this
    /// thread's value begin; it is called with how many keys have it, up to this tile and in it.
    /// `claim_next` is called by one thread on the way.
    template <class ClaimNext, class CountsUpTo>
    __device__ void sort_tile(const tile_statuses<std::uint32_t>& statuses, claim mine,
                              std::uint64_t first, int items, std::uint64_t start,
                              const ClaimNext& claim_next, const CountsUpTo& counts_up_to) {
        Word word[shape.rows];
        const int rows = load(word, first, items);
        tile_ranks<shape, match> ranks(shared_.ranks);
        ranks.count(word, rows, place_);
        const digit_look_back look_back(statuses, mine, thread_in_block());
        std::uint32_t count = 0;
        const std::uint32_t start_in_tile = ranks.place([&](std::uint32_t total) {
            count = total;
            look_back.publish(total);
        });
        put_in_order(word, ranks, rows, first, items);
        if (thread_in_block() < digit_values) {
            const std::uint32_t before = look_back.before();
            look_back.publish_up_to(before, count);
            shared_.offset[thread_in_block()] = start + before - start_in_tile;
            counts_up_to(before + count);
        }
        claim_next();
        sync_block();
        write(items);
        // What is written to shared memory next but the warp's own counters is behind barriers.
    }

    /// Copies the tile.
    __device__ void copy_tile(std::uint64_t first, int items) const {
        problem_.with_keys(plan_.from, [&](const auto& from, bool are_keys) {
            problem_.with_keys_out(plan_.to, [&](const auto& to, bool as_keys) {
                Word word[shape.rows];
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    const int at = i * shape.threads() + thread_in_block();
                    if (at < items) word[i] = word_of(from[first + at], are_keys);
                }
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    const int at = i * shape.threads() + thread_in_block();
                    if (at < items) store_key(to, first + at, bits_of(word[i], as_keys));
                }
            });
        });
        with_value_arrays([&](const auto& from, const auto& to) {
            for (int at = warp() * warp_lanes; at < items; at += shape.threads()) {
                const std::uint64_t item = first + at + lane();
                const int left = items - at;
                move_values(from, to, left < warp_lanes ? left : warp_lanes, item, item);
            }
        });
    }

 private:
    __device__ Word word_of(Word bits, bool is_key) const {
        return is_key ? problem_.code.word(bits) : bits;
    }
    __device__ Word bits_of(Word word, bool as_key) const {
        return as_key ? problem_.code.bits(word) : word;
    }

    template <class F>
    __device__ void with_value_arrays(const F& f) const {
        if constexpr (Problem::has_values) {
            problem_.with_values(plan_.from, [&](const auto& from) {
                problem_.with_values_out(plan_.to, [&](const auto& to) { f(from, to); });
            });
        }
    }

    __device__ static int place_of_row(int i) {
        return (warp() * shape.rows + i) * warp_lanes + lane();
    }

    // Of this warp's rows that have any keys, which are counted; lanes behind the last key hold one
    // that goes behind all others.
    __device__ int load(Word (&word)[shape.rows], std::uint64_t first, int items) const {
        problem_.with_keys(plan_.from, [&](const auto& from, bool are_keys) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                const int at = place_of_row(i);
                word[i] = static_cast<Word>(~Word{0});
                if (at < items) word[i] = word_of(from[first + at], are_keys);
            }
        });
        const int rows = (items - warp() * shape.rows * warp_lanes + warp_lanes - 1) / warp_lanes;
        return rows < 0 ? 0 : rows < shape.rows ? rows : shape.rows;
    }

    template <class Ranks>
    __device__ void put_in_order(const Word (&word)[shape.rows], const Ranks& ranks, int rows,
                                 std::uint64_t first, int items) {
        const auto put = [&](const auto& value_of) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                if (i >= rows) break;
                const std::uint32_t to = ranks(i, word[i], place_);
                shared_.word[to] = word[i];
                if constexpr (Problem::has_values) {
                    if (place_of_row(i) < items) shared_.value[to] = value_of(i);
                }
            }
        };
        if constexpr (Problem::holds_values) {
            problem_.with_values(plan_.from, [&](const auto& from) {
                typename memory::held value[shape.rows] = {};
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    const int at = place_of_row(i);
                    if (at < items) value[i] = from[first + at];
                }
                put([&](int i) { return value[i]; });
            });
        } else {
            put([&](int i) { return static_cast<std::uint16_t>(place_of_row(i)); });
        }
        first_ = first;
    }

    __device__ void write(int items) const {
        problem_.with_keys_out(plan_.to, [&](const auto& to, bool as_keys) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                const int at = i * shape.threads() + thread_in_block();
                if (at < items) {
                    const Word word = shared_.word[at];
                    store_key(to, target(word, at), bits_of(word, as_keys));
                }
            }
        });
        if constexpr (Problem::holds_values) {
            problem_.with_values_out(plan_.to, [&](const auto& to) {
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    const int at = i * shape.threads() + thread_in_block();
                    if (at < items)
                        store_value(to, target(shared_.word[at], at), shared_.value[at]);
                }
            });
        } else {
            with_value_arrays([&](const auto& from, const auto& to) {
                for (int at = warp() * warp_lanes; at < items; at += shape.threads()) {
                    const int left = items - at;
                    const bool mine = lane() < left;
                    const int read = mine ? shared_.value[at + lane()] : 0;
                    const std::uint64_t written =
                        mine ? target(shared_.word[at + lane()], at + lane()) : 0;
                    move_values(from, to, left < warp_lanes ? left : warp_lanes, first_ + read,
                                written);
                }
            });
        }
    }
    __device__ std::uint64_t target(Word word, int at) const {
        return shared_.offset[place_.of(word)] + static_cast<unsigned>(at);
    }

    const Problem& problem_;
    planned_pass plan_;
    digit_place place_;
    memory& shared_;
    std::uint64_t first_ = 0;
};

/// A pass over digit `digit`, of a portion.
template <class Problem, int warps, int rows, int blocks, digit_match match>
__global__ __launch_bounds__(warps* warp_lanes,
                             blocks) void sort_pass_kernel(const __grid_constant__ Problem problem,
                                                           workspace_view<std::uint32_t> workspace,
                                                           int digit, sort_portion portion) {
    constexpr sort_shape shape = {warps, rows, blocks};
    constexpr unsigned tile_items = shape.items();
    using memory = sort_pass_memory<Problem, shape>;
    const int thread = thread_in_block();
    auto& shared = *reinterpret_cast<memory*>(dynamic_shared_memory());

    wait_for_previous_kernel();
    const planned_pass plan = problem.state->pass[digit];
    const std::uint64_t all_items = problem.count.get();
    // All blocks find the same, so that either all claim or none does.
    if (plan.step == sort_step::nothing || all_items <= portion.first) return;
    const std::uint64_t left = all_items - portion.first;
    const std::uint64_t most_items = std::uint64_t{portion.most_tiles} * tile_items;
    const auto tiles = static_cast<std::uint32_t>(
        left < most_items ? (left + tile_items - 1) / tile_items : portion.most_tiles);
    const auto items_of = [&](std::uint32_t tile) {
        const std::uint64_t from_tile = left - std::uint64_t{tile} * tile_items;
        return static_cast<int>(from_tile < tile_items ? from_tile : tile_items);
    };
    sort_pass_block<Problem, shape, match> block(problem, plan, {problem.digits, digit}, shared);
    if (plan.step == sort_step::copy) {
        for (std::uint64_t t = block_in_grid(); t < tiles; t += blocks_in_grid()) {
            block.copy_tile(portion.first + t * tile_items,
                            items_of(static_cast<std::uint32_t>(t)));
        }
        return;
    }

    if (thread == 0) {
        workspace.enter();
        shared.next = claim_next(workspace.counter);
    }
    const auto& starts = problem.state->starts[digit];
    const std::uint64_t start = thread < digit_values ? starts[portion.turn][thread] : 0;
    sync_block();
    claim mine = shared.next;
    while (mine.ticket < tiles) {
        block.sort_tile(
            workspace.statuses(), mine, portion.first + std::uint64_t{mine.ticket} * tile_items,
            items_of(mine.ticket), start,
            [&] {
                if (thread == 0) shared.next = claim_next(workspace.counter);
            },
            [&](std::uint32_t count) {
                // The other table of starts was read by the launch before, which has ended.
                if (mine.ticket + 1 == tiles && left > most_items) {
                    problem.state->starts[digit][1 - portion.turn][thread] = start + count;
                }
            });
        mine = shared.next;
    }
    if (thread == 0) workspace.end_claims(mine, tiles);
    sync_block();  // no thread of the block looks back any more
    if (warp() == 0) workspace.finish(mine.epoch);
    if (thread == 0) workspace.leave();
}

}  // namespace lookback::detail::device
