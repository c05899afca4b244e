// Runs strategies through types, operators, sizes and placements. Compares each byte of the results
// with the sequential scan, and each byte around them with the poison.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "strategies/cuda/strategies.cuh"
#include "support/check_scan.hpp"
#include "support/generated.hpp"

namespace lookback::test {

/// One type and operator.
template <class T, class Op>
class strategy_table {
    static constexpr std::uint64_t guard = 64;  // a multiple of 16 bytes, for any type
    static constexpr std::uint64_t capacity = 600'000;

 public:
    explicit strategy_table(Op op) : op_(op) {
        std::vector<T> items(capacity);
        const exact_items<T> item{77};
        for (std::uint64_t i = 0; i < capacity; ++i) items[i] = item(i);
        want_.set(sequential_scan<T>(items, kind::inclusive, false, op, T{}));
        items_.set(items);
    }

    template <class Strategy>
    void run(const strategies::named<Strategy>& s) {
        for (const std::uint64_t n : sizes_of(Strategy::template tile_items<T>)) {
            for (const bool in_place : {false, true}) {
                for (const std::uint64_t off : {0, 1}) {
                    if (reduced() && in_place != (off == 1)) continue;
                    SCOPED_TRACE(std::string(s.name) + ", items of " + std::to_string(sizeof(T)) +
                                 " bytes, n " + std::to_string(n) + (in_place ? ", in place" : "") +
                                 (off ? ", off the boundaries of vectors" : ""));
                    run_one<Strategy>(n, in_place, off);
                    if (::testing::Test::HasFailure()) return;
                }
            }
        }
    }

 private:
    // Sizes around the edges of warps, of tiles, and of the totals of tiles, so that there is a
    // second level, and a third if tiles are small.
    static std::vector<std::uint64_t> sizes_of(std::uint64_t tile) {
        std::vector<std::uint64_t> all = {1, tile + 1, 33 * tile + 1};
        if (!reduced()) {
            all = {0, 1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 65'536, 500'003};
            for (const std::uint64_t edge :
                 {tile, 2 * tile, 31 * tile, 32 * tile, 33 * tile, 65 * tile, tile * tile}) {
                all.insert(all.end(), {edge - 1, edge, edge + 1});
            }
        }
        const std::set<std::uint64_t> sorted(all.begin(), all.end());
        return {sorted.begin(), sorted.upper_bound(capacity)};
    }

    template <class Strategy>
    void run_one(std::uint64_t n, bool in_place, std::uint64_t off) {
        T* const out = out_.data() + guard + off;
        poison_around(out, n);
        const T* in = items_.data();
        if (in_place) {
            copy(out, n);
            in = out;
        } else if (off) {
            T* const moved = in_.data() + guard + off;
            poison_around(moved, n);
            copy(moved, n);
            in = moved;
        }
        try {
            Strategy::run(gpu_, in, out, n, op_);
        } catch (const std::exception& e) {
            ADD_FAILURE() << e.what();
            return;
        }
        inspector_.compare(out, want_.data(), n * sizeof(T), guard * sizeof(T), guard * sizeof(T));
        EXPECT_EQ(inspector_.result(sizeof(T), guard), "") << "bytes; at which item";
    }

    void poison_around(T* at, std::uint64_t n) {
        check(cudaMemsetAsync(at - guard, poison, (n + 2 * guard) * sizeof(T), stream_),
              "poisoning");
    }
    void copy(T* to, std::uint64_t n) {
        check(cudaMemcpyAsync(to, items_.data(), n * sizeof(T), cudaMemcpyDeviceToDevice, stream_),
              "copying");
    }

    Op op_;
    stream stream_;
    strategies::device gpu_{stream_};
    inspector inspector_{stream_};
    device_array<T> items_{capacity}, want_{capacity};
    device_array<T> in_{capacity + 2 * guard + 1}, out_{capacity + 2 * guard + 1};
};

/// All types: sums, and operators that do not commute, of 8, 16 and 24 bytes. `for_each` is one of
/// strategies/cuda/strategies.cuh.
template <class ForEach>
void run_strategy_tables(const ForEach& for_each) {
    const auto run = [&]<class T>(T, auto op) {
        if (::testing::Test::HasFailure()) return;
        strategy_table<T, decltype(op)> table(op);
        for_each([&](auto s) { table.run(s); });
    };
    run(std::int32_t{}, plus{});
    run(float{}, plus{});
    run(std::int64_t{}, plus{});
    run(double{}, maximum{});
    run(affine32{}, affine{});
    run(matrix{}, matrix_product{});
    run(span_of{}, join{});
}

}  // namespace lookback::test
