/// \file
/// The ways to make a summed-area table of an RGB8 image on CUDA, as types with run(device, in,
/// size, out), and the names by which the registry and the tests find them. `is_transposed`: the
/// entry of pixel (x, y) lies at (y, x).
#pragma once

#include "lookback/summed_area.hpp"
#include "named.cuh"
#include "tables/log_steps.cuh"
#include "tables/rows_then_columns.cuh"
#include "tables/six_scans.cuh"

namespace lookback::strategies {

/// The library's own table, made in one pass, as one of the strategies.
struct library_table {
    static constexpr bool is_transposed = false;

    template <class T>
    static void run(device& gpu, const rgb8* in, image_size size, pixel<T, 4>* out) {
        summed_area_table(gpu.gpu(), in, image_extents{size.height, size.width}, out);
    }
};

/// Calls f(named<Table>) for each.
template <class F>
void for_each_table(F&& f) {
    f(named<six_scans>{"cuda-table-six-scans"});
    f(named<log_steps<2>>{"cuda-table-steps-of-two"});
    f(named<log_steps<4>>{"cuda-table-steps-of-four"});
    f(named<log_steps<16>>{"cuda-table-steps-of-sixteen"});
    f(named<rows_then_columns>{"cuda-table-rows-then-columns"});
    f(named<library_table>{"cuda-table-library"});
}

}  // namespace lookback::strategies
