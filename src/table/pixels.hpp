/// \file
/// Images of numbers whose channels are known at run time.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lookback/pixel.hpp"

namespace lookback::table {

// Calls `f` with the type of a pixel of `channels` channels.
template <class T, class F>
void with_pixel(std::size_t channels, F&& f) {
    switch (channels) {
        case 1: return f(std::type_identity<T>{});
        case 2: return f(std::type_identity<pixel<T, 2>>{});
        case 3: return f(std::type_identity<pixel<T, 3>>{});
        case 4: return f(std::type_identity<pixel<T, 4>>{});
        default:
            throw std::invalid_argument("lookback: images have 1 to 4 channels, not " +
                                        std::to_string(channels));
    }
}

}  // namespace lookback::table
