/// \file
/// The peers that use OpenMP's scan directive (OpenMP 5.0, section 2.9.6): with all threads, with
/// SIMD alone, and with SIMD as the body of tbb::parallel_scan, which is more than its users
/// usually write.
///
/// The text of the directive names the reduction by its operator, so each workload has a loop of
/// its own.
#pragma once

#include <omp.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <cstddef>

#include "workloads.hpp"

namespace lookback::bench {

#pragma omp declare reduction(product:matrix : omp_out = matrix_product::op{}(omp_out, omp_in)) \
    initializer(omp_priv = matrix_product::identity)
#pragma omp declare reduction(product:affine_map : omp_out =             \
                                  affine_product::op{}(omp_out, omp_in)) \
    initializer(omp_priv = affine_product::identity)

template <class T>
void openmp_loop(sum<T>, const T* in, T* out, std::size_t items) {
    T s = 0;
#pragma omp parallel for simd reduction(inscan, + : s)
    for (std::size_t i = 0; i < items; ++i) {
        s = static_cast<T>(s + in[i]);
#pragma omp scan inclusive(s)
        out[i] = s;
    }
}

template <class T>
void openmp_loop(running_maximum<T> w, const T* in, T* out, std::size_t items) {
    T s = w.identity;
#pragma omp parallel for simd reduction(inscan, max : s)
    for (std::size_t i = 0; i < items; ++i) {
        s = s < in[i] ? in[i] : s;
#pragma omp scan inclusive(s)
        out[i] = s;
    }
}

/// Of matrices, and of affine maps.
template <class W, class T = typename W::item>
void openmp_loop(W, const T* in, T* out, std::size_t items) {
    T s = W::identity;
#pragma omp parallel for reduction(inscan, product : s)
    for (std::size_t i = 0; i < items; ++i) {
        s = typename W::op{}(s, in[i]);
#pragma omp scan inclusive(s)
        out[i] = s;
    }
}

/// One thread: `s` goes in as the fold so far and is returned as the fold up to here.
template <class T>
T simd_loop(sum<T>, const T* in, T* out, std::size_t items, T s) {
#pragma omp simd reduction(inscan, + : s)
    for (std::size_t i = 0; i < items; ++i) {
        s = static_cast<T>(s + in[i]);
#pragma omp scan inclusive(s)
        out[i] = s;
    }
    return s;
}

template <class T>
T simd_loop(running_maximum<T>, const T* in, T* out, std::size_t items, T s) {
#pragma omp simd reduction(inscan, max : s)
    for (std::size_t i = 0; i < items; ++i) {
        s = s < in[i] ? in[i] : s;
#pragma omp scan inclusive(s)
        out[i] = s;
    }
    return s;
}

template <class T>
T simd_fold(sum<T>, const T* in, std::size_t items, T s) {
#pragma omp simd reduction(+ : s)
    for (std::size_t i = 0; i < items; ++i) s = static_cast<T>(s + in[i]);
    return s;
}

template <class T>
T simd_fold(running_maximum<T>, const T* in, std::size_t items, T s) {
#pragma omp simd reduction(max : s)
    for (std::size_t i = 0; i < items; ++i) s = s < in[i] ? in[i] : s;
    return s;
}

struct openmp {
    static constexpr const char* name = "openmp";
    /// The team of threads starts at its first parallel region, which is not measured.
    static void wake() {
#pragma omp parallel
        {}
    }
    /// After their work the threads would spin for a while, and slow down the next implementation.
    static void rest() { omp_pause_resource_all(omp_pause_hard); }
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        openmp_loop(W{}, in, out, items);
    }
};

struct openmp_simd {
    static constexpr const char* name = "openmp_simd";
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        simd_loop(W{}, in, out, items, W::identity);
    }
};

struct tbb_simd {
    static constexpr const char* name = "tbb_simd";
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        tbb::parallel_scan(
            tbb::blocked_range<std::size_t>(0, items), W::identity,
            [in, out](const tbb::blocked_range<std::size_t>& part, T fold, bool is_final) {
                const T* const from = in + part.begin();
                return is_final ? simd_loop(W{}, from, out + part.begin(), part.size(), fold)
                                : simd_fold(W{}, from, part.size(), fold);
            },
            typename W::op{});
    }
};

}  // namespace lookback::bench
