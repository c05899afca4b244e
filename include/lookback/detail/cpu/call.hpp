/// \file
/// What a call on the CPU does besides its work: checks of its execution; counts and initial values
/// that lie in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "lookback/counts.hpp"
#include "lookback/cpu.hpp"
#include "lookback/detail/arguments.hpp"
#include "lookback/detail/call.hpp"

namespace lookback::detail {

struct no_lock {};

template <>
struct calls_on<cpu> {
    static no_lock begin(const cpu& where) {
        check_threads(where.threads);
        return {};
    }

    /// Runs `call`, which gets the place of `counts` counts, and returns them.
    template <int counts, class Call>
    static std::array<std::size_t, counts> counted(const cpu& where, const Call& call) {
        check_threads(where.threads);
        std::array<std::uint64_t, counts> total{};
        call(count_to<std::uint64_t>{total.data()});
        std::array<std::size_t, counts> all;
        for (std::size_t i = 0; i < counts; ++i) all[i] = total[i];
        return all;
    }
};

template <class T>
std::optional<T> start_with(no_initial_value) {
    return std::nullopt;
}
template <class T>
std::optional<T> start_with(T init) {
    return std::optional<T>(std::move(init));
}
template <class T>
std::optional<T> start_with(device_value<T> init) {
    return *detail::checked_place(init);
}

}  // namespace lookback::detail
