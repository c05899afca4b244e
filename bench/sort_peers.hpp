/// \file
/// The sorts that are measured: the standard library's, oneTBB's, Highway's vqsort, x86-simd-sort's
/// and parlaylib's if they are in LOOKBACK_BENCH_PEERS, and this library's.
///
/// Each implementation is a type with `name` and, for the operations that it has, run(operation,
/// arrays). It says whether it sorts `in_place`, which means that the items to be sorted lie where
/// the results go; whether it sorts pairs as structures (`packed`); and whether it is `stable`.
#pragma once

#include <hwy/contrib/sort/vqsort.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <execution>
#include <utility>

#include "lookback/sort.hpp"
#include "memory.hpp"
#include "sort_workloads.hpp"

#if LOOKBACK_BENCH_X86_SIMD_SORT
#include <x86simdsort-static-incl.h>
#endif
#if LOOKBACK_BENCH_PARLAY
#include <parlay/primitives.h>
#include <parlay/slice.h>
#endif

namespace lookback::bench::sorting {

template <int threads>
struct ours_on {
    static constexpr bool in_place = false, packed = false, stable = true;
    static constexpr cpu where{threads};
    template <class Key>
    static void run(keys<Key>, const arrays<Key>& a) {
        sort_keys(where, a.in, a.in + a.items, a.out);
    }
    template <class Key>
    static void run(pairs, const arrays<Key>& a) {
        sort_pairs(where, a.in, a.in + a.items, a.places, a.out, a.places_out);
    }
    template <class Key>
    static void run(order, const arrays<Key>& a) {
        sort_order(where, a.in, a.in + a.items, a.places_out);
    }
};
struct ours : ours_on<0> {
    static constexpr const char* name = "ours";
};
struct ours_1_thread : ours_on<1> {
    static constexpr const char* name = "ours_1_thread";
};
struct ours_in_place {
    static constexpr const char* name = "ours_in_place";
    static constexpr bool in_place = true, packed = false, stable = true;
    template <class Key>
    static void run(keys<Key>, const arrays<Key>& a) {
        sort_keys(a.out, a.out + a.items, a.out);
    }
    template <class Key>
    static void run(pairs, const arrays<Key>& a) {
        sort_pairs(a.out, a.out + a.items, a.places_out, a.out, a.places_out);
    }
};

/// A copy of as many bytes.
struct memcpy_all {
    static constexpr const char* name = "memcpy_all";
    template <class Key>
    static void copy(const arrays<Key>& a, bool keys_too, bool places_too) {
        if (keys_too) memcpy_all_threads(a.in, a.out, a.items * sizeof(Key));
        if (places_too) memcpy_all_threads(a.places, a.places_out, a.items * sizeof(place));
    }
};

/// Sorts that sort a range with a comparison: numbers, structures by their keys, and places by the
/// keys at these places.
template <class Sort, bool is_stable>
struct by_comparison {
    static constexpr bool in_place = true, packed = true, stable = is_stable;
    template <class Key>
    static void run(keys<Key>, const arrays<Key>& a) {
        Sort::sort(a.out, a.out + a.items, std::less<>());
    }
    template <class Key>
    static void run(pairs, const arrays<Key>& a) {
        Sort::sort(a.pairs_out, a.pairs_out + a.items,
                   [](const pair& x, const pair& y) { return x.key < y.key; });
    }
    template <class Key>
    static void run(order, const arrays<Key>& a) {
        const Key* const key = a.in;
        Sort::sort(a.places_out, a.places_out + a.items,
                   [key](place x, place y) { return key[x] < key[y]; });
    }
};
struct std_sort : by_comparison<std_sort, false> {
    static constexpr const char* name = "std_sort";
    static void sort(auto* first, auto* last, const auto& less) { std::sort(first, last, less); }
};
struct std_stable_sort : by_comparison<std_stable_sort, true> {
    static constexpr const char* name = "std_stable_sort";
    static void sort(auto* first, auto* last, const auto& less) {
        std::stable_sort(first, last, less);
    }
};
struct tbb_sort : by_comparison<tbb_sort, false> {
    static constexpr const char* name = "tbb_sort";
    static void sort(auto* first, auto* last, const auto& less) {
        tbb::parallel_sort(first, last, less);
    }
};
struct par_unseq_stable : by_comparison<par_unseq_stable, true> {
    /// g++ 12's leaks half of the array in each call.
    static constexpr std::size_t most_items = std::size_t{1} << 24;
    static constexpr const char* name = "par_unseq_stable";
    static void sort(auto* first, auto* last, const auto& less) {
        std::stable_sort(std::execution::par_unseq, first, last, less);
    }
};

/// On one thread.
struct vqsort {
    static constexpr const char* name = "vqsort";
    static constexpr bool in_place = true, packed = true, stable = false;
    template <class Key>
    static void run(keys<Key>, const arrays<Key>& a) {
        hwy::Sorter()(a.out, a.items, hwy::SortAscending());
    }
    template <class Key>
    static void run(pairs, const arrays<Key>& a) {
        hwy::Sorter()(reinterpret_cast<hwy::K32V32*>(a.pairs_out), a.items, hwy::SortAscending());
    }
};

#if LOOKBACK_BENCH_X86_SIMD_SORT
/// On OpenMP's threads, from some 100,000 items on.
struct x86_simd_sort {
    static constexpr const char* name = "x86_simd_sort";
    static constexpr bool in_place = true, packed = false, stable = false;
    template <class Key>
    static void run(keys<Key>, const arrays<Key>& a) {
        x86simdsortStatic::qsort(a.out, a.items);
    }
    template <class Key>
    static void run(pairs, const arrays<Key>& a) {
        x86simdsortStatic::keyvalue_qsort(a.out, a.places_out, a.items);
    }
};
#endif

#if LOOKBACK_BENCH_PARLAY
/// The radix sort, on oneTBB's threads.
struct parlay_sort {
    static constexpr const char* name = "parlay_integer_sort";
    static constexpr bool in_place = true, packed = true, stable = true;
    template <class Key>
    static void run(keys<Key>, const arrays<Key>& a) {
        parlay::integer_sort_inplace(parlay::make_slice(a.out, a.out + a.items));
    }
    template <class Key>
    static void run(pairs, const arrays<Key>& a) {
        parlay::stable_integer_sort_inplace(parlay::make_slice(a.pairs_out, a.pairs_out + a.items),
                                            [](const pair& p) { return p.key; });
    }
};
#endif

}  // namespace lookback::bench::sorting
