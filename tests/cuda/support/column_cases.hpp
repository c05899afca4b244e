// The results with which scans of columns are compared, and the routes to their drivers.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <sstream>

#include "lookback/axis_scan.hpp"
#include "support/segment_cases.hpp"
#include "support/values.hpp"

namespace lookback::test {

/// Items, each different from its neighbours.
template <class V>
std::vector<V> items_of(const axis_extents& e) {
    std::vector<V> items(e.outer * e.length * e.inner);
    std::mt19937_64 random(items.size());
    for (V& item : items) item = random_value<V>(random);
    return items;
}
template <class V>
    requires std::is_arithmetic_v<V>
std::vector<V> items_of(const axis_extents& e) {
    return values_of<V>(e.outer * e.length * e.inner);
}
/// The rows of a column join up as long as none is left out or swapped.
template <std::same_as<span_of>>
std::vector<span_of> items_of(const axis_extents& e) {
    std::vector<span_of> items(e.outer * e.length * e.inner);
    for (std::uint64_t i = 0; i < items.size(); ++i) {
        const std::uint64_t at = (i % e.inner) << 40 | i / e.inner;
        items[i] = {1, at, at};
    }
    return items;
}

/// How to reach a driver.
struct column_route {
    const char* name;
    std::uint64_t shift;  ///< items by which arrays lie beyond a 16-byte boundary
    bool pipelined;
};
inline constexpr column_route column_routes[] = {
    {"pipelined", 0, true},
    {"pipelined, off a boundary", 1, true},
    {"pipelined, four items off a boundary", 4, true},
    {"staged", 0, false},
    {"staged, off a boundary", 1, false},
};
inline void choose(lookback::gpu& gpu, const column_route& way) {
    detail::device::access::use_pipeline(gpu, way.pipelined);
}

inline std::string name_of(const axis_extents& e) {
    return std::to_string(e.outer) + " x " + std::to_string(e.length) + " x " +
           std::to_string(e.inner);
}

/// Where results differ from the right ones, and how: to help find the reason.
template <class T>
std::string differences(const T* device, const std::vector<T>& want, const axis_extents& e) {
    std::vector<T> got(want.size());
    check(cudaMemcpy(got.data(), device, got.size() * sizeof(T), cudaMemcpyDeviceToHost),
          "reading results");
    std::ostringstream text;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (std::memcmp(&got[i], &want[i], sizeof(T)) == 0) continue;
        if (++wrong > 5) continue;
        text << "block " << i / e.inner / e.length << " row " << i / e.inner % e.length
             << " column " << i % e.inner;
        if constexpr (std::is_arithmetic_v<T>) {
            text << ": got " << +got[i] << ", expected " << +want[i];
        }
        text << "\n";
    }
    return std::to_string(wrong) + " of " + std::to_string(got.size()) + " results are wrong\n" +
           text.str();
}

/// Scans items of type V to results of the same type, both to poisoned memory and in place.
template <class V, class Op>
class column_cases {
 public:
    explicit column_cases(Op op) : op_(op) {}

    void run(const std::vector<axis_extents>& all) {
        for (const axis_extents& e : all) {
            const std::vector<V> items = items_of<V>(e);
            const V init = items_of<V>({1, 1, 1})[0];
            const auto inclusive = down_columns<V>(items, e, std::nullopt, false, op_);
            const auto from_value = down_columns<V>(items, e, std::optional<V>(init), false, op_);
            const auto exclusive = down_columns<V>(items, e, std::optional<V>(init), true, op_);
            for (const column_route& way : column_routes) {
                SCOPED_TRACE(std::string(way.name) + ", " + name_of(e));
                choose(gpu_, way);
                check_scan(way, e, items, inclusive, "inclusive",
                           [&](V* in, V* out) { return inclusive_scan(gpu_, in, e, out, op_); });
                check_scan(way, e, items, from_value, "from a value", [&](V* in, V* out) {
                    return inclusive_scan(gpu_, in, e, out, op_, init);
                });
                check_scan(way, e, items, exclusive, "exclusive", [&](V* in, V* out) {
                    return exclusive_scan(gpu_, in, e, out, init, op_);
                });
                if (::testing::Test::HasFailure()) return;
            }
        }
    }

 private:
    template <class Call>
    void check_scan(const column_route& way, const axis_extents& e, const std::vector<V>& items,
                    const std::vector<V>& want, const char* what, const Call& call) {
        shifted_array<V> in(items, way.shift), out(items.size(), way.shift);
        EXPECT_EQ(call(in.data(), out.data()), out.data() + items.size()) << what;
        out.expect(want, what);
        if (::testing::Test::HasFailure()) {
            ADD_FAILURE() << what << ": " << differences(out.data(), want, e);
            return;
        }
        in.expect(items, "the input");
        call(in.data(), in.data());
        in.expect(want, "in place");
        if (::testing::Test::HasFailure()) {
            ADD_FAILURE() << what << " in place: " << differences(in.data(), want, e);
        }
    }

    Op op_;
    stream stream_;
    lookback::gpu gpu_{stream_};
};

/// Shapes of up to `most` items.
inline std::vector<axis_extents> shapes(std::uint64_t most) {
    if (reduced()) most = std::min<std::uint64_t>(most, 100'000);
    std::vector<axis_extents> all;
    for (const std::uint64_t outer : {1, 2, 5}) {
        for (const std::uint64_t length : {1, 2, 3, 31, 32, 33, 1000, 100'000}) {
            for (const std::uint64_t inner : {1, 2, 3, 5, 7, 8, 31, 32, 33, 64, 100, 1000, 4097}) {
                if (reduced() && (outer == 2 || length == 2 || inner == 5)) continue;
                if (outer * length * inner <= most) all.push_back({outer, length, inner});
            }
        }
    }
    return all;
}

/// Shapes with long chains of tiles, a few or many chains side by side, and with many small blocks.
inline std::vector<axis_extents> large_shapes() {
    if (reduced()) return {{1, 20'000, 16}, {3, 5000, 20}};
    return {{1, 3'000'000, 2}, {1, 1'000'003, 7}, {1, 700'000, 12},  {1, 300'001, 32},
            {2, 100'000, 50},  {1, 60'000, 100},  {1, 50'000, 200},  {1, 10'007, 1000},
            {3, 161, 30'000},  {1, 200, 65'536},  {1, 2, 4'000'001}, {700'001, 2, 3},
            {1'000'000, 3, 2}, {20'000, 100, 2},  {300, 3500, 9},    {100, 20'000, 4},
            {1, 9, 1'000'000}};
}

}  // namespace lookback::test
