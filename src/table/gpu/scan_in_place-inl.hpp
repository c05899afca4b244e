/// \file
/// The template that scan_in_place.hpp declares. The types are divided among scan_*.cu, to compile
/// faster.
#pragma once

#include <iterator>

#include "any_operator.hpp"
#include "lookback/scan.hpp"
#include "scan_in_place.hpp"

namespace lookback::on_gpu {

template <class T>
void scan_in_place(lookback::gpu& gpu, T* numbers, std::size_t items, operation op,
                   bool is_backward, const T* before, const std::optional<T>& seed) {
    const any_operator<T> fold{op};
    const auto run = [&](auto first, auto last) {
        if (before != nullptr) {
            inclusive_scan(gpu, first, last, first, fold, value_at<T>{before});
        } else if (seed) {
            inclusive_scan(gpu, first, last, first, fold, *seed);
        } else {
            inclusive_scan(gpu, first, last, first, fold);
        }
    };
    if (is_backward) {
        run(std::make_reverse_iterator(numbers + items), std::make_reverse_iterator(numbers));
    } else {
        run(numbers, numbers + items);
    }
}

}  // namespace lookback::on_gpu
