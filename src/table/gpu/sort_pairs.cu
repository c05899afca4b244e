#include <cstdint>

#include "sort_window.hpp"
#include "sort_words.cuh"
#include "window_memory.hpp"

namespace lookback::on_gpu {

template <class Word, class Load>
void sort_window(window_memory& memory, Word* words, Load* loads, std::size_t items) {
    auto& on = memory.get();
    Word* const there = upload(on.arrays[0], words, items);
    Load* const along = upload(on.arrays[1], loads, items);
    if (items > 0) sort_words(on.gpu, there, along, items);
    download(words, there, items);
    download(loads, along, items);
}

template void sort_window(window_memory&, std::uint32_t*, std::uint32_t*, std::size_t);
template void sort_window(window_memory&, std::uint32_t*, std::uint64_t*, std::size_t);
template void sort_window(window_memory&, std::uint64_t*, std::uint32_t*, std::size_t);
template void sort_window(window_memory&, std::uint64_t*, std::uint64_t*, std::size_t);

}  // namespace lookback::on_gpu
