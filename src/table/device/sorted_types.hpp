/// \file
/// The types of numbers that are sorted on a GPU. Others are sorted as one of these.
#pragma once

#include <cstdint>
#include <type_traits>

#include "table/device/place.hpp"

namespace lookback::on_device {

/// Calls `f` with a type_identity of the numbers' type. Refuses other types, as `what` of them.
template <class F>
auto with_sorted(item_type type, const char* what, const F& f) {
    using enum item_type;
    switch (type) {
        case int32: return f(std::type_identity<std::int32_t>{});
        case int64: return f(std::type_identity<std::int64_t>{});
        case float32: return f(std::type_identity<float>{});
        case float64: return f(std::type_identity<double>{});
        default: refuse(what, type);
    }
}

}  // namespace lookback::on_device
