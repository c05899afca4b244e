/// \file
/// The items of a bundle of short segments, in the shared memory of the block that sorts them: keys
/// as words, brought there by copies that no register waits for, and where each item comes from, if
/// it has a value.
///
/// Cost: for each row of 32 keys of 4 bytes, some 10 instructions to bring and to write them, and
/// 15 more where words are not the bits of keys.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/segmented_sort_classes.hpp"
#include "lookback/detail/device/sort_items.hpp"
#include "lookback/detail/device/sort_problem.hpp"

namespace lookback::detail::device {

template <class Problem, sort_shape shape, int most>
struct short_memory {
    using classes = length_classes<shape.items(), most>;
    using Word = typename Problem::word_type;

    alignas(16) Word word[spread<Word>(shape.items())];
    /// Of each item, where in the range it was.
    std::uint16_t source[Problem::has_values ? spread<std::uint16_t>(shape.items()) : 1];
    std::uint32_t
        segment[classes::template begin<classes::count>];  ///< length, and where it begins
    std::uint32_t end[classes::count];                     ///< of the lists
};

/// The items of a bundle, which lie in shared memory.
template <class Problem, sort_shape shape, int most>
class short_items {
    using Word = typename Problem::word_type;
    using memory = short_memory<Problem, shape, most>;

 public:
    __device__ short_items(const Problem& problem, memory& shared, item_range range)
        : problem_(problem),
          shared_(shared),
          at_(rows_of_block::of<shape>(static_cast<int>(range.items()))),
          begin_(range.begin) {}

    /// Starts bringing the keys there; what is done before wait() need not wait for them.
    __device__ void bring() {
        const auto keys = keys_from_item(problem_.keys, begin_ + static_cast<unsigned>(at_.first));
        if constexpr (std::is_pointer_v<decltype(Problem::keys)> && sizeof(Word) >= 4) {
            each_row([&](int i) {
                copy_later<static_cast<int>(sizeof(Word))>(&word(i), keys + i * warp_lanes);
            });
        } else {
            // All loads are under way before the first is waited for.
            Word some[shape.rows];
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                some[i] = 0;
                if (at_.has(i)) some[i] = keys[static_cast<unsigned>(i * warp_lanes)];
            }
            each_row([&](int i) { word(i) = some[i]; });
        }
        if constexpr (Problem::has_values) {
            each_row([&](int i) { source(i) = static_cast<std::uint16_t>(at_.place(i)); });
        }
    }
    /// This thread's are there then, and are words.
    __device__ void wait() {
        wait_copies();
        if (problem_.code.changes_nothing()) return;
        each_row([&](int i) { word(i) = problem_.code.word(word(i)); });
    }
    /// After a barrier: all has been read before anything is written.
    __device__ void store() {
        store_values<shape>(problem_, at_, begin_, sort_array::input, sort_array::output,
                            [&](int i) -> std::uint64_t { return begin_ + source(i); });
        const auto store_as = [&](const auto& bits) {
            each_row([&](int i) {
                const std::uint64_t to = begin_ + static_cast<unsigned>(at_.first);
                store_key(problem_.keys_out, to + static_cast<unsigned>(i * warp_lanes),
                          bits(sorted_word(i)));
            });
        };
        if (problem_.code.changes_nothing()) {
            store_as([](Word word) { return word; });
        } else {
            store_as([&](Word word) { return problem_.code.bits(word); });
        }
    }

 private:
    template <class F>
    __device__ void each_row(const F& f) const {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (!at_.has(i)) break;
            f(i);
        }
    }
    __device__ Word& word(int i) const { return shared_.word[spread_in_row<Word>(at_.first, i)]; }
    // Those that have values stay where they are.
    __device__ Word sorted_word(int i) const {
        if constexpr (Problem::has_values) {
            return shared_.word[spread<Word>(source(i))];
        } else {
            return word(i);
        }
    }
    __device__ std::uint16_t& source(int i) const {
        return shared_.source[spread_in_row<std::uint16_t>(at_.first, i)];
    }

    const Problem& problem_;
    memory& shared_;
    rows_of_block at_;
    std::uint64_t begin_;
};

}  // namespace lookback::detail::device
