// Summed-area tables on a GPU in every form, compared with plain loops bit by bit.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lookback/summed_area.hpp"
#include "support/device.hpp"
#include "support/device_tables.hpp"
#include "support/summed_area.hpp"

namespace lookback::test {
namespace {

using tables_on_gpu = tables_on_device<device_array>;

template <class In, class A>
void check_on_gpu() {
    const stream on;
    for (const bool pipelined : {true, false}) {
        gpu where(on);
        detail::device::access::use_pipeline(where, pipelined);
        for (const table_case& c : table_cases()) {
            if (reduced() && c.images * c.height * c.width > 50'000) continue;
            table_check<In, A, tables_on_gpu>(c, tables_on_gpu{where}).run();
            if (::testing::Test::HasFailure()) return;
        }
    }
}

TEST(SummedArea, Bytes) { check_on_gpu<std::uint8_t, std::uint32_t>(); }
TEST(SummedArea, ShortsInWideSums) { check_on_gpu<std::uint16_t, std::uint64_t>(); }
TEST(SummedArea, BytesInBytes) { check_on_gpu<std::uint8_t, std::uint8_t>(); }
TEST(SummedArea, Integers) { check_on_gpu<std::int32_t, std::int32_t>(); }
TEST(SummedArea, Floats) { check_on_gpu<float, float>(); }
TEST(SummedArea, FloatsInDoubles) { check_on_gpu<float, double>(); }
TEST(SummedArea, WideItems) { check_on_gpu<double, float>(); }
TEST(SummedArea, PixelsOfThree) { check_on_gpu<pixel<std::uint8_t, 3>, pixel<std::uint32_t, 3>>(); }
TEST(SummedArea, PixelsOfFour) { check_on_gpu<pixel<std::uint8_t, 4>, pixel<std::uint32_t, 4>>(); }
TEST(SummedArea, PixelsOfFloats) { check_on_gpu<pixel<float, 4>, pixel<double, 4>>(); }
// Two stages of these pixels do not fit.
TEST(SummedArea, WidePixels) { check_on_gpu<pixel<std::uint32_t, 4>, pixel<std::uint8_t, 4>>(); }
TEST(SummedArea, Structs) { check_on_gpu<tally, tally>(); }
TEST(SummedArea, Shorts) { check_on_gpu<std::uint16_t, std::uint32_t>(); }

// There are more batches of rows of tiles than clusters that run at once, so rows are walked in
// parts. The last batch is not whole.
TEST(SummedArea, RowsInParts) {
    if (reduced()) GTEST_SKIP() << "large images";
    const stream on;
    gpu where(on);
    const table_case c{1, 8300, 1300, 1, 0, 1};
    table_check<float, float, tables_on_gpu>(c, tables_on_gpu{where}).run();
    table_check<std::uint8_t, std::uint32_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
}

// Rows of tiles are cut into short parts, because there are fewer batches of them than clusters.
TEST(SummedArea, RowsInShortParts) {
    if (reduced()) GTEST_SKIP() << "large images";
    const stream on;
    gpu where(on);
    const table_case c{1, 2300, 2900, 1, 0, 1}, two{2, 1100, 700};
    table_check<float, float, tables_on_gpu>(c, tables_on_gpu{where}).run();
    table_check<std::uint8_t, std::uint32_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
    table_check<pixel<std::uint8_t, 4>, pixel<std::uint32_t, 4>, tables_on_gpu>(
        two, tables_on_gpu{where})
        .run();
}

// There are so many images that a block claims several of them at a time.
TEST(SummedArea, ManySmallImages) {
    if (reduced()) GTEST_SKIP() << "large images";
    const stream on;
    gpu where(on);
    const table_case c{10'000, 64, 64};
    table_check<float, float, tables_on_gpu>(c, tables_on_gpu{where}).run();
    table_check<std::uint8_t, std::uint32_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
}

// Images that a part of a warp takes. Where few blocks run at once, it takes any number of them.
TEST(SummedArea, NarrowImages) {
    const stream on;
    for (const table_case& c : std::vector<table_case>{{37, 8, 8},
                                                       {37, 5, 9, 1, 1, 1},
                                                       {20, 33, 20},
                                                       {20, 64, 37, 3, 11, 0},
                                                       {40, 130, 3, 1, 0, 1},
                                                       {9, 600, 64},
                                                       {9, 1100, 40, 0, 1, 0},
                                                       {300, 1, 1},
                                                       {50, 20, 128}}) {
        gpu where(on);
        detail::device::access::limit_blocks(where, 1);
        table_check<float, float, tables_on_gpu>(c, tables_on_gpu{where}).run();
        table_check<std::uint8_t, std::uint32_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
        table_check<float, double, tables_on_gpu>(c, tables_on_gpu{where}).run();
        table_check<std::uint8_t, std::uint8_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
        table_check<pixel<std::uint8_t, 3>, pixel<std::uint32_t, 3>, tables_on_gpu>(
            c, tables_on_gpu{where})
            .run();
    }
    if (reduced()) return;
    gpu where(on);
    for (const table_case& c :
         std::vector<table_case>{{50'000, 8, 8}, {10'000, 33, 20, 1, 1, 1}, {20'000, 130, 5}}) {
        table_check<float, float, tables_on_gpu>(c, tables_on_gpu{where}).run();
        table_check<std::uint8_t, std::uint32_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
    }
}

__global__ void fill_bytes(std::uint8_t* p, std::uint64_t n) {
    for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < n;
         i += std::uint64_t{gridDim.x} * blockDim.x) {
        p[i] = static_cast<std::uint8_t>(i * 2654435761U >> 13);
    }
}
// Compares the differences of each entry and its neighbours with the items. The table is right if
// it begins right and all these differences are right.
__global__ void check_differences(const std::uint8_t* in, const std::uint32_t* out,
                                  std::uint64_t height, std::uint64_t width, verdict* v) {
    for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < height * width;
         i += std::uint64_t{gridDim.x} * blockDim.x) {
        const std::uint64_t x = i % width;
        const std::uint32_t left = x > 0 ? out[i - 1] : 0, above = i >= width ? out[i - width] : 0;
        const std::uint32_t corner = x > 0 && i >= width ? out[i - width - 1] : 0;
        if (out[i] - left - above + corner != in[i]) report(v, i);
    }
}
void check_large(std::uint64_t height, std::uint64_t width) {
    const stream on;
    gpu where(on);
    device_array<std::uint8_t> in(height * width);
    device_array<std::uint32_t> out(height * width);
    fill_bytes<<<4096, 256, 0, on>>>(in.data(), height * width);
    summed_area_table(where, in.data(), image_extents{height, width}, out.data());
    inspector look(on);
    check_differences<<<4096, 256, 0, on>>>(in.data(), out.data(), height, width, look.start());
    look.finish();
    EXPECT_EQ(look.result(), "") << height << " x " << width;
}
TEST(SummedArea, Large) {
    if (reduced()) GTEST_SKIP() << "large images";
    check_large(65'536, 65'536);
    check_large(1, 100'000'000);
    check_large(100'000'000, 1);
    check_large(9'999, 100'003);
}

}  // namespace
}  // namespace lookback::test
