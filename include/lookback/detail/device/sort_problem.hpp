/// \file
/// A sort as its kernels see it: what is read and written, by which bits, and the plan of its
/// passes.
///
/// Keys travel as words that have their order (detail/key_words.hpp). The pass that reads the input
/// makes words of keys, and the pass that writes the output makes keys of words. Values travel as
/// units of the size of their alignment. So all types of the same size and alignment share their
/// kernels.
#pragma once

#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "lookback/detail/call.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/machine.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/detail/key_words.hpp"

namespace lookback::detail::device {

// ---- keys: an array of keys is read and written as an array of their bits

template <class Key, class In>
struct keys_read {
    In in;
    __device__ key_word<Key> operator[](std::uint64_t i) const {
        return detail::bits_of_key<Key>(static_cast<Key>(in[static_cast<std::int64_t>(i)]));
    }
};
template <class Key, class Out>
struct keys_written {
    Out out;
};

template <class Word>
__device__ void store_key(Word* out, std::uint64_t i, Word bits) {
    out[i] = bits;
}
template <class Key, class Out>
__device__ void store_key(const keys_written<Key, Out>& to, std::uint64_t i, key_word<Key> bits) {
    to.out[static_cast<std::int64_t>(i)] =
        static_cast<item_of<Out>>(detail::key_of_bits<Key>(bits));
}
template <class Word>
__device__ void store_key(no_array, std::uint64_t, Word) {}

// ---- values

template <std::size_t alignment>
struct unit_of_alignment {
    using type = unsigned_word<alignment>;
};
template <>
struct unit_of_alignment<16> {
    using type = word16;
};

/// How a value of type V is cut into units.
template <class V>
struct value_units {
    using unit = typename unit_of_alignment<(alignof(V) < 16 ? alignof(V) : 16)>::type;
    static constexpr int units = static_cast<int>(sizeof(V) / sizeof(unit));
};
template <class Unit, int units>
struct moved_units {
    Unit unit[units];
};
template <class V>
using moved_value = moved_units<typename value_units<V>::unit, value_units<V>::units>;

template <class V, class In>
struct values_read {
    In in;
    __device__ moved_value<V> operator[](std::uint64_t i) const {
        const V value = in[static_cast<std::int64_t>(i)];
        moved_value<V> moved;
        std::memcpy(&moved, &value, sizeof(V));
        return moved;
    }
};
/// Positions are their own values.
template <class V>
struct positions_read {
    __device__ moved_value<V> operator[](std::uint64_t i) const {
        return {{static_cast<typename value_units<V>::unit>(i)}};
    }
};
template <class V, class Out>
struct values_written {
    Out out;
};

template <class Moved>
__device__ void store_value(Moved* out, std::uint64_t i, const Moved& value) {
    out[i] = value;
}
template <class V, class Out>
__device__ void store_value(const values_written<V, Out>& to, std::uint64_t i,
                            const moved_value<V>& moved) {
    V value;
    std::memcpy(&value, &moved, sizeof(V));
    to.out[static_cast<std::int64_t>(i)] = value;
}

// ---- the plan

/// What a pass over one digit does. A digit that is the same in all keys needs no pass. The kernel
/// that counts finds this out, on the device, so the host does not know how many passes there are,
/// and between which arrays each goes. It launches a pass for each digit; passes with nothing to do
/// leave at once.
enum class sort_step : std::uint8_t { nothing, copy, sort };
/// The arrays that a pass may read and write: the input; scratch memory; a second room, which is
/// the output if the kernels can use it as they like, otherwise more scratch memory; and the
/// output, written by the last pass.
enum class sort_array : std::uint8_t { input, room, second_room, output };

struct planned_pass {
    sort_step step;
    sort_array from, to;
};

inline constexpr int most_digits = 16;
/// One pass more than there are digits may be needed, so that the result ends in the output
/// (sort_plan.hpp).
inline constexpr int most_passes = most_digits + 1;

/// In scratch memory: what passes know of all keys.
struct sort_state {
    planned_pass pass[most_passes];
    bool in_buckets;  ///< whether buckets sort all keys (sort_buckets.hpp, sort_hybrid_state.hpp)
    int dealt_by;     ///< the lowest of the bits that items were dealt out by
    /// Where the keys with each value of a digit begin in the output of its pass. There are two
    /// tables, which launches use in turns: each reads one, and writes to the other where the keys
    /// of later launches begin.
    std::uint64_t starts[most_passes][2][digit_values];
};

struct hybrid_table;

/// In memory that is all zero between calls.
struct sort_sums {
    std::uint64_t counts[most_digits][digit_values];
    std::uint64_t unsorted;              ///< whether some key comes after a larger one
    std::uint64_t blocks;                ///< blocks that have counted
    std::uint64_t bucket[digit_values];  ///< how many items go to each bucket, or to each part
    std::uint64_t strays;  ///< whether there are items that belong to no bucket, or have no room
};

/// How inputs and outputs lie in memory.
struct sort_layout {
    bool apart;   ///< no output lies over an input: a pass may go from the input to the output
    bool copies;  ///< each output is its own input, or lies apart from all inputs
    bool same;    ///< all outputs are their own inputs
    /// Keys are their own input, and values go to an output that lies apart from all inputs.
    bool keys_stay;
};

/// The number of the highest bit that is set, 0 if none is.
template <class Word>
__device__ int highest_bit_of(Word word) {
    if constexpr (sizeof(Word) > 8) {
        const auto high = static_cast<std::uint64_t>(word >> 64);
        if (high != 0) return 64 + highest_bit(high);
    }
    return highest_bit(static_cast<std::uint64_t>(word));
}

/// The bits [first, last) of words, as digits, the lowest first.
struct digit_range {
    int first;
    int last;

    LOOKBACK_HD constexpr int digits() const {
        return (last - first + digit_bits - 1) / digit_bits;
    }
    /// The bits of a word that are in the range.
    template <class Word>
    __device__ Word bits() const {
        if (first == last) return 0;
        const Word all = static_cast<Word>(~Word{0});
        return static_cast<Word>(static_cast<Word>(all >> (word_bits<Word> - (last - first)))
                                 << first);
    }
};
/// Items side by side.
struct item_range {
    std::uint64_t begin;
    std::uint64_t end;

    LOOKBACK_HD std::uint64_t items() const { return end - begin; }
};

/// Where a digit is in a word. A digit beyond the range is 0 in all words.
struct digit_place {
    int shift;
    std::uint32_t mask;

    LOOKBACK_HD digit_place(const digit_range& range, int number) : shift(0), mask(0) {
        const int bits = range.last - range.first - number * digit_bits;
        if (bits > 0) {
            shift = range.first + number * digit_bits;
            mask = bits < digit_bits ? (1U << bits) - 1 : digit_values - 1;
        }
    }
    /// The same place, with a shift that the compiler does not know to be the same. So it extracts
    /// the digits of many words a second time, which takes fewer instructions than keeping them in
    /// registers.
    __device__ digit_place again() const {
        digit_place same = *this;
        same.shift = anew(shift);
        return same;
    }
    template <class Word>
    __device__ std::uint32_t of(Word word) const {
        return static_cast<std::uint32_t>(word >> shift) & mask;
    }
};

/// Value: moved_units, or no_array.
template <class Word, class KeysIn, class KeysOut, class Value, class ValuesIn, class ValuesOut>
struct sort_problem {
    using word_type = Word;
    using value_type = Value;
    static constexpr bool has_values = !is_absent<Value>;
    static constexpr bool holds_values = has_values && staged_size<Value> <= most_held_bytes;
    static constexpr bool fetches_values = has_values && !holds_values;

    item_count count;
    KeysIn keys;
    KeysOut keys_out;
    ValuesIn values;
    ValuesOut values_out;
    key_code<Word> code;
    digit_range digits;
    sort_layout layout;
    sort_state* state;
    Word* key_room[2];
    Value* value_room[2];
    std::uint32_t* dealt;  ///< where each tile has the items of each bucket (sort_buckets.hpp)
    hybrid_table* table;   ///< where parts and buckets lie (sort_hybrid_state.hpp)

    /// `word`: key i of the input, as a word. `word_from`: item i of an array of keys or of words,
    /// as a word. `bits_of`: a word, as an item of such an array.
    __device__ Word word(std::uint64_t i) const { return code.word(keys[i]); }
    template <class From>
    __device__ Word word_from(const From& from, std::uint64_t i, bool are_keys) const {
        return are_keys ? code.word(from[i]) : from[i];
    }
    __device__ Word bits_of(Word word, bool as_key) const {
        return as_key ? code.bits(word) : word;
    }

    /// Calls `f` with the array that keys are read from, and whether it has keys; otherwise it has
    /// words.
    template <class F>
    __device__ void with_keys(sort_array from, const F& f) const {
        if (from == sort_array::input) {
            f(keys, true);
        } else {
            f(static_cast<const Word*>(key_room[from == sort_array::room ? 0 : 1]), false);
        }
    }
    template <class F>
    __device__ void with_keys_out(sort_array to, const F& f) const {
        if (to == sort_array::output) {
            f(keys_out, true);
        } else {
            f(key_room[to == sort_array::room ? 0 : 1], false);
        }
    }
    template <class F>
    __device__ void with_values(sort_array from, const F& f) const {
        if (from == sort_array::input) {
            f(values);
        } else {
            f(static_cast<const Value*>(value_room[from == sort_array::room ? 0 : 1]));
        }
    }
    template <class F>
    __device__ void with_values_out(sort_array to, const F& f) const {
        if (to == sort_array::output) {
            f(values_out);
        } else {
            f(value_room[to == sort_array::room ? 0 : 1]);
        }
    }
};

}  // namespace lookback::detail::device
