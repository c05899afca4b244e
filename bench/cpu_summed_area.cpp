// The benchmark of summed-area tables and box filters on the CPU: this library, plain loops, OpenCV
// if it is installed, and a copy that moves as many bytes (half of them read, half written).

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lookback/box_filter.hpp"
#include "memory.hpp"
#include "nontemporal_copy.hpp"
#include "rounds.hpp"

#if LOOKBACK_BENCH_OPENCV
#include <opencv2/imgproc.hpp>
#endif

namespace lookback::bench {
namespace {

/// An image and its table, which is one row and one column larger, for all implementations.
template <class T, class A>
struct images {
    std::size_t height, width;
    std::unique_ptr<T[]> in;
    std::unique_ptr<A[]> out;
    std::unique_ptr<std::byte[]> copied;  // what the copy reads

    images(std::size_t h, std::size_t w)
        : height(h), width(w), in(make_array<T>(h * w)), out(make_array<A>((h + 1) * (w + 1))) {
        in_pieces(h * w, fill_grain, [&](std::size_t first, std::size_t count) {
            for (std::size_t i = first; i < first + count; ++i) in[i] = random_item<T>(i);
        });
        in_pieces((h + 1) * (w + 1), fill_grain, [&](std::size_t first, std::size_t count) {
            for (std::size_t i = first; i < first + count; ++i) out[i] = A{};
        });
    }
    std::size_t moved_bytes() const { return height * width * (sizeof(T) + sizeof(A)); }
};

template <class Images, class Run>
entry timed(const char* name, const std::shared_ptr<Images>& images, const Run& run) {
    return {name, [images, run](benchmark::State& state) {
                for (auto _ : state) {
                    run(*images);
                    benchmark::ClobberMemory();
                }
                state.counters["moved_bytes"] = static_cast<double>(images->moved_bytes());
            }};
}

template <class T, class A>
void copy(images<T, A>& all) {
    const std::size_t half = all.moved_bytes() / 2;
    if (all.copied == nullptr) {
        all.copied = make_array<std::byte>(half);
        in_pieces(half, fill_grain, [&](std::size_t first, std::size_t count) {
            std::fill_n(all.copied.get() + first, count, std::byte{1});
        });
    }
    nontemporal_copy_all_threads(all.copied.get(), all.out.get(), half);
}

template <class T, class A>
void sequential(images<T, A>& all) {
    std::vector<A> above(all.width);
    for (std::size_t y = 0; y < all.height; ++y) {
        A sum{};
        for (std::size_t x = 0; x < all.width; ++x) {
            sum = static_cast<A>(sum + static_cast<A>(all.in[y * all.width + x]));
            above[x] = static_cast<A>(above[x] + sum);
            all.out[y * all.width + x] = above[x];
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
    box_filter(cpu{}, all.in.get(), image_extents{all.height, all.width}, 12, all.out.get());
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
    cv::boxFilter(matrix(all.in.get(), all.height, all.width), means, -1, cv::Size(25, 25),
                  cv::Point(-1, -1), true, cv::BORDER_REPLICATE);
}
#endif

template <class T, class A>
void add_table(const std::string& types, std::size_t side, const settings& with) {
    const auto all = std::make_shared<images<T, A>>(side, side);
    std::vector<entry> entries = {timed("nontemporal_copy", all, copy<T, A>),
                                  timed("sequential", all, sequential<T, A>),
                                  timed("lookback", all, table<T, A>),
                                  timed("lookback_exclusive", all, bordered_table<T, A>)};
#if LOOKBACK_BENCH_OPENCV
    if constexpr (!std::is_same_v<T, std::int32_t>) {
        entries.push_back(timed("opencv", all, opencv_integral<T, A>));
    }
#endif
    add_rounds("summed_area/" + types + "/" + std::to_string(side), side * side, std::move(entries),
               with);
}

template <class T>
void add_filter(const std::string& type, std::size_t side, const settings& with) {
    const auto all = std::make_shared<images<T, T>>(side, side);
    std::vector<entry> entries = {timed("nontemporal_copy", all, copy<T, T>),
                                  timed("lookback", all, filter<T>)};
#if LOOKBACK_BENCH_OPENCV
    entries.push_back(timed("opencv", all, opencv_filter<T>));
#endif
    add_rounds("box_filter/" + type + "/" + std::to_string(side), side * side, std::move(entries),
               with);
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
