/// \file
/// What a call on a GPU does beside its work: it takes a lock, checks its device, waits for counts,
/// and gets initial values.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/counts.hpp"
#include "lookback/detail/call.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/scan_problem.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail {
namespace device {

template <class A>
concept device_accumulator = std::is_trivially_copyable_v<A> && std::default_initializable<A> &&
                             sizeof(A) <= 64 && alignof(A) <= 16;

template <class T>
concept device_item = std::is_trivially_copyable_v<T> && std::default_initializable<T>;

template <class T>
initial_value<T> begin_with(no_initial_value) {
    return {};
}
template <class T>
initial_value<T> begin_with(const T& value) {
    return {value, nullptr, true};
}
template <class T>
initial_value<T> begin_with(const value_at<T>& value) {
    return {{}, checked_place(value), true};
}

/// The initial value of each segment, row or column.
template <class T>
empty_start<T> begin_each_with(no_initial_value) {
    return {};
}
template <class T, class Init>
initial_value<T> begin_each_with(const Init& init) {
    return begin_with<T>(init);
}

template <class T>
bool on_vector_boundary(const T* first, int step) {
    return reinterpret_cast<std::uintptr_t>(step > 0 ? first : first + 1) % 16 == 0;
}

}  // namespace device

template <>
struct calls_on<gpu> {
    [[nodiscard]] static auto begin(gpu& where) { return device::access::begin_call(where); }

    /// Runs `call` with a place for the counts that it waits for, at most two. Refuses while the
    /// stream is captured, because no call can wait then.
    template <class Call>
    static auto with_counts(gpu& where, const Call& call) {
        const auto whole = begin(where);
        device::access::refuse_in_capture(
            where,
            "a call that returns how many items it has kept waits for them, which cannot be while "
            "the stream is captured; pass count_to, for a count in device memory");
        return call(device::access::totals(where));
    }
    template <int n>
    static std::array<std::uint64_t, n> wait_for(gpu& where, const std::uint64_t* counts) {
        static_assert(n <= 2);
        std::array<std::uint64_t, n> all;
        device::check(cudaMemcpyAsync(all.data(), counts, sizeof(all), cudaMemcpyDeviceToHost,
                                      where.stream()),
                      "reading how many items were kept");
        device::check(cudaStreamSynchronize(where.stream()),
                      "waiting for how many items were kept");
        return all;
    }
};

}  // namespace lookback::detail
