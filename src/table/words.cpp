#include <cstring>
#include <type_traits>

#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/key_words.hpp"
#include "table/sorting.hpp"

namespace lookback::table {
namespace {

template <class T>
using bits_of = detail::unsigned_word<sizeof(T)>;

// How the bits of a number become a word, and back.
template <number T>
constexpr detail::key_code<bits_of<T>> code_of(word_kind kind) {
    if (kind == word_kind::bits) return {};
    return detail::key_code_of<T>(kind == word_kind::descending);
}

constexpr std::size_t number_share = 1 << 14;  // for one thread

// One loop for each width of numbers and of words.
template <class Bits, class Word>
void make_each_word(const std::byte* from, std::size_t items, const detail::key_code<Bits>& code,
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
void make_each_number(const Word* words, std::size_t items, const detail::key_code<Bits>& code,
                      std::byte* to, int threads) {
    detail::for_shares(cpu{.threads = threads}, items, number_share,
                       [&](std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i) {
                               const Bits number = code.bits(static_cast<Bits>(words[i]));
                               std::memcpy(to + i * sizeof(Bits), &number, sizeof(Bits));
                           }
                       });
}

}  // namespace

void make_words(dtype type, const void* numbers, std::size_t items, word_kind kind,
                std::size_t word_bytes, void* words, int threads) {
    with_bits(word_bytes, [&]<class Word>(std::type_identity<Word>) {
        with_type(type, [&]<class T>(std::type_identity<T>) {
            if constexpr (sizeof(T) <= sizeof(Word)) {
                make_each_word(static_cast<const std::byte*>(numbers), items, code_of<T>(kind),
                               static_cast<Word*>(words), threads);
            }
        });
    });
}

void make_numbers(std::size_t word_bytes, const void* words, std::size_t items, word_kind kind,
                  dtype type, void* numbers, int threads) {
    with_bits(word_bytes, [&]<class Word>(std::type_identity<Word>) {
        with_type(type, [&]<class T>(std::type_identity<T>) {
            if constexpr (sizeof(T) <= sizeof(Word) || sizeof(Word) == 4) {
                make_each_number(static_cast<const Word*>(words), items, code_of<T>(kind),
                                 static_cast<std::byte*>(numbers), threads);
            }
        });
    });
}

void count_up(std::size_t first, std::size_t items, std::size_t word_bytes, void* words,
              int threads) {
    with_bits(word_bytes, [&]<class Word>(std::type_identity<Word>) {
        auto* const to = static_cast<Word*>(words);
        detail::for_shares(cpu{.threads = threads}, items, number_share,
                           [&](std::size_t begin, std::size_t end) {
                               for (std::size_t i = begin; i < end; ++i) {
                                   to[i] = static_cast<Word>(first + i);
                               }
                           });
    });
}

}  // namespace lookback::table
