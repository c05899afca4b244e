// Summed-area tables on trial: every form, images of a few tiles, every driver.
#include "lookback/summed_area.hpp"

#include "support/device_tables.hpp"
#include "support/summed_area.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

using tables_on_trial = test::tables_on_device<gpu_array>;

/// Tables of squares take as many kernels again: only for some types, among them the widest sums.
template <class In, class A>
constexpr bool squares_too = (std::is_same_v<A, std::uint32_t> && sizeof(In) != 2) ||
                             std::is_same_v<A, double> || sizeof(A) == 12;
template <class In, class A>
using table_check = test::table_check<In, A, tables_on_trial, squares_too<In, A>>;

// An image of a few tiles, in one direction or in both, or several small images. With narrow tiles,
// also more tiles in both directions.
test::table_case draw_case(case_choices& choices, std::uint64_t tile) {
    const std::uint64_t down[] = {64, 128, 200, 600, 1100};
    const std::uint64_t across[] = {tile, 2 * tile, 3 * tile, 9 * tile, 18 * tile};
    test::table_case c{};
    const auto shape = choices.below(tile > 32 ? 4 : 5);
    const bool is_high = shape == 2 || shape == 4, is_wide = shape == 3 || shape == 4;
    c.images = shape == 0 ? choices.between(1, 9) : 1;
    c.height = is_high ? down[choices.below(5)] : choices.of<std::uint64_t>({1, 33, 64, 130});
    c.width = is_wide ? across[choices.below(5)] : choices.between(1, 3 * tile);
    c.height -= choices.below(std::min<std::uint64_t>(c.height, 3));
    c.in_gap = choices.below(3);
    c.out_gap = choices.below(3);
    c.shift = choices.below(3);
    choices.said("images", c.images);
    choices.said("height", c.height);
    choices.said("width", c.width);
    return c;
}

// So many images of one tile that a block claims several of them at a time. They fill more than
// half of the tile.
template <class A>
test::table_case draw_small_images(case_choices& choices) {
    using namespace detail;
    constexpr std::uint64_t tile = device::table_columns<A>;
    test::table_case c{};
    c.images = choices.said("images", choices.between(32, 45));
    c.height = choices.said("height", choices.of<std::uint64_t>({33, 63, 64}));
    c.width = choices.said("width", choices.coin() ? tile : choices.between(tile / 2 + 1, tile));
    c.in_gap = choices.below(2);
    c.out_gap = choices.below(2);
    c.shift = choices.below(2);
    table_shape shape{};
    shape.images = c.images;
    shape.height = c.height;
    shape.width = c.width;
    EXPECT_GT(device::walks_of(device::tiles_of_tables<A>(shape), 1, 1, true).whole, 1U);
    return c;
}

template <class In, class A>
void small_images_on_trial(int schedules) {
    for_schedules(schedules, [&](case_choices& choices) {
        lookback::gpu gpu;
        using detail::device::access;
        if (choices.one_in(3)) access::copy_in_bulk(gpu, false);
        access::limit_blocks(gpu, 1);
        choose_epoch<A>(choices, gpu);
        const auto c = draw_small_images<A>(choices);
        table_check<In, A>(c, tables_on_trial{gpu}).run();
    });
}

// Images that a part of a warp takes: low, or high and at most half as wide as a tile.
template <class A>
test::table_case draw_narrow_images(case_choices& choices) {
    constexpr std::uint64_t tile = detail::device::table_columns<A>;
    test::table_case c{};
    const bool is_high = choices.one_in(3);
    c.height = is_high ? choices.of<std::uint64_t>({33, 64, 65, 130, 600, 1100})
                       : choices.of<std::uint64_t>({1, 2, 9, 32});
    c.height = choices.said("height", c.height);
    c.width = choices.said("width", choices.between(1, is_high ? tile / 2 : tile));
    if (choices.coin()) c.width = (c.width + 3) / 4 * 4;
    c.images = choices.said("images", choices.between(1, c.height > 200 ? 5 : 40));
    c.in_gap = choices.coin() ? 0 : choices.of<std::uint64_t>({1, 4});
    c.out_gap = choices.coin() ? 0 : choices.of<std::uint64_t>({1, 4});
    c.shift = choices.below(2);
    return c;
}

template <class In, class A>
void narrow_images_on_trial(int schedules) {
    for_schedules(schedules, [&](case_choices& choices) {
        lookback::gpu gpu;
        detail::device::access::limit_blocks(gpu, 1);  // so no number of images is too small
        const auto c = draw_narrow_images<A>(choices);
        table_check<In, A>(c, tables_on_trial{gpu}).run();
    });
}

template <class In, class A>
void on_trial(int schedules) {
    for_schedules(schedules, [&](case_choices& choices) {
        lookback::gpu gpu;
        choose_driver(choices, gpu);
        choose_epoch<A>(choices, gpu);
        const auto c = draw_case(choices, detail::device::table_columns<A>);
        table_check<In, A>(c, tables_on_trial{gpu}).run();
    });
}

// Entries whose size is no multiple of a word take more room when they are sent to other blocks.
struct packed_rgb {
    std::uint32_t bits;
    explicit operator pixel<std::uint16_t, 3>() const;
};
template <class In, class A>
constexpr bool fits_in_shared_memory = [] {
    using namespace detail;
    using problem = device::table_problem<const In*, A*, no_array>;
    using shape = device::table_walker_shape<problem, true>;
    return sizeof(device::table_walker_memory<shape>) + shape::stages * shape::stage_bytes <=
           device::hopper_shared_bytes;
}();
static_assert(fits_in_shared_memory<packed_rgb, pixel<std::uint16_t, 3>>);
static_assert(fits_in_shared_memory<std::uint8_t, std::uint64_t>);

TEST(SummedArea, Uint32) { on_trial<std::uint32_t, std::uint32_t>(5); }
TEST(SummedArea, Bytes) { on_trial<std::uint8_t, std::uint32_t>(5); }
TEST(SummedArea, NarrowSums) { on_trial<std::uint8_t, std::uint16_t>(4); }
TEST(SummedArea, Doubles) { on_trial<float, double>(5); }
TEST(SummedArea, WideItems) { on_trial<double, float>(4); }
TEST(SummedArea, Pixels) { on_trial<pixel<std::uint8_t, 4>, pixel<std::uint32_t, 4>>(4); }
TEST(SummedArea, Shorts) { on_trial<std::uint16_t, std::uint32_t>(4); }
TEST(SummedArea, NarrowPixels) { on_trial<pixel<std::uint8_t, 3>, pixel<std::uint32_t, 3>>(4); }
// Items so wide that only one stage of them fits.
TEST(SummedArea, WidePixels) { on_trial<pixel<std::uint32_t, 4>, pixel<std::uint8_t, 4>>(5); }

TEST(SummedArea, SmallImages) {
    small_images_on_trial<std::uint32_t, std::uint32_t>(2);
    small_images_on_trial<std::uint8_t, std::uint32_t>(2);
    small_images_on_trial<float, double>(2);
}

TEST(SummedArea, NarrowImages) {
    narrow_images_on_trial<std::uint32_t, std::uint32_t>(4);
    narrow_images_on_trial<std::uint8_t, std::uint32_t>(4);
    narrow_images_on_trial<float, double>(3);
    narrow_images_on_trial<std::uint8_t, std::uint16_t>(3);
    narrow_images_on_trial<pixel<std::uint8_t, 3>, pixel<std::uint32_t, 3>>(3);
}

}  // namespace
}  // namespace lookback::trial
