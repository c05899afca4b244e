// More CUDA programs, beside headers.cu: sorts, of keys for each way to sort, and tables.
#include "lookback/box_filter.hpp"
#include "lookback/gpu.hpp"
#include "lookback/segmented_sort.hpp"
#include "lookback/sort.hpp"
#include "lookback/summed_area.hpp"

// Keys sorted digit by digit, with values; keys that are counted.
void sort(lookback::gpu& gpu, const float* keys, const double* values, int n, float* keys_out,
          double* values_out) {
    lookback::sort_pairs(gpu, keys, keys + n, values, keys_out, values_out);
}
void sort(lookback::gpu& gpu, const short* keys, int n, short* out) {
    lookback::sort_keys(gpu, keys, keys + n, out);
}

// Segments sorted in a warp's registers, in a block, and digit by digit.
void sort(lookback::gpu& gpu, const unsigned short* keys, int n, const long long* offsets,
          int segments, unsigned short* out) {
    lookback::segmented_sort_keys(gpu, keys, keys + n,
                                  lookback::segment_offsets{offsets, offsets + segments + 1}, out);
}

// Tables with entries wider than the items: entries of a few bytes, and of 16.
void sum(lookback::gpu& gpu, const unsigned char* image, lookback::image_extents extents,
         unsigned* table) {
    lookback::summed_area_table(gpu, image, extents, table);
}
void blur(lookback::gpu& gpu, const lookback::pixel<unsigned char, 4>* image,
          lookback::image_extents extents, const int* radii,
          lookback::pixel<unsigned char, 4>* out) {
    lookback::box_filter(gpu, image, extents, radii, out);
}
