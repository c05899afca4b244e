/// \file
/// Numbers as unsigned words that are sorted in their place: as what they have the order of, or,
/// where they only go along, as their bits. So the loops that sort know four types of words, not
/// ten of numbers. A word may be wider than its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "array_input.hpp"
#include "array_output.hpp"
#include "gpu_numbers.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/key_words.hpp"
#include "windows.hpp"

namespace lookback::cli {

enum class word_kind { bits, ascending, descending };

/// From bits to words and back.
template <number T>
constexpr detail::key_code<bits_of<T>> code_of(word_kind kind) {
    if (kind == word_kind::bits) return {};
    return detail::key_code_of<T>(kind == word_kind::descending);
}

inline constexpr std::size_t number_share = 1 << 14;  // of a thread

// Numbers lie at any address. One loop for a width of numbers and of words.
template <class Bits, class Word>
void make_words(const std::byte* from, std::size_t items, const detail::key_code<Bits>& code,
                Word* words, int threads) {
    detail::for_shares(cpu{.threads = threads}, items, number_share,
                       [&](std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i) {
                               Bits number;
                               std::memcpy(&number, from + i * sizeof(Bits), sizeof(Bits));
                               words[i] = code.word(number);
                           }
                       });
}
template <class Bits, class Word>
void make_numbers(const Word* words, std::size_t items, const detail::key_code<Bits>& code,
                  std::byte* to, int threads) {
    detail::for_shares(cpu{.threads = threads}, items, number_share,
                       [&](std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i) {
                               const Bits number = code.bits(static_cast<Bits>(words[i]));
                               std::memcpy(to + i * sizeof(Bits), &number, sizeof(Bits));
                           }
                       });
}

/// Reads items [first, first + items) of `in` as words, which are as wide as they or wider.
template <class Word>
void read_words(const array_input& in, std::size_t first, std::size_t items, word_kind kind,
                Word* words, int threads) {
    const std::size_t window = window_items(usual_window, size_of(in.type()));
    input_windows windows(in, first, items, window, false);
    for (; windows.next(); words += windows.items()) {
        with_type(in.type(), [&]<class T>(std::type_identity<T>) {
            if constexpr (sizeof(T) <= sizeof(Word)) {
                make_words(in.at(windows.first()), windows.items(), code_of<T>(kind), words,
                           threads);
            }
        });
    }
}

/// Words first, first + 1, ...
template <class Word>
void count_up(Word first, std::size_t items, Word* words, int threads) {
    detail::for_shares(cpu{.threads = threads}, items, number_share,
                       [&](std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i) {
                               words[i] = static_cast<Word>(first + i);
                           }
                       });
}

/// Writes words as items of `out`, from `position` on. Those that count may be narrower.
template <class Word>
void write_words(array_output& out, std::size_t position, const Word* words, std::size_t items,
                 word_kind kind, int threads) {
    const std::size_t window = window_items(usual_window, size_of(out.type()));
    for (std::size_t i = 0; i < items; i += window) {
        const std::size_t count = std::min(window, items - i);
        with_type(out.type(), [&]<class T>(std::type_identity<T>) {
            if constexpr (sizeof(T) <= sizeof(Word) || sizeof(Word) == 4) {
                T* const numbers = out.room<T>(count);
                make_numbers(words + i, count, code_of<T>(kind),
                             reinterpret_cast<std::byte*>(numbers), threads);
                out.write(std::span<const T>(numbers, count), position + i);
            }
        });
    }
}

}  // namespace lookback::cli
