#include <cstdint>

#include "sort_window.hpp"
#include "sort_words.cuh"
#include "window_memory.hpp"

namespace lookback::on_gpu {

template <class Word>
void sort_window(window_memory& memory, Word* words, std::size_t items) {
    auto& on = memory.get();
    Word* const there = upload(on.arrays[0], words, items);
    if (items > 0) sort_words(on.gpu, there, detail::no_array{}, items);
    download(words, there, items);
}

template void sort_window(window_memory&, std::uint8_t*, std::size_t);
template void sort_window(window_memory&, std::uint16_t*, std::size_t);
template void sort_window(window_memory&, std::uint32_t*, std::size_t);
template void sort_window(window_memory&, std::uint64_t*, std::size_t);

}  // namespace lookback::on_gpu
