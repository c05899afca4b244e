/// \file
/// Keys that are read once, to be counted: 16 bytes at a time, where they are an array.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"

namespace lookback::detail::device {

/// Keys in the vectors of 16 bytes that an array lies in, where it is one, whatever its first key's
/// place in the first of them; two keys of anything else.
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

    /// The words of a vector, of which those from `first` up to `last` are keys.
    struct vector {
        Word word[keys];
        int first, last;
    };
    __device__ vector load(std::uint64_t number) const {
        vector v;
        const std::uint64_t begin = number * keys;  // as if the vector before were full of keys
        const std::uint64_t left = items_ + skew_ > begin ? items_ + skew_ - begin : 0;
        v.first = begin < skew_ ? static_cast<int>(skew_ - begin) : 0;
        v.last = left < keys ? static_cast<int>(left) : keys;
        if constexpr (is_array) {
            if (v.first == 0 && v.last == keys) {
                const auto bits = load_vector16<Word>(problem_.keys + (begin - skew_));
#pragma unroll
                for (int i = 0; i < keys; ++i) v.word[i] = problem_.code.word(bits.item[i]);
                return v;
            }
        }
#pragma unroll
        for (int i = 0; i < keys; ++i) {
            if (i >= v.first && i < v.last) v.word[i] = word(begin - skew_ + i);
        }
        return v;
    }
    /// The key before a vector that is not the first.
    __device__ Word before(std::uint64_t number) const { return word(number * keys - skew_ - 1); }

 private:
    __device__ static std::uint32_t skew_of(const Keys& array) {
        if constexpr (is_array) {
            return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(array) % 16 /
                                              sizeof(Word));
        } else {
            return 0;
        }
    }
    __device__ Word word(std::uint64_t i) const { return problem_.code.word(problem_.keys[i]); }

    const Problem& problem_;
    std::uint64_t items_;
    std::uint32_t skew_;
};

}  // namespace lookback::detail::device
