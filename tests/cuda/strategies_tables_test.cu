// The ways to make summed-area tables, through shapes, compared with running sums.
#include <string>

#include "support/device.hpp"
#include "support/table_strategies.hpp"

namespace lookback::test {
namespace {

using strategies::for_each_table, strategies::named;

/// Sizes around the edges of warps, transposed tiles, blocks of pixels, and rows of one tile and
/// more.
std::vector<image_size> table_sizes() {
    std::vector<image_size> all = {{1, 1}, {3, 5}, {33, 65}, {1, 2049}, {2049, 1}, {70, 2100}};
    if (reduced()) return all;
    for (const std::uint64_t n : {2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025,
                                  2047, 2048, 4096, 4097, 100'003, 5'000'011}) {
        all.insert(all.end(), {{1, n}, {n, 1}});
    }
    for (const image_size size : {image_size{0, 7},
                                  {7, 0},
                                  {16, 16},
                                  {17, 16},
                                  {31, 33},
                                  {64, 64},
                                  {255, 257},
                                  {100, 1030},
                                  {1030, 100},
                                  {513, 515},
                                  {2051, 67}}) {
        all.push_back(size);
    }
    return all;
}

/// Arrays with poison on both sides.
template <class T>
class table_strategy_check {
    static constexpr std::uint64_t guard = 64;

 public:
    explicit table_strategy_check(image_size size)
        : size_(size),
          image_(random_image(size, 9 + size.width)),
          in_(image_.size() + 2 * guard + 3),
          out_(image_.size() + 2 * guard) {}

    template <class Table>
    void run(strategies::device& gpu, const stream& on, const named<Table>& s) {
        SCOPED_TRACE(std::string(s.name) + ", " + std::to_string(size_.height) + " x " +
                     std::to_string(size_.width));
        device_array<pixel<T, 4>> want(right_table<T>(image_, size_, Table::is_transposed));
        in_.fill_with_poison();
        out_.fill_with_poison();
        rgb8* const in = in_.data() + guard + size_.width % 3;
        pixel<T, 4>* const out = out_.data() + guard;
        check(cudaMemcpy(in, image_.data(), image_.size() * sizeof(rgb8), cudaMemcpyHostToDevice),
              "copying");
        check(cudaDeviceSynchronize(), "copying");
        try {
            Table::run(gpu, static_cast<const rgb8*>(in), size_, out);
        } catch (const std::exception& e) {
            ADD_FAILURE() << e.what();
            return;
        }
        inspector compared(on);
        compared.compare(out, want.data(), image_.size() * sizeof(*out), guard * sizeof(*out),
                         guard * sizeof(*out));
        EXPECT_EQ(compared.result(sizeof(*out), guard), "") << "bytes; at which texel";
    }

 private:
    image_size size_;
    std::vector<rgb8> image_;
    device_array<rgb8> in_;
    device_array<pixel<T, 4>> out_;
};

template <class T>
void run_table_strategies() {
    const stream on;
    strategies::device gpu(on);
    for (const image_size size : table_sizes()) {
        table_strategy_check<T> table(size);
        for_each_table([&](auto s) {
            if (!::testing::Test::HasFailure()) table.run(gpu, on, s);
        });
    }
}

/// Stacks, which only rows-then-columns takes.
TEST(TableStrategies, RowsThenColumnsOfStacks) {
    const stream on;
    strategies::device gpu(on);
    constexpr std::uint64_t images = 37;
    for (const image_size size : {image_size{64, 64}, {5, 300}, {130, 3}}) {
        const image_size all{images * size.height, size.width};
        const std::vector<rgb8> stack = random_image(all, 3);
        std::vector<pixel<std::uint32_t, 4>> want;
        for (auto at = stack.begin(); at != stack.end(); at += std::ptrdiff_t(size.pixels())) {
            const auto one =
                right_table<std::uint32_t>({at, at + std::ptrdiff_t(size.pixels())}, size, false);
            want.insert(want.end(), one.begin(), one.end());
        }
        device_array<rgb8> in(stack);
        device_array<pixel<std::uint32_t, 4>> out(want.size());
        strategies::rows_then_columns::run(gpu, static_cast<const rgb8*>(in.data()), size,
                                           out.data(), images);
        EXPECT_TRUE(out.get() == want) << size.height << " x " << size.width;
    }
}

/// Windows looked up in a transposed table.
TEST(TableStrategies, LookUps) {
    const stream on;
    strategies::device gpu(on);
    for (const image_size size : {image_size{1, 1}, {1, 40}, {40, 1}, {16, 17}, {50, 33}}) {
        const std::vector<rgb8> image = random_image(size, 4);
        device_array<pixel<float, 4>> table(right_table<float>(image, size, true));
        for (const std::uint64_t radius : {0, 1, 5, 16, 60}) {
            device_array<pixel<float, 4>> out(image.size());
            strategies::look_up_windows<float>(gpu, table.data(), size, radius, out.data());
            EXPECT_TRUE(out.get() == right_windows<float>(image, size, radius))
                << size.height << " x " << size.width << ", radius " << radius;
        }
    }
}

}  // namespace

TEST(TableStrategies, Float) { run_table_strategies<float>(); }
TEST(TableStrategies, Uint32) { run_table_strategies<std::uint32_t>(); }

}  // namespace lookback::test
