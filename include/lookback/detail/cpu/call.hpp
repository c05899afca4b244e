/// \file
/// What a call on the CPU does besides its work: it checks its execution, and handles counts and
/// initial values that lie in memory.
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

    /// Runs `call` with a place for the counts that it returns, at most two.
    template <class Call>
    static auto with_counts(const cpu& where, const Call& call) {
        check_threads(where.threads);
        std::uint64_t counts[2] = {};
        return call(counts);
    }
    template <int n>
    static std::array<std::uint64_t, n> wait_for(const cpu& /*where*/,
                                                 const std::uint64_t* counts) {
        static_assert(n <= 2);
        std::array<std::uint64_t, n> all;
        for (int k = 0; k < n; ++k) all[static_cast<std::size_t>(k)] = counts[k];
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
std::optional<T> start_with(value_at<T> init) {
    return *detail::checked_place(init);
}

}  // namespace lookback::detail
