// Box filters on trial: every result, for one radius and for radii by pixel, compared with loops
// over each pixel's window.
#include "lookback/box_filter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "support/box_windows.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

using detail::window_result;

// Items are integers, whose sums are exact in floats too.
template <window_result what, class Item, class Result>
std::vector<Result> right_results(const std::vector<Item>& items, const image_extents& e,
                                  const std::vector<std::int32_t>& radii, image_border border) {
    constexpr bool apart = what == window_result::mean_of_blurred;
    const auto height = static_cast<std::int64_t>(e.height);
    const auto width = static_cast<std::int64_t>(e.width);
    std::vector<Result> right(radii.size());
    for (std::size_t i = 0; i < right.size(); ++i) {
        const std::size_t row = i / e.width, first = row / e.height * e.height;
        const auto y = static_cast<std::int64_t>(row - first);
        const auto x = static_cast<std::int64_t>(i % e.width);
        const std::int64_t r = std::max(0, radii[i]);
        for (int k = 0; k < detail::channels_of<Item>::channels; ++k) {
            std::int64_t sum = 0, squares = 0, counted = 0;
            for (std::int64_t v = y - r; v <= y + r; ++v) {
                const std::int64_t above = test::beyond(v, height, border);
                for (std::int64_t u = x - r; above >= 0 && u <= x + r; ++u) {
                    const std::int64_t left = test::beyond(u, width, border);
                    if (left < 0) continue;
                    const std::size_t in_row = first + std::size_t(above);
                    const bool sharp = radii[in_row * e.width + std::size_t(left)] <= 0;
                    if (apart && r > 0 && sharp) continue;
                    const auto item = static_cast<std::int64_t>(
                        detail::channel_of(items[in_row * e.in_pitch + std::size_t(left)], k));
                    sum += item;
                    squares += item * item;
                    ++counted;
                }
            }
            using channel = detail::channel_type<Result>;
            const std::int64_t n = apart ? counted : detail::window_items(r);
            detail::channel_of(right[i], k) =
                what == window_result::variance
                    ? static_cast<channel>(detail::variance_of<double>(sum, squares, n))
                    : detail::mean_of<channel>(sum, n);
        }
    }
    return right;
}

// Images that have stretches of pixels with windows within the image, and others.
template <window_result what, class Item, class Result>
void on_trial(int schedules) {
    using channel = detail::channel_type<Result>;
    constexpr int channels = detail::channels_of<Result>::channels;
    for_schedules(schedules, [&](case_choices& choices) {
        lookback::gpu gpu;
        choose_driver(choices, gpu);
        image_extents e{choices.said("height", choices.between(1, 50)),
                        choices.said("width", choices.between(1, 270)), choices.between(1, 2)};
        e.in_pitch = e.width + choices.below(3);
        e.out_pitch = e.width + choices.below(3);
        const std::size_t n = e.images * e.height * e.width;
        const auto largest =
            choices.said("radius", choices.of<std::int32_t>({0, 1, 2, 3, 6, 11, 31, 32, 63, 64}));
        const bool each = choices.coin() || what == window_result::mean_of_blurred;
        const auto border = what == window_result::mean_of_blurred
                                ? image_border::clamp
                                : choices.of<image_border>({image_border::clamp, image_border::zero,
                                                            image_border::reflect});
        std::vector<Item> items(e.images * e.height * e.in_pitch);
        for (Item& item : items) {
            for (int k = 0; k < detail::channels_of<Item>::channels; ++k) {
                detail::channel_of(item, k) =
                    static_cast<detail::channel_type<Item>>(choices.below(256));
            }
        }
        std::vector<std::int32_t> radii(n, largest);
        if (each) {
            for (auto& radius : radii) {
                radius = static_cast<std::int32_t>(choices.below(std::uint64_t(largest) + 2)) - 1;
            }
            // One window that is too large for a ring: of its strip only.
            if (choices.coin()) radii[choices.below(n)] = 64;
        }
        gpu_array<Item> in(items);
        gpu_array<std::int32_t> by(radii);
        std::vector<float> depths(n);
        for (std::size_t i = 0; i < n; ++i) depths[i] = static_cast<float>(std::max(0, radii[i]));
        gpu_array<float> depth(depths);
        // Results may begin wherever their channels may begin.
        gpu_array<channel> out(e.images * e.height * e.out_pitch * channels, choices.below(5));
        auto* const to = reinterpret_cast<Result*>(out.data());
        const Item* const from = in.data();
        const std::int32_t* const radius = by.data();
        if constexpr (what == window_result::mean_of_blurred) {
            const float* const deep = depth.data();
            depth_of_field(gpu, from, deep, e, focus_settings{0, 1, true}, to);
        } else if constexpr (what == window_result::variance) {
            each ? box_variance(gpu, from, e, radius, to, border)
                 : box_variance(gpu, from, e, largest, to, border);
        } else {
            each ? box_filter(gpu, from, e, radius, to, border)
                 : box_filter(gpu, from, e, largest, to, border);
        }
        const auto got = out.get();
        const auto right = right_results<what, Item, Result>(items, e, radii, border);
        std::vector<channel> want(got.size());
        std::memset(want.data(), 0xA5, want.size() * sizeof(channel));  // gaps stay as they were
        for (std::size_t row = 0; row < e.images * e.height; ++row) {
            std::memcpy(want.data() + row * e.out_pitch * channels, right.data() + row * e.width,
                        e.width * sizeof(Result));
        }
        EXPECT_TRUE(same_items(got, want));
        EXPECT_TRUE(out.is_untouched_around(got.size()));
    });
}

template <class Item>
void fill_to_limits(case_choices& choices, std::vector<Item>& items) {
    using channel = detail::channel_type<Item>;
    using limits = std::numeric_limits<channel>;
    const bool at_limits = choices.coin();
    for (Item& item : items) {
        for (int k = 0; k < detail::channels_of<Item>::channels; ++k) {
            detail::channel_of(item, k) = !at_limits ? static_cast<channel>(choices.below(65536))
                                          : choices.one_in(10) ? limits::min()
                                                               : limits::max();
        }
    }
}

enum class call_form { plain, reversed, by_depths, in_a_graph };

// Small images by rings, as large ones are filtered: strips with windows that fit, and others.
template <class Item, class Result, call_form form>
void by_rings_on_trial(int schedules) {
    for_schedules(schedules, [&](case_choices& choices) {
        gpu_stream stream;
        lookback::gpu gpu(stream);
        choose_driver(choices, gpu);
        detail::device::access::use_small(gpu, false);
        const image_extents e{choices.said("height", choices.between(1, 40)),
                              choices.said("width", choices.between(1, 300)),
                              choices.between(1, 3)};
        const std::size_t n = e.images * e.height * e.width;
        const auto border = form == call_form::by_depths
                                ? image_border::clamp
                                : choices.of<image_border>({image_border::clamp, image_border::zero,
                                                            image_border::reflect});
        std::vector<Item> items(n);
        fill_to_limits(choices, items);
        std::vector<std::int32_t> radii(n);
        const auto choose_radii = [&](std::int32_t largest) {
            for (auto& radius : radii) {
                radius = choices.one_in(20) ? -5 : std::int32_t(choices.below(largest + 1U));
            }
            if (choices.one_in(3)) radii[choices.below(n)] = 64;
        };
        choose_radii(choices.said("radius", choices.of<std::int32_t>({1, 5, 31, 63})));
        gpu_array<Item> in(items);
        gpu_array<std::int32_t> by(radii);
        gpu_array<Result> out(n);
        const Item* const from = in.data();
        const std::int32_t* const radius = by.data();
        Result* const to = out.data();
        image_extents tight = e;  // with pitches, for right_results
        tight.in_pitch = tight.out_pitch = e.width;
        const auto expect_right = [&] {
            EXPECT_TRUE(same_items(out.get(), right_results<window_result::mean, Item, Result>(
                                                  items, tight, radii, border)));
        };
        if constexpr (form == call_form::plain) {
            box_filter(gpu, from, e, radius, to, border);
        } else if constexpr (form == call_form::reversed) {
            // Images, radii and results are all turned around.
            box_filter(gpu, std::reverse_iterator(from + n), e, std::reverse_iterator(radius + n),
                       std::reverse_iterator(to + n), border);
        } else if constexpr (form == call_form::by_depths) {
            std::vector<double> depths(n);
            for (std::size_t i = 0; i < n; ++i) {
                depths[i] = radii[i] < 0 ? std::nan("") : 3. + (choices.coin() ? 1 : -1) * radii[i];
            }
            gpu_array<double> depth(depths);
            const double* const deep = depth.data();
            depth_of_field(gpu, from, deep, e, focus_settings{3, 1}, to);
            return expect_right();
        } else {
            box_filter(gpu, from, e, radius, to, border);  // makes the room
            cudaStreamSynchronize(stream);
            cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
            box_filter(gpu, from, e, radius, to, border);
            cudaGraph_t graph = nullptr;
            cudaGraphExec_t replay = nullptr;
            cudaStreamEndCapture(stream, &graph);
            cudaGraphInstantiate(&replay, graph);
            cudaGraphDestroy(graph);
            for (int turn = 0; turn < 3; ++turn) {
                choose_radii(11);
                by.set(radii);
                cudaDeviceSynchronize();
                cudaGraphLaunch(replay, stream);
                cudaStreamSynchronize(stream);
                expect_right();
            }
            cudaGraphExecDestroy(replay);
            return;
        }
        expect_right();
        EXPECT_TRUE(out.is_untouched_around(n));
    });
}

template <class T>
void means_on_trial(int schedules) {
    on_trial<window_result::mean, T, T>(schedules);
}

TEST(BoxFilter, Bytes) { means_on_trial<std::uint8_t>(24); }
TEST(BoxFilter, PixelsOfThree) { means_on_trial<pixel<std::uint8_t, 3>>(16); }
TEST(BoxFilter, PixelsOfFour) { means_on_trial<pixel<std::uint8_t, 4>>(24); }
TEST(BoxFilter, ShortIntegers) { means_on_trial<pixel<std::int16_t, 2>>(12); }
TEST(BoxFilter, WideNumbers) {
    means_on_trial<std::uint16_t>(6);
    means_on_trial<float>(6);
}
TEST(BoxFilter, Floats) { means_on_trial<pixel<float, 4>>(8); }
TEST(BoxFilter, Variance) { on_trial<window_result::variance, std::uint8_t, double>(8); }
TEST(BoxFilter, NumbersByRings) {
    by_rings_on_trial<std::int8_t, std::int64_t, call_form::plain>(8);
    by_rings_on_trial<std::uint16_t, std::uint16_t, call_form::plain>(8);
    by_rings_on_trial<std::int16_t, std::int16_t, call_form::reversed>(8);
}
TEST(BoxFilter, PixelsByRings) {
    by_rings_on_trial<pixel<std::uint16_t, 3>, pixel<double, 3>, call_form::plain>(8);
    by_rings_on_trial<pixel<std::uint8_t, 2>, pixel<float, 2>, call_form::by_depths>(8);
    by_rings_on_trial<pixel<std::uint8_t, 4>, pixel<std::uint8_t, 4>, call_form::in_a_graph>(6);
}
TEST(BoxFilter, SharpPixelsApart) {
    using item = pixel<std::uint8_t, 2>;
    on_trial<window_result::mean_of_blurred, item, item>(8);
}

}  // namespace
}  // namespace lookback::trial
