/// \file
/// Small arrays: one block sorts them in one launch, digit by digit, in shared memory. So it does
/// with a part of a larger one (sort_buckets.hpp).
///
/// Cost: each key is read and written once, each value too. Shared memory: the keys, 2 bytes for
/// each that has a value, 1 KiB a warp.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/sort_values.hpp"

namespace lookback::detail::device {

template <class Problem, sort_shape shape>
struct sort_small_memory {
    rank_memory<shape.warps> ranks;
    alignas(16) typename Problem::word_type word[shape.items()];
    alignas(16) std::uint16_t source[Problem::has_values ? shape.items() : 1];
};

template <class Problem, sort_shape shape>
class sort_small_block {
    using Word = typename Problem::word_type;
    using memory = sort_small_memory<Problem, shape>;

 public:
    /// The `items` items of the array `from` that begin with item `first`, to the same place of the
    /// output. Keys are dealt out in as few rows as hold them, at most those that there are.
    __device__ sort_small_block(const Problem& problem, memory& shared, sort_array from,
                                std::uint64_t first, int items)
        : problem_(problem),
          shared_(shared),
          from_(from),
          first_(first),
          items_(items),
          rows_((items + shape.threads() - 1) / shape.threads()) {}

    /// By the lowest `digits` digits.
    __device__ void run(int digits) {
        load();
        for (int d = 0; d < digits; ++d) sort({problem_.digits, d});
        store();
    }

 private:
    __device__ int place_of_row(int i) const { return (warp() * rows_ + i) * warp_lanes + lane(); }
    __device__ std::uint64_t item(int at) const { return first_ + static_cast<unsigned>(at); }

    // Behind the last key there are some that go behind all others.
    __device__ void load() {
        problem_.with_keys(from_, [&](const auto& from, bool are_keys) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                const int at = place_of_row(i);
                word_[i] = static_cast<Word>(~Word{0});
                if (i < rows_ && at < items_) {
                    word_[i] = problem_.word_from(from, item(at), are_keys);
                }
                source_[i] = static_cast<std::uint16_t>(at);
            }
        });
    }

    __device__ void sort(const digit_place& place) {
        tile_ranks<shape> ranks(shared_.ranks, place);
        ranks.count(word_, rows_);
        const auto all = static_cast<std::uint32_t>(rows_ * shape.threads());
        bool same_in_all = false;
        ranks.start([&](std::uint32_t count) {
            // Those behind the last key have the highest digit.
            const bool highest = thread_in_block() == static_cast<int>(place.mask);
            same_in_all = count + (highest ? 0 : all - static_cast<unsigned>(items_)) == all;
        });
        if (sync_block_or(same_in_all)) return;
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= rows_) break;
            const std::uint32_t to = ranks.next(word_[i]);
            shared_.word[to] = word_[i];
            if constexpr (Problem::has_values) {
                shared_.source[to] = source_[i];
            }
        }
        sync_block();
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= rows_) break;
            word_[i] = shared_.word[place_of_row(i)];
            if constexpr (Problem::has_values) source_[i] = shared_.source[place_of_row(i)];
        }
        // These are overwritten behind barriers only.
    }

    // Outputs may be the inputs: all is read before anything is written. (Of keys, a thread writes
    // where it has read itself, unless there were digits to sort by, and barriers with them.)
    __device__ void store() {
        if constexpr (Problem::holds_values) {
            typename Problem::value_type value[shape.rows] = {};
            problem_.with_values(from_, [&](const auto& from) {
#pragma unroll
                for (int i = 0; i < shape.rows; ++i) {
                    if (i < rows_ && place_of_row(i) < items_) value[i] = from[item(source_[i])];
                }
            });
            sync_block();
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                const int at = place_of_row(i);
                if (i < rows_ && at < items_) store_value(problem_.values_out, item(at), value[i]);
            }
        } else if constexpr (Problem::fetches_values) {
            const bool are_input = from_ == sort_array::input;
            if (are_input && !problem_.layout.apart) {
                move([&](auto move_row) { move_row(problem_.values, problem_.value_room[0]); },
                     [](int at, int) { return at; });
            }
            sync_block();
            move(
                [&](auto move_row) {
                    if (are_input && problem_.layout.apart) {
                        move_row(problem_.values, problem_.values_out);
                    } else {
                        const typename Problem::value_type* const room = problem_.value_room[0];
                        move_row(room, problem_.values_out);
                    }
                },
                [this](int, int i) { return static_cast<int>(source_[i]); });
        }
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const int at = place_of_row(i);
            if (i < rows_ && at < items_) {
                store_key(problem_.keys_out, item(at), problem_.code.bits(word_[i]));
            }
        }
    }

    // Moves values row by row, between the arrays that `with_arrays` names: to each place the one
    // at source(place, row).
    template <class WithArrays, class Source>
    __device__ void move(const WithArrays& with_arrays, const Source& source) const {
        with_arrays([&](const auto& from, const auto& to) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                const int left = items_ - (place_of_row(i) - lane());
                if (i >= rows_ || left <= 0) break;
                const int at = place_of_row(i);
                move_values(from, to, left < warp_lanes ? left : warp_lanes, item(source(at, i)),
                            item(at));
            }
        });
    }

    const Problem& problem_;
    memory& shared_;
    sort_array from_;
    std::uint64_t first_;
    int items_;
    int rows_;
    Word word_[shape.rows];
    std::uint16_t source_[shape.rows];
};

template <class Problem, int warps, int rows>
__global__ __launch_bounds__(warps* warp_lanes) void sort_small_kernel(
    const __grid_constant__ Problem problem) {
    constexpr sort_shape shape = {warps, rows, 1};
    using memory = sort_small_memory<Problem, shape>;
    wait_for_previous_kernel();
    sort_small_block<Problem, shape>(problem, *reinterpret_cast<memory*>(dynamic_shared_memory()),
                                     sort_array::input, 0, static_cast<int>(problem.count.get()))
        .run(problem.digits.digits());
}

}  // namespace lookback::detail::device
