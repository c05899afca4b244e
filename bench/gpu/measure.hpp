/// \file
/// The cells, by groups of types. Each group is a file of its own, so that they compile in
/// parallel.
#pragma once

#include "program.hpp"

namespace lookback::bench {

void measure_sum_u8(session& s, const observer& tell);
void measure_sum_u16(session& s, const observer& tell);
void measure_sum_i32(session& s, const observer& tell);
void measure_sum_i64(session& s, const observer& tell);
void measure_sum_f32(session& s, const observer& tell);
void measure_sum_f64(session& s, const observer& tell);
void measure_maxima(session& s, const observer& tell);
void measure_affine(session& s, const observer& tell);
void measure_sums_anywhere(session& s, const observer& tell);

}  // namespace lookback::bench
