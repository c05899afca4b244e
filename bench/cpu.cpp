// The benchmark of scans on the CPU: all implementations, on every cell of the table, interleaved.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "add_cell.hpp"
#include "openmp_peers.hpp"
#include "ours.hpp"
#include "peers.hpp"
#include "rounds.hpp"
#include "workloads.hpp"

namespace lookback::bench {
namespace {

// Sums of numbers and their running maximum. For sizes at which one thread may be enough, a copy by
// one thread is measured too.
template <class W, class... More>
void add_numbers(int exponent, const settings& with) {
    if (power(exponent) <= few_items) {
        add_cell<W, nontemporal_copy, memcpy_all, memcpy_one, sequential, par_unseq, tbb_scan,
                 tbb_simd, openmp, openmp_simd, ours>(power(exponent), with);
    } else {
        add_cell<W, nontemporal_copy, memcpy_all, sequential, par_unseq, tbb_scan, tbb_simd, openmp,
                 openmp_simd, ours, More...>(power(exponent), with);
    }
}

// Sizes that are too small for threads to pay off.
template <class T>
void add_small_sums(const settings& with) {
    const settings brief{with.rounds, with.min_seconds / 2, with.quick};
    for (const int exponent : {4, 6, 8, 12}) {
        add_cell<sum<T>, memcpy_one, sequential, openmp_simd, ours>(power(exponent), brief);
    }
}

template <class T>
void add_sums(const std::vector<int>& exponents, const settings& with) {
    if (!with.quick) add_small_sums<T>(with);
    for (const int exponent : exponents) {
        if (exponent == 28 && (std::same_as<T, std::int32_t> || std::same_as<T, float>)) {
            add_numbers<sum<T>, ours_exclusive, ours_in_place, ours_backward, ours_1_thread,
                        ours_16_threads>(exponent, with);
        } else {
            add_numbers<sum<T>>(exponent, with);
        }
    }
}

template <class W>
void add_products(int exponent, const settings& with) {
    add_cell<W, nontemporal_copy, memcpy_all, memcpy_one, sequential, par_unseq, tbb_scan, openmp,
             ours>(power(exponent), with);
}

void add_all(const settings& with) {
    const std::vector<int> exponents =
        with.quick ? std::vector{10, 14, 22} : std::vector{10, 14, 18, 22, 26, 28};
    std::vector<int> and_large = exponents;
    if (with.quick) and_large.push_back(28);
    add_sums<std::int32_t>(and_large, with);
    add_sums<float>(and_large, with);
    add_sums<std::int64_t>(exponents, with);
    add_sums<double>(exponents, with);
    add_sums<std::uint8_t>(and_large, with);
    add_sums<std::uint16_t>(exponents, with);
    for (const int exponent : exponents) {
        add_numbers<running_maximum<std::int32_t>>(exponent, with);
        add_numbers<running_maximum<float>>(exponent, with);
        if (exponent > 26) continue;
        add_products<matrix_product>(exponent, with);
        add_products<affine_product>(exponent, with);
    }
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    using namespace lookback::bench;
    return run_program(argc, argv,
                       "Measures the scan on the CPU against its peers and against a copy.",
                       settings{9, 0.01, false}, settings{3, 0.005, true}, add_all);
}
