/// \file
/// The items of a bundle of short segments, in the shared memory of the block that sorts them. Keys
/// lie there as words. Asynchronous copies bring them, which pass through no register. For items
/// with values there is also a list of where each item comes from.
///
/// Cost: for each row of 32 keys of 4 bytes, some 10 instructions to bring and to write them, and
/// 15 more where words are not the bits of keys.
#pragma once

#include <cstdint>
#include <cstring>
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

    /// Keys of fewer than 4 bytes: the first one may lie anywhere in its word of 4 bytes.
    static constexpr int places = shape.items() + 3;

    alignas(16) Word word[spread<Word>(places)];
    /// For each item, where it was.
    std::uint16_t source[Problem::has_values ? spread<std::uint16_t>(places) : 1];
    std::uint32_t
        segment[classes::template begin<classes::count>];  ///< length, and where it begins
    std::uint32_t end[classes::count];                     ///< where the lists end
};

/// The items of a bundle, in shared memory. Keys of fewer than 4 bytes lie in words of 4 bytes as
/// they do in their array: place 0 is the first key of the first word, which may come before the
/// bundle.
template <class Problem, sort_shape shape, int most>
class short_items {
    using Word = typename Problem::word_type;
    using memory = short_memory<Problem, shape, most>;

 public:
    __device__ short_items(const Problem& problem, memory& shared, item_range range)
        : problem_(problem),
          shared_(shared),
          at_(rows_of_block::of<shape>(static_cast<int>(range.items()))),
          skew_(static_cast<int>(skew_of(problem.keys, range.begin))),
          begin_(range.begin - static_cast<unsigned>(skew_)) {
        at_.first += skew_;
        at_.items += skew_;
    }

    /// The item that lies at place 0, or would lie there.
    __device__ std::uint64_t first_item() const { return begin_; }

    /// Starts to bring the keys. Work that is done before wait() does not wait for them.
    __device__ void bring() {
        const auto keys = keys_from_item(problem_.keys, begin_ + static_cast<unsigned>(at_.first));
        if constexpr (has_words<decltype(Problem::keys)>) {
            each_word([&](int at) { copy_later<4>(&word_at(at), problem_.keys + item(at)); },
                      [&](int at) { word_at(at) = problem_.keys[item(at)]; });
        } else if constexpr (std::is_pointer_v<decltype(Problem::keys)> && sizeof(Word) >= 4) {
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
    /// When it returns, this thread's keys are there, as words.
    __device__ void wait() {
        wait_copies();
        if (problem_.code.changes_nothing()) return;
        // Other threads may have brought this thread's keys.
        if constexpr (has_words<decltype(Problem::keys)>) sync_block();
        each_row([&](int i) { word(i) = problem_.code.word(word(i)); });
    }
    /// To be called after a barrier. Everything has been read before anything is written.
    __device__ void store() {
        if constexpr (!Problem::has_values && has_words<decltype(Problem::keys_out)>) {
            if (skew_of(problem_.keys_out, begin_) == 0) return store_words();
        }
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
    // Whether an array's keys may be moved several at once, in words of 4 bytes.
    template <class Keys>
    static constexpr bool has_words = std::is_pointer_v<Keys> && sizeof(Word) < 4;
    static constexpr int in_word = sizeof(Word) < 4 ? 4 / sizeof(Word) : 1;

    // How many keys lie before item `first` in its word of 4 bytes.
    template <class Keys>
    __device__ static std::uint64_t skew_of(const Keys& keys, std::uint64_t first) {
        if constexpr (has_words<Keys>) {
            return (reinterpret_cast<std::uintptr_t>(keys) / sizeof(Word) + first) % in_word;
        } else {
            return 0;
        }
    }
    // The item that lies at a place.
    __device__ std::uint64_t item(int at) const { return begin_ + static_cast<unsigned>(at); }

    // Calls word(at) for each word of 4 bytes that has only keys of the bundle, with its first
    // place, and key(at) for each key before or behind these words.
    template <class ForWord, class ForKey>
    __device__ void each_word(const ForWord& word, const ForKey& key) const {
        const int first = (skew_ + in_word - 1) / in_word * in_word;
        const int whole = at_.items / in_word * in_word, last = whole > first ? whole : first;
#pragma unroll
        for (int i = 0; i < (shape.rows + in_word - 1) / in_word; ++i) {
            const int at = first + (i * shape.threads() + thread_in_block()) * in_word;
            if (at >= last) break;
            word(at);
        }
        const int before = skew_ + thread_in_block(), behind = last + thread_in_block();
        if (before < first && before < at_.items) key(before);
        if (behind < at_.items) key(behind);
    }
    __device__ void store_words() const {
        each_word(
            [&](int at) {
                Word word[in_word];
                auto all = *reinterpret_cast<const std::uint32_t*>(&word_at(at));
                std::memcpy(word, &all, 4);
#pragma unroll
                for (Word& one : word) one = problem_.code.bits(one);
                std::memcpy(&all, word, 4);
                *reinterpret_cast<std::uint32_t*>(problem_.keys_out + item(at)) = all;
            },
            [&](int at) {
                store_key(problem_.keys_out, item(at), problem_.code.bits(word_at(at)));
            });
    }

    template <class F>
    __device__ void each_row(const F& f) const {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (!at_.has(i)) break;
            f(i);
        }
    }
    __device__ Word& word(int i) const { return shared_.word[spread_in_row<Word>(at_.first, i)]; }
    __device__ Word& word_at(int place) const { return shared_.word[spread<Word>(place)]; }
    // The word that belongs in row `i`. Words of items with values have stayed where they were.
    __device__ Word sorted_word(int i) const {
        if constexpr (Problem::has_values) {
            return word_at(source(i));
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
    int skew_;  ///< places before the bundle's first item
    std::uint64_t begin_;
};

}  // namespace lookback::detail::device
