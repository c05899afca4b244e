/// \file
/// Eight items a thread, as two vectors of four neighbours. Each vector is scanned item by item;
/// then Blelloch's sweeps, padded and unrolled, scan the vectors' folds (Harris, Sengupta & Owens,
/// GPU Gems 3, 39.2.5, after Lichterman).
#pragma once

#include <cstring>

#include "../machine.cuh"
#include "blocked.cuh"
#include "work_efficient.cuh"

namespace lookback::strategies {

template <class T, int block_threads>
class vectors_tile {
    using tree = sweeps<true, true>;
    static constexpr int width = 4;
    static constexpr int pieces = width * static_cast<int>(sizeof(T)) / 16;  // loads of a vector
    static constexpr bool has_vectors = width * sizeof(T) % 16 == 0;

 public:
    static constexpr int threads = block_threads;
    static constexpr int vectors = 2 * threads;
    static constexpr int tile_items = vectors * width;
    struct storage {
        T folds[tree::template places<vectors>];
    };

    explicit __device__ vectors_tile(storage& s) : storage_(s) {}

    __device__ void load(const T* in, int count) {
        const bool whole = has_vectors && count == tile_items && on_vector_boundary(in);
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int first = at(k);
            if (whole) {
                uint4 held[pieces + !has_vectors];
#pragma unroll
                for (int p = 0; p < pieces; ++p) {
                    held[p] = reinterpret_cast<const uint4*>(in + first)[p];
                }
                std::memcpy(mine_[k], held, sizeof(mine_[k]) * has_vectors);
            } else {
#pragma unroll
                for (int i = 0; i < width; ++i) {
                    mine_[k][i] = in[first + i < count ? first + i : count - 1];
                }
            }
        }
    }

    template <class Op>
    __device__ T scan(const Op& op) {
#pragma unroll
        for (int k = 0; k < 2; ++k) {
#pragma unroll
            for (int i = 1; i < width; ++i) mine_[k][i] = op(mine_[k][i - 1], mine_[k][i]);
            storage_.folds[tree::at(vector(k))] = mine_[k][width - 1];
        }
        return tree::template exclusive_scan<vectors>(storage_.folds, op);
    }

    template <class Op>
    __device__ void store(T* out, int count, const prefix<T>& before_tile, const Op& op) {
        const bool whole = has_vectors && count == tile_items && on_vector_boundary(out);
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const prefix<T> of_vector{vector(k) > 0, storage_.folds[tree::at(vector(k))]};
            const prefix<T> before = before_tile.then(of_vector, op);
            if (before.exists) {
#pragma unroll
                for (T& x : mine_[k]) x = op(before.value, x);
            }
            const int first = at(k);
            if (whole) {
                uint4 held[pieces + !has_vectors];
                std::memcpy(held, mine_[k], sizeof(mine_[k]) * has_vectors);
#pragma unroll
                for (int p = 0; p < pieces; ++p) {
                    reinterpret_cast<uint4*>(out + first)[p] = held[p];
                }
            } else {
#pragma unroll
                for (int i = 0; i < width; ++i) {
                    if (first + i < count) out[first + i] = mine_[k][i];
                }
            }
        }
    }

 private:
    // A thread's two vectors lie in the two halves of the tile, as the items of `blelloch` do.
    static __device__ int vector(int k) { return k * threads + thread_in_block(); }
    static __device__ int at(int k) { return width * vector(k); }

    storage& storage_;
    T mine_[2][width];
};

template <class T>
using vector_tile = vectors_tile<T, 256>;

}  // namespace lookback::strategies
