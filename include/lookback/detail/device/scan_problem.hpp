/// \file
/// The scan as the GPU's drivers see it: what to load, how to fold, where results go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/call.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tuning.hpp"
#include "lookback/detail/half.hpp"

namespace lookback::detail::device {

/// An initial value that the host knows, one in device memory, or none.
template <class A>
struct initial_value {
    A value{};
    const A* at = nullptr;
    bool some = false;

    __device__ maybe<A> get() const { return {at ? *at : value, some}; }
};

/// The same value in another type.
template <class A, class Start>
struct start_as {
    Start start;

    __device__ maybe<A> get() const {
        const auto value = start.get();
        return {static_cast<A>(value.value), value.some};
    }
};

/// Whether a stage may hold items of type T as they lie in memory, where accumulators have type A.
template <class A, class T>
inline constexpr bool can_be_staged =
    std::is_same_v<A, T> ||
    (std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T> &&
     std::is_copy_assignable_v<T> && !std::is_volatile_v<T> && sizeof(T) <= widest_staged<A> &&
     alignof(T) <= 16);

/// Results of type A become items of type T by a cast, wherever they lie. Other results are written
/// by the items' own assignment operator, at their place in the output.
template <class A, class T>
inline constexpr bool put_by_cast = std::is_same_v<A, T> || (is_number<A> && is_number<T>);

/// Whether items and results are arrays of items that a stage may hold.
template <class A, class In, class Out>
inline constexpr bool in_staged_arrays = [] {
    if constexpr (std::is_pointer_v<In> && std::is_pointer_v<Out>) {
        using item = std::remove_const_t<std::remove_pointer_t<In>>;
        return can_be_staged<A, item> && std::is_constructible_v<A, const item&> &&
               can_be_staged<A, std::remove_pointer_t<Out>> &&
               put_by_cast<A, std::remove_pointer_t<Out>> && alignof(A) <= 16;
    }
    return false;
}();

/// The types of the items and of the results in a stage: those of their arrays, where bulk copies
/// move them, and accumulators otherwise.
template <bool in_bulk, class Problem, class A>
struct staged_items {
    using In = std::remove_cvref_t<decltype(*Problem::in)>;
    using Out = std::remove_cvref_t<decltype(*Problem::out)>;
};
template <class Problem, class A>
struct staged_items<false, Problem, A> {
    using In = A;
    using Out = A;
};

template <class Out, class A>
__device__ void store_at(const Out& out, std::int64_t at, const A& value) {
    if constexpr (put_by_cast<A, std::remove_pointer_t<Out>>) {
        out[at] = static_cast<std::remove_pointer_t<Out>>(value);
    } else {
        out[at] = value;
    }
}

/// Item i of the scan is in[step * i], and its result is out[step * i]. `Start`: the initial value,
/// if there is one.
template <bool exclusive, class In, class Out, class A, class Op, int step_,
          class Start = initial_value<A>>
struct scan_problem {
    using value_type = A;
    static constexpr bool is_exclusive = exclusive;
    static constexpr int step = step_;
    /// Whether items and results are arrays of accumulators, or of numbers of the same size, which
    /// vectors of 16 bytes can hold. (No conversion of a user's is applied to what lies behind the
    /// last item.)
    static constexpr bool can_be_aligned = [] {
        if constexpr (std::is_pointer_v<In> && std::is_pointer_v<Out>) {
            return moves_as<A, std::remove_cv_t<std::remove_pointer_t<In>>> &&
                   moves_as<A, std::remove_pointer_t<Out>> && 16 % sizeof(A) == 0;
        }
        return false;
    }();

    /// Bulk copies move these arrays wherever they begin (skewed_row.hpp).
    static constexpr bool in_arrays = in_staged_arrays<A, In, Out>;

    /// The size that decides how many items a tile has: of the wider of item and result, which lie
    /// in a stage. Accumulators that are wider than both lie in registers only.
    static constexpr std::size_t staged_size = [] {
        if constexpr (in_arrays) {
            return std::max({sizeof(std::remove_pointer_t<In>), sizeof(std::remove_pointer_t<Out>),
                             narrowest_staged<A>});
        }
        return sizeof(A);
    }();

    In in;
    Out out;
    Op op;
    Start init;
    item_count count;
    bool in_place;  ///< results may overwrite items
    bool aligned;   ///< can_be_aligned holds, and both arrays lie on 16-byte boundaries

    __device__ A load(std::uint64_t i) const {
        return static_cast<A>(in[step * static_cast<std::int64_t>(i)]);
    }
    __device__ void store(std::uint64_t i, const A& value) const {
        store_at(out, step * static_cast<std::int64_t>(i), value);
    }
};

}  // namespace lookback::detail::device
