// Runs one (types, operator) through every driver, kind, direction, placement, alignment and size.
// Compares each byte of the results with the sequential fold, and each byte around them with the
// poison.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lookback/scan.hpp"
#include "support/check_scan.hpp"
#include "support/device.hpp"

namespace lookback::test {

/// A driver, and how to make it run. The driver is chosen by the largest possible count, so with a
/// count in device memory any number of items can be given to any driver.
struct route {
    std::string name;
    std::uint64_t at_most;  ///< 0: no count in device memory; n items choose the driver
    lookback::gpu* gpu;
    std::vector<std::uint64_t> sizes;
};

struct gpu_case {
    kind what;
    bool backward;
    bool in_place;
    std::uint64_t n;
    std::uint64_t shift_in, shift_out;  ///< items beyond the boundary of 16 bytes

    std::string text() const {
        const char* kinds[] = {"inclusive", "inclusive with init", "exclusive"};
        return std::string(kinds[static_cast<int>(what)]) +
               (backward ? ", backward" : ", forward") + (in_place ? ", in place" : "") + ", n " +
               std::to_string(n) + ", input off by " + std::to_string(shift_in) +
               ", output off by " + std::to_string(shift_out);
    }
};

/// Sizes from 0 to `most`, around the edges of warps, rows, tiles and batches of tiles.
inline std::vector<std::uint64_t> sizes_around(std::uint64_t row, std::uint64_t tile,
                                               std::uint64_t most) {
    std::vector<std::uint64_t> all = {1, row + 1, tile - 1, 33 * tile + 1};
    if (!reduced()) {
        all = {0, 1, 2, 3, 31, 32, 33, most - 1, most};
        for (const std::uint64_t edge :
             {row, tile, 2 * tile, 32 * tile, 33 * tile, 64 * tile, 256 * tile, 257 * tile}) {
            all.insert(all.end(), {edge - 1, edge, edge + 1});
        }
    }
    const std::set<std::uint64_t> sorted(all.begin(), all.end());
    return {sorted.begin(), sorted.upper_bound(most)};
}

template <class A>
constexpr std::uint64_t most_light_items = std::rbegin(detail::device::light<A>)->most_items;

/// The most items of the table: 300 tiles more than the light driver takes.
template <class A>
constexpr std::uint64_t table_items =
    (most_light_items<A> + 300 * detail::device::large_tile_items<A>) / 16 * 16;

template <class In, class Out, class A, class Op>
class case_table {
    static constexpr std::uint64_t guard = 64;  // a multiple of 16 bytes, for any type
    static constexpr std::uint64_t capacity = table_items<A>;

 public:
    /// There are table_items<A> items, in the order of the scan.
    case_table(const std::vector<In>& items, Op op, A init)
        : op_(op), init_(init), in_(room), out_(room), count_(1) {
        using detail::device::access;
        access::use_pipeline(staged_, false);
        access::copy_in_bulk(by_items_, false);
        access::start_last_block_first(reversed_, true);
        auto reverse = [](auto values) {
            std::reverse(values.begin(), values.end());
            return values;
        };
        items_[0].set(items);
        items_[1].set(reverse(items));
        for (const kind what : {kind::inclusive, kind::inclusive_init, kind::exclusive}) {
            const auto want = sequential_scan<Out>(items, what, false, op, init);
            want_[static_cast<int>(what)][0].set(want);
            want_[static_cast<int>(what)][1].set(reverse(want));
        }
    }

    void run() {
        for (const route& way : routes()) {
            for (const std::uint64_t n : way.sizes) {
                for (const kind what : {kind::inclusive, kind::inclusive_init, kind::exclusive}) {
                    for (const bool backward : {false, true}) run(way, what, backward, n);
                }
                if (::testing::Test::HasFailure()) return;
            }
        }
    }

 private:
    static constexpr std::uint64_t room = capacity + 2 * guard + 16;

    std::vector<route> routes() {
        using namespace detail::device;
        std::vector<route> all;
        std::vector<std::uint64_t> by_size = {0, 1};
        for (const light_shape& shape : light<A>) {
            const auto row = static_cast<std::uint64_t>(warp_lanes * vector_items<A>);
            const std::uint64_t tile = row * static_cast<std::uint64_t>(shape.warps * shape.rows);
            const std::string name = "light driver, tiles of " + std::to_string(tile);
            const auto sizes = sizes_around(row, tile, shape.most_items);
            all.push_back({name, shape.most_items, &plain_, sizes});
            all.push_back({name + ", last block first", shape.most_items, &reversed_, sizes});
            by_size.insert(by_size.end(), {shape.most_items, shape.most_items + 1});
        }
        const std::uint64_t tile = large_tile_items<A>;
        const auto row = static_cast<std::uint64_t>(warp_lanes * chunk_items<sizeof(A)>);
        const auto sizes = sizes_around(row, tile, capacity);
        all.push_back({"large driver", capacity, &plain_, sizes});
        all.push_back({"large driver, item by item", capacity, &by_items_, sizes});
        all.push_back({"staged driver", capacity, &staged_, sizes});
        if (reduced()) by_size.resize(2);
        all.push_back({"driver by size", 0, &plain_, by_size});
        return all;
    }

    // In place and not, on the boundaries of vectors and off them. Under a sanitizer, only one of
    // these.
    void run(const route& way, kind what, bool backward, std::uint64_t n) {
        for (const bool in_place : {false, true}) {
            if (in_place && !std::is_same_v<In, Out>) continue;
            for (const bool off : {false, true}) {
                ++runs_;
                if (reduced() && runs_ % 4 != (runs_ / 4) % 4) continue;
                const std::uint64_t in = off ? 1 + runs_ % 15 : 0;
                const std::uint64_t out = in_place ? in : off ? runs_ / 3 % 16 : 0;
                const gpu_case c{what, backward, in_place, n, in, out};
                SCOPED_TRACE(way.name + ": " + c.text());
                try {
                    run(way, c);
                } catch (const std::exception& e) {
                    ADD_FAILURE() << e.what();
                }
                if (::testing::Test::HasFailure()) return;
            }
        }
    }

    void run(const route& way, const gpu_case& c) {
        // A backward scan begins at the end of the arrays.
        const std::uint64_t at = guard + (c.backward ? capacity - c.n : 0);
        const std::uint64_t skipped = c.backward ? capacity - c.n : 0;
        const In* const items = items_[c.backward].data() + skipped;
        const Out* const want = want_[static_cast<int>(c.what)][c.backward].data() + skipped;
        Out* const to = out_.data() + at + c.shift_out;
        const In* from = in_.data() + at + c.shift_in;
        poison_around(to, c.n);
        if constexpr (std::is_same_v<In, Out>) {
            if (c.in_place) {
                from = to;
                copy(to, items, c.n);
            }
        }
        if (!c.in_place) {
            In* const writable = in_.data() + at + c.shift_in;
            poison_around(writable, c.n);
            copy(writable, items, c.n);
        }
        if (c.backward) {
            scan(way, c, std::reverse_iterator(from + c.n), std::reverse_iterator(to + c.n));
        } else {
            scan(way, c, from, to);
        }
        results_.compare(to, want, c.n * sizeof(Out), guard * sizeof(Out), guard * sizeof(Out));
        if (!c.in_place) {
            inputs_.compare(from, items, c.n * sizeof(In), guard * sizeof(In), guard * sizeof(In));
        }
        EXPECT_EQ(results_.result(sizeof(Out), guard), "") << "bytes of results; at which item";
        if (!c.in_place) {
            EXPECT_EQ(inputs_.result(sizeof(In), guard), "") << "bytes of the input changed";
        }
    }

    template <class From, class To>
    void scan(const route& way, const gpu_case& c, From from, To to) {
        if (way.at_most == 0) {
            const To end = call(*way.gpu, c.what, from, from + distance<From>(c.n), to);
            EXPECT_EQ(end - to, distance<To>(c.n));
            return;
        }
        check(cudaMemcpyAsync(count_.data(), &c.n, sizeof(c.n), cudaMemcpyHostToDevice, stream_),
              "setting the count");
        const count_at<std::uint64_t> count{count_.data(), way.at_most};
        const To end = call(*way.gpu, c.what, from, count, to);
        EXPECT_EQ(end - to, distance<To>(way.at_most));
    }

    template <class From, class Last, class To>
    To call(lookback::gpu& gpu, kind what, From from, Last last, To to) {
        switch (what) {
            case kind::inclusive: return lookback::inclusive_scan(gpu, from, last, to, op_);
            case kind::inclusive_init:
                return lookback::inclusive_scan(gpu, from, last, to, op_, init_);
            default: return lookback::exclusive_scan(gpu, from, last, to, init_, op_);
        }
    }

    template <class It>
    static std::iter_difference_t<It> distance(std::uint64_t n) {
        return static_cast<std::iter_difference_t<It>>(n);
    }

    template <class T>
    void poison_around(T* at, std::uint64_t n) {
        check(cudaMemsetAsync(at - guard, poison, (n + 2 * guard) * sizeof(T), stream_),
              "poisoning");
    }
    template <class T>
    void copy(T* to, const T* from, std::uint64_t n) {
        check(cudaMemcpyAsync(to, from, n * sizeof(T), cudaMemcpyDeviceToDevice, stream_),
              "copying");
    }

    Op op_;
    A init_;
    stream stream_;
    lookback::gpu plain_{stream_}, by_items_{stream_}, staged_{stream_}, reversed_{stream_};
    inspector results_{stream_}, inputs_{stream_};
    device_array<In> items_[2] = {device_array<In>(capacity), device_array<In>(capacity)};
    device_array<Out> want_[3][2] = {
        {device_array<Out>(capacity), device_array<Out>(capacity)},
        {device_array<Out>(capacity), device_array<Out>(capacity)},
        {device_array<Out>(capacity), device_array<Out>(capacity)},
    };
    device_array<In> in_;
    device_array<Out> out_;
    device_array<std::uint64_t> count_;
    std::uint64_t runs_ = 0;
};

/// Runs the table for items, results and accumulators of one type.
template <class T, class Op>
void run_table(const std::vector<T>& items, Op op, T init = random_values<T>(2, 99)[1]) {
    case_table<T, T, T, Op>(items, op, init).run();
}

}  // namespace lookback::test
