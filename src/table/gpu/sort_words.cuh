/// \file
/// Sorts words in a GPU's memory in place, and what moves with them. A window takes most of its
/// time on its way to the GPU and back. The kernels of hybrid sorts would save a hundredth of that,
/// and make the sorts of this library a third larger, so they are left out.
#pragma once

#include <cstddef>
#include <type_traits>

#include "lookback/sort.hpp"

namespace lookback::on_gpu {

/// Loads: an array, or no_array.
template <class Word, class Loads>
void sort_words(gpu& where, Word* words, const Loads& loads, std::size_t items) {
    using namespace detail::device;
    using load = typename sorted_value<Loads, Loads>::type;
    constexpr sort_tuning tuning = [] {
        sort_tuning usual = sort_tuning_of<Word, typename moved_form<load>::type>();
        usual.hybrid_from = never;
        return usual;
    }();
    [[maybe_unused]] const auto whole = detail::calls_on<gpu>::begin(where);
    sort_arrays<Word, tuning>(where, {items}, words, words, loads, loads,
                              {.last_bit = detail::word_bits<Word>});
}

}  // namespace lookback::on_gpu
