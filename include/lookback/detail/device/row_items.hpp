/// \file
/// A thread's items of a row in a stage (skewed_row.hpp), held in registers. They are read from
/// shared memory by whole vectors of 16 bytes and shifted by the skew in registers. Where a
/// thread's items are not whole vectors, they are read item by item. (A thread has an odd number of
/// vectors, so lanes do not conflict for the banks of shared memory: tile_scan.hpp.)
///
/// Cost: at a skew, one more vector is read, each word is moved once or twice, and the vectors at
/// both ends are written word by word.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/unsigned_words.hpp"

namespace lookback::detail::device {

/// A thread's items of a row, packed as they lie in memory. Backward, the items of the lane above
/// lie before this lane's items.
template <class T, int items, bool backward>
class row_items {
    static constexpr int bytes = items * static_cast<int>(sizeof(T));
    static constexpr bool in_vectors =
        bytes % 16 == 0 && (16 % sizeof(T) == 0 || sizeof(T) % 4 != 0);
    static constexpr bool can_be_shifted = alignof(T) < 16;
    static constexpr bool is_narrow = alignof(T) < 4;
    static constexpr int words = bytes / 4;

 public:
    /// Whether threads read vectors that also contain items of other threads.
    __device__ static bool shares(int skew) { return in_vectors && skew % 16 != 0; }

    /// Loads the items from byte `at` of the row on.
    __device__ void load(const unsigned char* stage, int at, int skew) {
        if constexpr (in_vectors) {
            const unsigned char* const from = stage + at + skew / 16 * 16;
#pragma unroll
            for (int v = 0; v < words / 4; ++v) load_vector(word_ + 4 * v, from + 16 * v);
            if constexpr (can_be_shifted) {
                const int shift = skew % 16;
                if (shift != 0) load_vector(word_ + words, from + bytes);
                if (!is_narrow || shift != 0) move_down(word_, shift);
            }
            hide_origin();
        } else {
            const auto* const from = reinterpret_cast<const T*>(stage + at + skew);
#pragma unroll
            for (int i = 0; i < items; ++i) item_[i] = from[i];
        }
    }
    __device__ void store(unsigned char* stage, int at, int skew) {
        if constexpr (in_vectors) {
            unsigned char* const to = stage + at + skew / 16 * 16;
            if (const int shift = skew % 16; can_be_shifted && shift != 0) {
                if constexpr (is_narrow) {
                    by_words(shift, [&](auto distance) {
                        move_up_narrow<distance.value>(word_, static_cast<unsigned>(shift) % 4);
                        store_narrow_ends<distance.value>(word_, to, shift % 4);
                    });
                } else {
                    move_up(word_, shift);
                    store_ends(word_, to, shift);
                }
            } else {
                store_vector(word_, to);
            }
#pragma unroll
            for (int v = 1; v < words / 4; ++v) store_vector(word_ + 4 * v, to + 16 * v);
        } else {
            auto* const to = reinterpret_cast<T*>(stage + at + skew);
#pragma unroll
            for (int i = 0; i < items; ++i) to[i] = item_[i];
        }
    }

    /// The items as words, for packed_folds.hpp; 0 words where items are not held as words.
    static constexpr int packed_words = in_vectors ? words : 0;
    __device__ std::uint32_t* packed() { return word_; }

    /// Converts the items to accumulators, and results back to items: see chunk::take.
    template <bool full, class Chunk>
    __device__ void unpack(Chunk& chunk, int count) const {
        if constexpr (in_vectors) {
            T item[items];
            std::memcpy(static_cast<void*>(item), word_, bytes);
            chunk.template take<full>(item, count);
        } else {
            chunk.template take<full>(item_, count);
        }
    }
    template <bool full, class Chunk>
    __device__ void pack(const Chunk& chunk, int count) {
        if constexpr (in_vectors) {
            T item[items];
            chunk.template give<full>(item, count);
            std::memcpy(word_, item, bytes);
            hide_origin();
        } else {
            chunk.template give<full>(item_, count);
        }
    }

 private:
    // Narrow items stay packed if the compiler does not know how the words were computed.
    __device__ void hide_origin() {
        if constexpr (sizeof(T) < 4) {
#pragma unroll
            for (int i = 0; i < words; ++i) word_[i] = same_word(word_[i]);
        }
    }
    __device__ static void load_vector(std::uint32_t* word, const unsigned char* from) {
        const auto vector = load_vector16<std::uint32_t>(from);
#pragma unroll
        for (int i = 0; i < 4; ++i) word[i] = vector.item[i];
    }
    __device__ static void store_vector(const std::uint32_t* word, unsigned char* to) {
        store_vector16(to, vector16<std::uint32_t>{{word[0], word[1], word[2], word[3]}});
    }

    // Shifts a row with a skew to items in registers. (Each of the two ways is the faster one for
    // the items that it serves: docs/tuning_log.md.)
    __device__ static void move_down(std::uint32_t (&word)[words + 4], int skew) {
        if constexpr (is_narrow) {
            by_words(skew, [&](auto distance) {
#pragma unroll
                for (int i = 0; i < words; ++i) {
                    word[i] = word_between(word[i + distance.value], word[i + distance.value + 1],
                                           static_cast<unsigned>(skew) % 4);
                }
            });
        } else {
            // By selections: branches would cost a copy of all words, and spill registers.
            const bool by_two = (skew & 8) != 0;
#pragma unroll
            for (int i = 0; i < words + 2; ++i) word[i] = by_two ? word[i + 2] : word[i];
            if constexpr (alignof(T) == 4) {
                const bool by_one = (skew & 4) != 0;
#pragma unroll
                for (int i = 0; i < words + 1; ++i) word[i] = by_one ? word[i + 1] : word[i];
            }
        }
    }
    // The reverse, for results.
    __device__ static void move_up(std::uint32_t (&word)[words + 4], int skew) {
        if (alignof(T) == 4 && (skew & 4) != 0) {
#pragma unroll
            for (int i = words; i > 0; --i) word[i] = word[i - 1];
        }
        if ((skew & 8) != 0) {
#pragma unroll
            for (int i = words + 2; i > 1; --i) word[i] = word[i - 2];
        }
    }
    // The same by `distance` words and up to 3 bytes. The remaining bytes of the first and last
    // word are 0.
    template <int distance>
    __device__ static void move_up_narrow(std::uint32_t (&word)[words + 4], unsigned byte) {
#pragma unroll
        for (int i = words; i >= 0; --i) {
            word[i + distance] =
                word_between(i > 0 ? word[i - 1] : 0, i < words ? word[i] : 0, 4 - byte);
        }
    }
    // Calls `move` with the number of whole words in a skew as a constant, so that each number has
    // its own code.
    template <int distance = 0, class Move>
    __device__ static void by_words(int skew, const Move& move) {
        if (distance == 3 || skew / 4 == distance) {
            move(std::integral_constant<int, distance>{});
        } else if constexpr (distance < 3) {
            by_words<distance + 1>(skew, move);
        }
    }
    // The row begins and ends within vectors that it shares with the neighbouring threads: of the
    // first vector it has the part from the skew on, of the last the part up to the skew.
    __device__ static void store_ends(const std::uint32_t (&word)[words + 4], unsigned char* to,
                                      int skew) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const bool is_first = 4 * i >= skew;
            *reinterpret_cast<std::uint32_t*>(to + 4 * i + (is_first ? 0 : bytes)) =
                is_first ? word[i] : word[words + i];
        }
    }
    // The same at a skew of `distance` words and some bytes. A lane stores the vector that it
    // shares with the lane before it. The vectors at both ends of a warp's items are stored in
    // parts.
    template <int distance>
    __device__ static void store_narrow_ends(const std::uint32_t (&word)[words + 4],
                                             unsigned char* to, int byte) {
        std::uint32_t shared[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            shared[i] = word[i];
            if (i <= distance) {
                const std::uint32_t last =
                    backward ? shuffle_down(word[words + i], 1) : shuffle_up(word[words + i], 1);
                shared[i] = i < distance ? last : last | word[i];
            }
        }
        const bool is_first = is_first_lane<backward>();
        if (!is_first) store_vector(shared, to);
        if (!is_first && !is_last_lane<backward>()) return;
        unsigned char* const at = to + (is_first ? 0 : bytes);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t mine = is_first ? word[i] : word[words + i];
            if (i != distance) {
                if (is_first == (i > distance))
                    *reinterpret_cast<std::uint32_t*>(at + 4 * i) = mine;
                continue;
            }
            constexpr int unit = static_cast<int>(alignof(T));
#pragma unroll
            for (int b = 0; b < 4; b += unit) {
                if (is_first == (b >= byte)) {
                    *reinterpret_cast<unsigned_word<unit>*>(at + 4 * i + b) =
                        static_cast<unsigned_word<unit>>(mine >> (8 * b));
                }
            }
        }
    }

    // One of the two is used.
    std::uint32_t word_[in_vectors ? words + 4 : 1];
    T item_[in_vectors ? 1 : items];
};

/// Waits for the computing threads where results of type Out, at a skew, would overwrite items of
/// type In that another thread still has to read: at another skew or of another size, or where
/// threads read vectors that they share. (Barrier 2 is that of the computing threads in
/// pipelined.hpp.)
template <class In, class Out, int threads, int items, bool backward>
__device__ void wait_for_readers(int skew_in, int skew_out) {
    if (sizeof(In) != sizeof(Out) || skew_in != skew_out ||
        row_items<In, items, backward>::shares(skew_in)) {
        sync_threads<2, threads>();
    }
}

}  // namespace lookback::detail::device
