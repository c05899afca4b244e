/// \file
/// The functions of window_kernels.hpp that keep numbers. The types are divided among window_*.cu,
/// to compile faster.
#pragma once

#include <cstring>
#include <type_traits>

#include "lookback/partition.hpp"
#include "lookback/runs.hpp"
#include "lookback/select.hpp"
#include "window_memory.hpp"

namespace lookback::on_gpu {

template <class T, class U>
__device__ T as(U bits) {
    static_assert(sizeof(T) == sizeof(U));
    T x;
    memcpy(&x, &bits, sizeof(T));
    return x;
}

template <class U>
inline constexpr bool may_be_real = sizeof(U) >= 4;
template <class U>
using real_of = std::conditional_t<sizeof(U) == 4, float, double>;

template <class U>
struct equal_numbers {
    number_kind kind;

    __device__ bool operator()(U a, U b) const {
        if constexpr (may_be_real<U>) {
            if (kind == number_kind::real) return as<real_of<U>>(a) == as<real_of<U>>(b);
        }
        return a == b;
    }
};

template <class U>
struct is_wanted {
    wanted_numbers<U> wanted;  // its ends lie on the GPU

    // Not inlined, so that a kernel has one copy, not one for each of a thread's items.
    __noinline__ __device__ bool operator()(U bits) const {
        if constexpr (may_be_real<U>) {
            if (wanted.kind == number_kind::real) return holds_for(as<real_of<U>>(bits));
        }
        if (wanted.kind == number_kind::signed_integer) {
            return holds_for(static_cast<std::make_signed_t<U>>(bits));
        }
        return holds_for(bits);
    }

 private:
    template <class T>
    __device__ bool holds_for(T x) const {
        if (x != x) return wanted.has_nan;
        // Finds the first interval that does not end before x.
        std::size_t first = 0;
        for (std::size_t count = wanted.count; count > 0;) {
            const std::size_t half = count / 2;
            const bool ends_before = as<T>(wanted.ends[2 * (first + half) + 1]) < x;
            first = ends_before ? first + half + 1 : first;
            count = ends_before ? count - half - 1 : half;
        }
        return first < wanted.count && as<T>(wanted.ends[2 * first]) <= x;
    }
};

template <class U>
is_wanted<U> predicate(window_memory::state& on, wanted_numbers<U> wanted) {
    wanted.ends = upload(on.wanted, wanted.ends, 2 * wanted.count);
    return {wanted};
}

template <class U>
std::size_t compaction_window<U>::select(window_memory& memory, const U* in, std::size_t items,
                                         U* out, const wanted_numbers<U>& wanted) {
    auto& on = memory.get();
    U* const all = upload(on.arrays[0], in, items);
    const std::size_t kept = select_if(on.gpu, all, all + items, all, predicate(on, wanted));
    download(out, all, kept);
    return kept;
}

template <class U>
std::size_t compaction_window<U>::partition(window_memory& memory, const U* in, std::size_t items,
                                            U* out, U* rest, const wanted_numbers<U>& wanted) {
    auto& on = memory.get();
    const U* const all = upload(on.arrays[0], in, items);
    U* const kept = on.room<U>(on.arrays[1], items);
    U* const others = on.room<U>(on.arrays[2], items);
    const std::size_t count =
        partition_if(on.gpu, all, all + items, kept, others, predicate(on, wanted));
    download(out, kept, count);
    download(rest, others, items - count);
    return count;
}

template <class U>
std::size_t compaction_window<U>::unique(window_memory& memory, const U* in, std::size_t items,
                                         U* out, number_kind kind) {
    auto& on = memory.get();
    U* const all = upload(on.arrays[0], in, items);
    const std::size_t runs =
        lookback::unique(on.gpu, all, all + items, all, equal_numbers<U>{kind});
    download(out, all, runs);
    return runs;
}

template <class U>
std::size_t compaction_window<U>::run_length_encode(window_memory& memory, const U* in,
                                                    std::size_t items, U* out,
                                                    std::int64_t* lengths, number_kind kind) {
    auto& on = memory.get();
    U* const all = upload(on.arrays[0], in, items);
    auto* const counted = on.room<std::int64_t>(on.arrays[1], items);
    const std::size_t runs =
        lookback::run_length_encode(on.gpu, all, all + items, all, counted, equal_numbers<U>{kind});
    download(out, all, runs);
    download(lengths, counted, runs);
    return runs;
}

}  // namespace lookback::on_gpu
