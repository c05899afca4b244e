/// \file
/// The scratch memory of a sort.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/sort_hybrid_state.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// Bytes of an array, rounded up to where the next array may begin.
constexpr std::size_t room_for(std::uint64_t items, std::size_t each) {
    return (items * each + 255) / 256 * 256;
}

/// The scratch memory of a sort: what passes know, and arrays of keys and values.
template <class Word, class Value>
struct sort_room {
    int key_arrays;
    int value_arrays;
    std::uint64_t items;
    std::uint64_t dealt_tiles = 0;  ///< see sort_buckets.hpp
    bool hybrid = false;            ///< see sort_hybrid_state.hpp

    static constexpr std::size_t value_bytes = staged_size<Value>;
    std::size_t bytes() const {
        return room_for(1, sizeof(sort_state)) +
               static_cast<std::size_t>(key_arrays) * room_for(items, sizeof(Word)) +
               static_cast<std::size_t>(value_arrays) * room_for(items, value_bytes) +
               room_for(hybrid ? 1 : 0, sizeof(hybrid_table)) +
               room_for(dealt_tiles * digit_values, sizeof(std::uint32_t));
    }

    /// Sets a problem's pointers to its places in `memory`. Second arrays that the problem has
    /// already are kept.
    template <class Problem>
    void place(Problem& problem, void* memory) const {
        auto* at = static_cast<unsigned char*>(memory);
        const auto next = [&](std::size_t bytes) {
            unsigned char* const mine = at;
            at += bytes;
            return mine;
        };
        problem.state = reinterpret_cast<sort_state*>(next(room_for(1, sizeof(sort_state))));
        for (int i = 0; i < key_arrays; ++i) {
            problem.key_room[i] = reinterpret_cast<Word*>(next(room_for(items, sizeof(Word))));
        }
        for (int i = 0; i < value_arrays; ++i) {
            problem.value_room[i] = reinterpret_cast<Value*>(next(room_for(items, value_bytes)));
        }
        problem.table =
            reinterpret_cast<hybrid_table*>(next(room_for(hybrid ? 1 : 0, sizeof(hybrid_table))));
        problem.dealt = reinterpret_cast<std::uint32_t*>(at);
    }
};

/// The scratch memory of a sort in one launch: values that are fetched are copied there first, if
/// the output may be written over them.
template <class Problem>
void place_second_values(gpu& where, Problem& problem) {
    if (Problem::fetches_values && !problem.layout.apart) {
        const sort_room<typename Problem::word_type, typename Problem::value_type> room{
            0, 1, problem.count.at_most};
        room.place(problem, access::scratch(where, room.bytes()));
    }
}

}  // namespace lookback::detail::device
