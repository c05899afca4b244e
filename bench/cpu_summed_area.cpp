// The benchmark of summed-area tables and box filters on the CPU: this library, plain loops, OpenCV
// if it is installed, and a copy that moves as many bytes (half of them read, half written).

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lookback/box_filter.hpp"
#include "memory.hpp"
#include "nontemporal_copy.hpp"
#include "open_cell.hpp"
#include "rounds.hpp"

#if LOOKBACK_BENCH_OPENCV
#include <opencv2/imgproc.hpp>
#endif

namespace lookback::bench {
namespace {

constexpr int radius = 12;  // of the box filters

enum class gives { table, bordered_table, means, nothing };

template <class T, class A>
struct images;
template <class T, class A>
void sequential(images<T, A>& all);

template <class T, class A>
struct way {
    const char* name;
    void (*run)(images<T, A>&);
    gives result;
};

/// A cell: an image and its table, which is one row and one column larger, for all ways. Before
/// anything is timed, the result of each way is checked once; a wrong one ends the program.
template <class T, class A>
struct images : any_cell {
    std::string name;
    std::size_t height, width;
    std::vector<way<T, A>> ways;
    std::unique_ptr<T[]> in;
    std::unique_ptr<A[]> out;
    std::unique_ptr<std::byte[]> copied;  // what the copy reads

    images(std::string n, std::size_t side, std::vector<way<T, A>> all)
        : name(std::move(n)), height(side), width(side), ways(std::move(all)) {}
    std::size_t moved_bytes() const { return height * width * (sizeof(T) + sizeof(A)); }

 private:
    void prepare() override {
        in = make_array<T>(height * width);
        out = make_array<A>((height + 1) * (width + 1));
        copied = make_array<std::byte>(moved_bytes() / 2);
        fill(copied.get(), moved_bytes() / 2, [](std::size_t) { return std::byte{1}; });
        // Floats whose sums are exact in any order.
        fill(in.get(), height * width, [](std::size_t i) {
            if constexpr (std::is_integral_v<T>) return random_item<T>(i);
            return static_cast<T>(static_cast<int>(random_bits(i) % 5) - 2);
        });
        const std::vector<A> table = right_table();
        for (const way<T, A>& one : ways) check(one, table);
        fill(in.get(), height * width, random_item<T>);
        fmt::print(stderr, "{} checked\n", name);
    }
    void release() override {
        in.reset();
        out.reset();
        copied.reset();
    }

    std::vector<A> right_table() {
        sequential(*this);
        return {out.get(), out.get() + height * width};
    }
    void check(const way<T, A>& one, const std::vector<A>& table) {
        fill(out.get(), (height + 1) * (width + 1),
             [](std::size_t) { return static_cast<A>(-77); });
        one.run(*this);
        const bool is_right = one.result == gives::nothing ||
                              (one.result == gives::means
                                   ? has_means()
                                   : has_table(table, one.result == gives::bordered_table ? 1 : 0));
        if (is_right) return;
        fmt::print(stderr, "{}: {} is wrong; nothing more was measured\n", name, one.name);
        std::exit(2);
    }
    bool has_table(const std::vector<A>& table, std::size_t border) const {
        const std::size_t pitch = width + border;
        for (std::size_t y = 0; y < height + border; ++y) {
            for (std::size_t x = 0; x < pitch; ++x) {
                const bool zero = y < border || x < border;
                const A right = zero ? A{} : table[(y - border) * width + x - border];
                if (out[y * pitch + x] != right) return false;
            }
        }
        return true;
    }
    // Of every 997th pixel. OpenCV multiplies by a reciprocal, so it may round a mean near a tie
    // the other way.
    bool has_means() const {
        constexpr double slack = std::is_integral_v<A> ? .5 + 1e-3 : 1e-5;
        const auto within = [](std::ptrdiff_t at, std::size_t size) {
            return std::clamp<std::ptrdiff_t>(at, 0, static_cast<std::ptrdiff_t>(size) - 1);
        };
        for (std::size_t i = 0; i < height * width; i += 997) {
            const auto y = static_cast<std::ptrdiff_t>(i / width);
            const auto x = static_cast<std::ptrdiff_t>(i % width);
            double sum = 0;
            for (std::ptrdiff_t v = y - radius; v <= y + radius; ++v) {
                for (std::ptrdiff_t u = x - radius; u <= x + radius; ++u) {
                    const auto row = static_cast<std::size_t>(within(v, height));
                    sum += static_cast<double>(
                        in[row * width + static_cast<std::size_t>(within(u, width))]);
                }
            }
            const double mean = sum / ((2 * radius + 1) * (2 * radius + 1));
            if (std::abs(static_cast<double>(out[i]) - mean) > slack) return false;
        }
        return true;
    }
};

template <class T, class A>
entry timed(const way<T, A>& one, const std::shared_ptr<images<T, A>>& all) {
    return {one.name, [all, run = one.run](benchmark::State& state) {
                all->open();
                for (auto _ : state) {
                    run(*all);
                    benchmark::ClobberMemory();
                }
                state.counters["moved_bytes"] = static_cast<double>(all->moved_bytes());
            }};
}

template <class T, class A>
void add_cell(std::string name, std::size_t side, std::vector<way<T, A>> ways,
              const settings& with) {
    const auto all = std::make_shared<images<T, A>>(std::move(name), side, std::move(ways));
    std::vector<entry> entries;
    for (const way<T, A>& one : all->ways) entries.push_back(timed(one, all));
    add_rounds(all->name, side * side, std::move(entries), with);
}

template <class T, class A>
void copy(images<T, A>& all) {
    nontemporal_copy_all_threads(all.copied.get(), all.out.get(), all.moved_bytes() / 2);
}

// Writes the items in the type of the results.
template <class T, class A>
void convert(images<T, A>& all) {
    nontemporal_convert_all_threads(all.in.get(), all.out.get(), all.height * all.width);
}

template <class T, class A>
void sequential(images<T, A>& all) {
    // Sums of signed integers wrap around as unsigned ones.
    using sum_type = std::conditional_t<std::is_integral_v<A>, std::uint32_t, A>;
    std::vector<sum_type> above(all.width);
    for (std::size_t y = 0; y < all.height; ++y) {
        sum_type sum{};
        for (std::size_t x = 0; x < all.width; ++x) {
            sum += static_cast<sum_type>(all.in[y * all.width + x]);
            above[x] += sum;
            all.out[y * all.width + x] = static_cast<A>(above[x]);
        }
    }
}

template <class T, class A>
void table(images<T, A>& all) {
    summed_area_table(cpu{}, all.in.get(), image_extents{all.height, all.width}, all.out.get());
}
template <class T, class A>
void bordered_table(images<T, A>& all) {
    exclusive_summed_area_table(cpu{}, all.in.get(), image_extents{all.height, all.width},
                                all.out.get());
}
template <class T>
void filter(images<T, T>& all) {
    box_filter(cpu{}, all.in.get(), image_extents{all.height, all.width}, radius, all.out.get());
}

#if LOOKBACK_BENCH_OPENCV
template <class T>
constexpr int depth_of = std::is_same_v<T, std::uint8_t> ? CV_8U
                         : std::is_same_v<T, float>      ? CV_32F
                         : std::is_same_v<T, double>     ? CV_64F
                                                         : CV_32S;
template <class T>
cv::Mat matrix(T* at, std::size_t height, std::size_t width) {
    return {static_cast<int>(height), static_cast<int>(width), depth_of<T>, at};
}
template <class T, class A>
void opencv_integral(images<T, A>& all) {
    cv::Mat sums = matrix(all.out.get(), all.height + 1, all.width + 1);
    cv::integral(matrix(all.in.get(), all.height, all.width), sums, depth_of<A>);
}
template <class T>
void opencv_filter(images<T, T>& all) {
    cv::Mat means = matrix(all.out.get(), all.height, all.width);
    cv::boxFilter(matrix(all.in.get(), all.height, all.width), means, -1,
                  cv::Size(2 * radius + 1, 2 * radius + 1), cv::Point(-1, -1), true,
                  cv::BORDER_REPLICATE);
}
#endif

template <class T, class A>
void add_table(const std::string& types, std::size_t side, const settings& with) {
    std::vector<way<T, A>> ways = {{"nontemporal_copy", copy<T, A>, gives::nothing},
                                   {"sequential", sequential<T, A>, gives::table},
                                   {"ours", table<T, A>, gives::table},
                                   {"ours_exclusive", bordered_table<T, A>, gives::bordered_table}};
    if constexpr (sizeof(A) > sizeof(T)) {
        ways.push_back({"nontemporal_convert", convert<T, A>, gives::nothing});
    }
#if LOOKBACK_BENCH_OPENCV
    if constexpr (!std::is_same_v<T, std::int32_t>) {
        ways.push_back({"opencv", opencv_integral<T, A>, gives::bordered_table});
    }
#endif
    add_cell("summed_area/" + types + "/" + std::to_string(side), side, std::move(ways), with);
}

template <class T>
void add_filter(const std::string& type, std::size_t side, const settings& with) {
    std::vector<way<T, T>> ways = {{"nontemporal_copy", copy<T, T>, gives::nothing},
                                   {"ours", filter<T>, gives::means}};
#if LOOKBACK_BENCH_OPENCV
    ways.push_back({"opencv", opencv_filter<T>, gives::means});
#endif
    add_cell("box_filter/" + type + "/" + std::to_string(side), side, std::move(ways), with);
}

void add_all(const settings& with) {
    for (const std::size_t side : {1024, 8192}) {
        add_table<std::uint8_t, std::int32_t>("u8_i32", side, with);
        add_table<float, float>("f32_f32", side, with);
        add_table<float, double>("f32_f64", side, with);
        add_table<std::int32_t, std::int32_t>("i32_i32", side, with);
        add_filter<std::uint8_t>("u8", side, with);
        add_filter<float>("f32", side, with);
        if (with.quick) return;
    }
    // Rows that begin off cache lines.
    for (const std::size_t side : {500, 1025, 8191}) {
        add_table<std::uint8_t, std::int32_t>("u8_i32", side, with);
        add_table<float, float>("f32_f32", side, with);
    }
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    using namespace lookback::bench;
    return run_program(argc, argv,
                       "Measures summed-area tables and box filters on the CPU against OpenCV's "
                       "and a copy of as many bytes.",
                       settings{5, 0.05, false}, settings{3, 0.02, true}, add_all);
}
