// Summed-area tables on trial: every form, images of a few tiles, every driver; and box filters.
#include "lookback/summed_area.hpp"

#include <cmath>

#include "lookback/box_filter.hpp"
#include "support/box_windows.hpp"
#include "support/device_tables.hpp"
#include "support/summed_area.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

using tables_on_trial = test::tables_on_device<gpu_array>;

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
    c.in_gap = choices.below(4);
    c.out_gap = choices.below(4);
    c.shift = choices.below(3);
    choices.said("images", c.images);
    choices.said("height", c.height);
    choices.said("width", c.width);
    return c;
}

template <class In, class A>
void on_trial(int schedules) {
    for_schedules(schedules, [&](case_choices& choices) {
        lookback::gpu gpu;
        choose_driver(choices, gpu);
        choose_epoch<A>(choices, gpu);
        const auto c = draw_case(choices, detail::device::table_columns<A>);
        test::table_check<In, A, tables_on_trial>(c, tables_on_trial{gpu}).run();
    });
}

TEST(SummedArea, Uint32) { on_trial<std::uint32_t, std::uint32_t>(7); }
TEST(SummedArea, Bytes) { on_trial<std::uint8_t, std::uint32_t>(7); }
TEST(SummedArea, NarrowSums) { on_trial<std::uint8_t, std::uint16_t>(6); }
TEST(SummedArea, Doubles) { on_trial<float, double>(7); }
TEST(SummedArea, WideItems) { on_trial<double, float>(6); }
TEST(SummedArea, Pixels) { on_trial<pixel<std::uint8_t, 4>, pixel<std::uint32_t, 4>>(6); }
TEST(SummedArea, Shorts) { on_trial<std::uint16_t, std::uint32_t>(6); }
TEST(SummedArea, NarrowPixels) { on_trial<pixel<std::uint8_t, 3>, pixel<std::uint32_t, 3>>(6); }
// Items so wide that only one stage of them fits.
TEST(SummedArea, WidePixels) { on_trial<pixel<std::uint32_t, 4>, pixel<std::uint8_t, 4>>(7); }

TEST(BoxFilter, ARadiusForEachPixel) {
    using item = pixel<std::uint8_t, 3>;
    for_schedules(10, [&](case_choices& choices) {
        lookback::gpu gpu;
        choose_driver(choices, gpu);
        const image_extents e{choices.between(1, 80), choices.between(1, 80)};
        const std::size_t n = e.height * e.width;
        std::vector<item> items(n), want(n);
        std::vector<std::uint32_t> radii(n);
        for (std::size_t i = 0; i < n; ++i) {
            const auto bits = static_cast<std::uint32_t>(choices.bits());
            items[i] = {{static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
                         static_cast<std::uint8_t>(bits >> 16)}};
            radii[i] = bits >> 24 & 15;
        }
        const auto border = choices.of<image_border>(
            {image_border::clamp, image_border::zero, image_border::reflect});
        for (std::size_t i = 0; i < n; ++i) {
            for (int k = 0; k < 3; ++k) {
                const auto around = test::window_moments(
                    items, std::int64_t(e.height), std::int64_t(e.width), std::int64_t(i / e.width),
                    std::int64_t(i % e.width), radii[i], border, k);
                want[i].channel[k] = static_cast<std::uint8_t>(std::nearbyint(around.mean));
            }
        }
        gpu_array<item> in(items), out(n, choices.below(3));
        gpu_array<std::uint32_t> by(radii);
        const item* const from = in.data();
        const std::uint32_t* const radius = by.data();
        box_filter(gpu, from, e, radius, out.data(), border);
        EXPECT_EQ(out.get(n), want);
        EXPECT_TRUE(out.is_untouched_around(n));
    });
}

}  // namespace
}  // namespace lookback::trial
