#include "table/sorting.hpp"

#include <cstdint>
#include <stdexcept>

#include "lookback/sort.hpp"
#include "table/gpu/sort_window.hpp"

namespace lookback::table {
namespace {

template <class Word>
void sort_alone(const machine& where, void* all, std::size_t items) {
    auto* const words = static_cast<Word*>(all);
    if (where.gpu != nullptr) return on_gpu::sort_window(*where.gpu, words, items);
    sort_keys(cpu{.threads = where.threads}, words, words + items, words);
}

template <class Word, class Load>
void sort_with(const machine& where, void* all, void* along, std::size_t items) {
    auto* const words = static_cast<Word*>(all);
    auto* const loads = static_cast<Load*>(along);
    if (where.gpu != nullptr) return on_gpu::sort_window(*where.gpu, words, loads, items);
    sort_pairs(cpu{.threads = where.threads}, words, words + items, loads, words, loads);
}

}  // namespace

void sort_words(const machine& where, std::size_t word_bytes, void* words, std::size_t load_bytes,
                void* loads, std::size_t items) {
    using u32 = std::uint32_t;
    using u64 = std::uint64_t;
    switch (16 * word_bytes + load_bytes) {
        case 0x10: return sort_alone<std::uint8_t>(where, words, items);
        case 0x20: return sort_alone<std::uint16_t>(where, words, items);
        case 0x40: return sort_alone<u32>(where, words, items);
        case 0x80: return sort_alone<u64>(where, words, items);
        case 0x44: return sort_with<u32, u32>(where, words, loads, items);
        case 0x48: return sort_with<u32, u64>(where, words, loads, items);
        case 0x84: return sort_with<u64, u32>(where, words, loads, items);
        case 0x88: return sort_with<u64, u64>(where, words, loads, items);
        default: throw std::logic_error("lookback: sort_words: no words and loads of these sizes");
    }
}

}  // namespace lookback::table
