#include "sort_words.hpp"

#include <concepts>
#include <cstdint>

#include "gpu/sort_window.hpp"
#include "lookback/sort.hpp"

namespace lookback::cli {

template <class Word, class Load>
void sort_words(Word* words, Load* loads, std::size_t items, const workplace& where) {
    const cpu here{.threads = where.threads};
    if constexpr (std::same_as<Load, no_load>) {
        if (where.memory) return on_gpu::sort_window(*where.memory, words, items);
        sort_keys(here, words, words + items, words);
    } else {
        if (where.memory) return on_gpu::sort_window(*where.memory, words, loads, items);
        sort_pairs(here, words, words + items, loads, words, loads);
    }
}

template void sort_words(std::uint8_t*, no_load*, std::size_t, const workplace&);
template void sort_words(std::uint16_t*, no_load*, std::size_t, const workplace&);
template void sort_words(std::uint32_t*, no_load*, std::size_t, const workplace&);
template void sort_words(std::uint64_t*, no_load*, std::size_t, const workplace&);
template void sort_words(std::uint32_t*, std::uint32_t*, std::size_t, const workplace&);
template void sort_words(std::uint32_t*, std::uint64_t*, std::size_t, const workplace&);
template void sort_words(std::uint64_t*, std::uint32_t*, std::size_t, const workplace&);
template void sort_words(std::uint64_t*, std::uint64_t*, std::size_t, const workplace&);

}  // namespace lookback::cli
