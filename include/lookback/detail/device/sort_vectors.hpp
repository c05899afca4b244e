/// \file
/// Keys that are read once, to be counted. If they are an array, 16 bytes are read at a time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"

namespace lookback::detail::device {

/// The keys in vectors. If they are an array, these are the aligned 16 bytes that it lies in,
/// wherever in the first of them its first key is; otherwise a vector is two keys.
template <class Problem>
class key_vectors {
    using Word = typename Problem::word_type;
    using Keys = decltype(Problem::keys);
    static constexpr bool is_array = std::is_pointer_v<Keys>;

 public:
    static constexpr int keys = is_array ? static_cast<int>(16 / sizeof(Word)) : 2;

    __device__ key_vectors(const Problem& problem, std::uint64_t items)
        : problem_(problem), items_(items), skew_(skew_of(problem.keys)) {}

    __device__ std::uint64_t vectors() const { return (items_ + skew_ + keys - 1) / keys; }

    /// The words of a vector that is neither the first nor the last.
    __device__ void load(std::uint64_t number, Word (&word)[keys]) const {
        const std::uint64_t first = number * keys - skew_;
        if constexpr (is_array) {
            const auto bits = load_vector16<Word>(problem_.keys + first);
#pragma unroll
            for (int i = 0; i < keys; ++i) word[i] = problem_.code.word(bits.item[i]);
        } else {
#pragma unroll
            for (int i = 0; i < keys; ++i) word[i] = problem_.word(first + i);
        }
    }
    /// Calls `f` with the word of each place in a vector that has a key. A vector at either end may
    /// have few keys, or none.
    template <class F>
    __device__ void each(std::uint64_t number, const F& f) const {
        for (int i = 0; i < keys; ++i) {
            const std::uint64_t at = number * keys + i;  // as if the first vector were full of keys
            if (at >= skew_ && at < items_ + skew_) f(problem_.word(at - skew_));
        }
    }

 private:
    __device__ static std::uint32_t skew_of(const Keys& array) {
        if constexpr (is_array) {
            return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(array) % 16 /
                                              sizeof(Word));
        } else {
            return 0;
        }
    }

    const Problem& problem_;
    std::uint64_t items_;
    std::uint32_t skew_;
};

/// Calls `f` with all words of part `part` of `parts` of the keys, in arrays of some words.
template <int threads, class Problem, class F>
__device__ void each_keys(const Problem& problem, std::uint64_t items, unsigned part,
                          unsigned parts, const F& f) {
    using Word = typename Problem::word_type;
    using vectors = key_vectors<Problem>;
    // Loads that are under way together, of up to 16 keys.
    constexpr int at_once = 16 / vectors::keys < 4 ? 16 / vectors::keys : 4;
    constexpr std::uint64_t step = threads * at_once;
    const vectors keys(problem, items);
    for (std::uint64_t first = part * step; first < keys.vectors(); first += parts * step) {
        const std::uint64_t mine = first + static_cast<unsigned>(thread_in_block());
        if (first > 0 && first + step < keys.vectors()) {
            Word word[at_once][vectors::keys];
#pragma unroll
            for (int i = 0; i < at_once; ++i) keys.load(mine + i * threads, word[i]);
#pragma unroll
            for (int i = 0; i < at_once; ++i) f(word[i]);
        } else {
            // The vectors at either end need not be full of keys.
            for (int i = 0; i < at_once; ++i) {
                keys.each(mine + i * threads, [&](Word word) {
                    const Word one[1] = {word};
                    f(one);
                });
            }
        }
    }
}

}  // namespace lookback::detail::device
