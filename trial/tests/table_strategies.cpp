// The CUDA strategies for summed-area tables on trial. The library's own tables, and its scans
// along an axis, have other tests.
#include "support/table_strategies.hpp"

#include <functional>
#include <vector>

#include "support/values.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

using test::image_size, test::rgb8;

/// Heights and widths near the sizes of tiles to transpose and of warps; sometimes one long side.
image_size choose_size(case_choices& choices) {
    const auto side = [&](std::uint64_t most) {
        return choices.one_in(3) ? choices.of<std::uint64_t>({0, 1, 2, 31, 32, 33})
                                 : choices.below(most);
    };
    image_size size{side(50), side(50)};
    if (choices.one_in(8)) {  // more than a block of pixels
        size = {choices.between(1, 2), choices.between(255, 600)};
        if (choices.coin()) std::swap(size.height, size.width);
    }
    choices.said("height", size.height);
    choices.said("width", size.width);
    return size;
}

template <class T, class Table>
void try_table(case_choices& choices) {
    strategies::device gpu;
    // Two calls share the memory between kernels.
    for (std::uint64_t calls = choices.between(1, 2); calls > 0; --calls) {
        const image_size size = choose_size(choices);
        const auto image = test::random_image(size, choices.bits());
        gpu_array<rgb8> in(image, choices.shift());
        gpu_array<pixel<T, 4>> out(image.size());
        Table::run(gpu, static_cast<const rgb8*>(in.data()), size, out.data());
        const auto want = test::right_table<T>(image, size, Table::is_transposed);
        EXPECT_TRUE(same_items(out.get(), want));
        EXPECT_TRUE(in.is_untouched_around(image.size()) && out.is_untouched_around(image.size()));
        EXPECT_TRUE(same_items(in.get(), image)) << "the input has changed";
    }
}

/// `schedules` schedules for each strategy.
template <class T>
void on_trial(int schedules) {
    std::vector<std::function<void(case_choices&)>> all;
    strategies::for_each_table([&]<class Table>(const strategies::named<Table>& s) {
        if constexpr (!std::is_same_v<Table, strategies::library_table>) {
            all.push_back([s](case_choices& c) {
                c.text = s.name;
                try_table<T, Table>(c);
            });
        }
    });
    for_schedules(schedules * static_cast<int>(all.size()), [&](case_choices& c) { c.of(all)(c); });
}

TEST(TableStrategies, Float) { on_trial<float>(12); }
TEST(TableStrategies, Uint32) { on_trial<std::uint32_t>(12); }

/// Windows looked up in a transposed table.
TEST(TableStrategies, LookUps) {
    for_schedules(12, [](case_choices& choices) {
        image_size size{choices.between(1, 40), choices.between(1, 40)};
        choices.said("height", size.height);
        choices.said("width", size.width);
        const std::uint64_t radius = choices.said("radius", choices.below(50));
        const auto image = test::random_image(size, choices.bits());
        gpu_array<pixel<float, 4>> table(test::right_table<float>(image, size, true));
        gpu_array<pixel<float, 4>> out(image.size());
        strategies::device gpu;
        strategies::look_up_windows<float>(gpu, table.data(), size, radius, out.data());
        EXPECT_TRUE(same_items(out.get(), test::right_windows<float>(image, size, radius)));
        EXPECT_TRUE(out.is_untouched_around(image.size()));
    });
}

/// Rows for every shape of tile, and rows of several tiles.
TEST(TableStrategies, RowsOfSeveralTiles) {
    for_schedules(40, [](case_choices& choices) {
        const std::uint64_t rows = choices.said("rows", choices.between(1, 3));
        const std::uint64_t width = choices.said(
            "width", choices.coin() ? choices.between(1, 7000)
                                    : choices.of<std::uint64_t>(
                                          {511, 512, 513, 1024, 1025, 2048, 2049, 6144}));
        const auto items = test::random_values<std::uint32_t>(rows * width, choices.bits());
        const bool in_place = choices.said("in place", choices.coin());
        gpu_array<std::uint32_t> in(items, choices.shift()), out(items.size(), choices.shift());
        strategies::device gpu;
        strategies::carver counted;
        strategies::row_scans<std::uint32_t>(counted, rows, width);
        strategies::carver memory(gpu.memory(counted.bytes()));
        auto& to = in_place ? in : out;
        strategies::row_scans<std::uint32_t>(memory, rows, width)
            .run(gpu, in.data(), to.data(), plus<>{});
        auto want = items;
        for (std::uint64_t i = 0; i < want.size(); ++i) {
            if (i % width > 0) want[i] += want[i - 1];
        }
        EXPECT_TRUE(same_items(to.get(), want));
        EXPECT_TRUE(in.is_untouched_around(items.size()) &&
                    out.is_untouched_around(in_place ? 0 : items.size()));
    });
}

}  // namespace
}  // namespace lookback::trial
