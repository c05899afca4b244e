/// \file
/// From the public functions that keep or drop items to a launch: their arguments, and the calls
/// that wait for the count.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "lookback/detail/arguments.hpp"
#include "lookback/gpu/scan.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/kept_tile.hpp"
#include "lookback/detail/device/launch.hpp"

namespace lookback {

/// Where, in device memory, the number of items that are kept goes. It may not lie in an array that
/// is read or written, nor be the device_count of the same call. N is an integer of 4 or 8 bytes
/// that holds the number of items.
template <std::integral N>
    requires(sizeof(N) == 4 || sizeof(N) == 8)
struct count_to {
    N* at;
};

namespace detail::device {

template <class T>
concept device_item = std::is_trivially_copyable_v<T> && std::default_initializable<T>;

struct equal_items {
    template <class T>
    __host__ __device__ constexpr bool operator()(const T& a, const T& b) const {
        return a == b;
    }
};

template <class... Pointers>
bool all_on_vector_boundaries(const Pointers&... arrays) {
    const auto one = [](const auto& array) {
        using P = std::remove_cvref_t<decltype(array)>;
        if constexpr (std::is_pointer_v<P>) {
            return reinterpret_cast<std::uintptr_t>(array) % 16 == 0;
        } else {
            return is_nowhere<P>;
        }
    };
    return (one(arrays) && ...);
}

/// The memory of the first `items` items: everything, where that is not known.
template <class It>
byte_range memory_of(const It& it, std::uint64_t items) {
    if (items == 0) return {};
    if constexpr (walk<It>::step != 0) {
        return bytes_of(it, items);
    } else {
        return {0, UINTPTR_MAX};
    }
}
inline byte_range memory_of(nowhere, std::uint64_t /*items*/) { return {}; }
template <class T>
byte_range memory_of(const downward<T*>& array, std::uint64_t items) {
    return memory_of(std::make_reverse_iterator(array.last + 1), items);
}
template <class Out>
byte_range memory_of(const every_second<Out>& to, std::uint64_t items) {
    return memory_of(to.out, items / 2);
}

/// Whether some output may lie over one of two inputs.
template <class In, class Beside, class... Outs>
bool may_overlap(std::uint64_t items, const In& in, const Beside& beside, const Outs&... outs) {
    const auto over = [&](const byte_range& out) {
        const auto meets = [&](const byte_range& x) {
            return x.begin < out.end && out.begin < x.end;
        };
        return meets(memory_of(in, items)) || meets(memory_of(beside, items));
    };
    return (over(memory_of(outs, items)) || ...);
}

/// Refuses null pointers, and an output that begins within an input, which messages call `name`,
/// but for the input's own beginning where that is allowed.
template <class In, class Out>
void check_kept(const item_count& items, const In& in, const Out& out, in_place over_input,
                const char* name = "input") {
    if (items.at_most > 0) check_compacted(in, out, items.at_most, over_input, name);
}

/// Where `counts` counts of up to `items` go.
template <class N>
device_total total_at(count_to<N> count, const item_count& items, int counts = 1) {
    if (count.at == nullptr) {
        throw std::invalid_argument(
            "lookback: count_to.at is a null pointer; expected device memory for the count");
    }
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<N>::max());
    if (items.at_most > most) {
        throw std::invalid_argument("lookback: up to " + std::to_string(items.at_most) +
                                    " items are counted in an integer that holds " +
                                    std::to_string(most) + "; expected one of 64 bits");
    }
    const auto begin = reinterpret_cast<std::uintptr_t>(count.at);
    const auto read = reinterpret_cast<std::uintptr_t>(items.at);
    if (items.at != nullptr && begin < read + static_cast<unsigned>(items.bytes) &&
        read < begin + static_cast<unsigned>(counts) * sizeof(N)) {
        throw std::invalid_argument(
            "lookback: count_to and device_count are the same memory, which blocks that start late "
            "would read after it has been written; expected separate memory");
    }
    return {count.at, static_cast<int>(sizeof(N))};
}

/// Runs `call`, which gets the place of `counts` counts in device memory, and waits for them, as no
/// call can while its stream is captured.
template <int counts, class Call>
std::array<std::size_t, counts> counted(gpu& where, const Call& call) {
    static_assert(counts <= 2);
    const auto whole = access::begin_call(where);
    access::refuse_in_capture(
        where,
        "a call that returns how many items it has kept waits for them, which cannot be while the "
        "stream is captured; pass count_to, for a count in device memory");
    std::uint64_t* const at = access::totals(where);
    call(count_to<std::uint64_t>{at});
    std::uint64_t total[counts];
    check(cudaMemcpyAsync(total, at, sizeof(total), cudaMemcpyDeviceToHost, where.stream()),
          "reading how many items were kept");
    check(cudaStreamSynchronize(where.stream()), "waiting for how many items were kept");
    std::array<std::size_t, counts> all;
    for (int i = 0; i < counts; ++i) all[static_cast<std::size_t>(i)] = total[i];
    return all;
}

}  // namespace detail::device
}  // namespace lookback
