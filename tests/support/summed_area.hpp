// Every form of a summed-area table, compared with plain loops: images and tables with gaps and
// guards, shapes around the edges of tiles.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "lookback/summed_area.hpp"
#include "support/table_orders.hpp"
#include "support/values.hpp"

namespace lookback::test {

/// The table with a row of zeros above it and a column of zeros to its left.
template <class A>
std::vector<A> with_border(const std::vector<A>& table, std::size_t height, std::size_t width) {
    std::vector<A> bordered((height + 1) * (width + 1), A{});
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            bordered[(y + 1) * (width + 1) + x + 1] = table[y * width + x];
        }
    }
    return bordered;
}

/// Images in a buffer that is poisoned, with guards on both sides and gaps between rows.
template <class T>
class placed_rows {
 public:
    placed_rows(std::size_t rows, std::size_t width, std::size_t pitch, std::size_t shift)
        : first_(64 + shift), rows_(rows), width_(width), pitch_(pitch) {
        bytes_.resize((first_ + rows * pitch + 64) * sizeof(T), std::byte{0xA5});
    }
    T* data() { return reinterpret_cast<T*>(bytes_.data()) + first_; }
    std::vector<std::byte>& bytes() { return bytes_; }
    std::size_t offset() const { return first_ * sizeof(T); }
    void put(const std::vector<T>& tight) {
        for (std::size_t y = 0; y < rows_ && width_ > 0; ++y) {
            std::memcpy(static_cast<void*>(data() + y * pitch_), tight.data() + y * width_,
                        width_ * sizeof(T));
        }
    }
    /// Expects these rows, and that nothing else was written.
    void expect(const std::vector<T>& tight, const std::string& what) {
        placed_rows right(rows_, width_, pitch_, first_ - 64);
        right.put(tight);
        if (std::memcmp(bytes_.data(), right.bytes_.data(), bytes_.size()) == 0) return;
        for (std::size_t y = 0; y < rows_; ++y) {
            for (std::size_t x = 0; x < width_; ++x) {
                if (std::memcmp(data() + y * pitch_ + x, right.data() + y * pitch_ + x,
                                sizeof(T)) != 0) {
                    FAIL() << what << ": row " << y << ", column " << x << " of " << rows_ << " x "
                           << width_;
                }
            }
        }
        FAIL() << what << ": written outside of the rows";
    }

 private:
    std::vector<std::byte> bytes_;
    std::size_t first_, rows_, width_, pitch_;
};

/// A struct of a user's, which the library knows nothing about: 12 bytes, sums that are exact.
struct tally {
    std::uint32_t sum = 0, upper = 0, count = 0;
    LOOKBACK_HD friend tally operator+(const tally& a, const tally& b) {
        return {a.sum + b.sum, a.upper + b.upper, a.count + b.count};
    }
    LOOKBACK_HD friend tally operator*(const tally& a, const tally& b) {
        return {a.sum * b.sum, a.upper * b.upper, a.count * b.count};
    }
};

template <class T>
T random_item(std::mt19937_64& random) {
    if constexpr (requires(T item) { item.channel[0]; }) {
        T item{};
        for (auto& value : item.channel) value = random_item<detail::channel_type<T>>(random);
        return item;
    } else if constexpr (std::is_same_v<T, tally>) {
        const std::uint64_t bits = random();
        return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32), 1};
    } else {
        return random_value<T>(random);
    }
}

struct table_case {
    std::size_t images, height, width;
    std::size_t in_gap = 0, out_gap = 0, shift = 0;  // shift: of the output, in items
    int threads = 2;
    std::string text() const {
        return std::to_string(images) + " images of " + std::to_string(height) + " x " +
               std::to_string(width) + ", gaps " + std::to_string(in_gap) + " and " +
               std::to_string(out_gap) + ", shift " + std::to_string(shift) + ", threads " +
               std::to_string(threads);
    }
};

/// Shapes around the edges of tiles, and shapes for every driver.
inline std::vector<table_case> table_cases() {
    std::vector<table_case> cases;
    for (const std::size_t height : {0, 1, 2, 7, 8, 9, 63, 64, 65, 130}) {
        for (const std::size_t width : {0, 1, 2, 3, 31, 32, 33, 64, 127, 128, 129, 300}) {
            cases.push_back({1, height, width, (height + width) % 3, width % 5, height % 7});
        }
    }
    for (const std::size_t side : {1, 5, 64, 65, 100}) {
        cases.push_back(
            {side == 64 ? std::size_t{300} : 37, side, side + 3, side % 2, 0, side % 3});
    }
    // Shapes for every driver: each number of threads, and each alignment. Under a sanitizer, one
    // of two ways for each shape; where races are looked for, several threads.
    struct way {
        int threads;
        std::size_t shift;
    };
    const std::vector<way> ways = looks_for_races ? std::vector<way>{{2, 1}}
                                  : sanitized     ? std::vector<way>{{1, 0}, {2, 1}}
                                              : std::vector<way>{{1, 0}, {2, 1}, {3, 0}, {3, 1}};
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const auto [threads, shift] = ways[i];
        const table_case large[] = {
            {1, 700, 2100, 5 * shift, 3 * shift, shift, threads},
            {1, 1, 300000, 0, 0, shift, threads},
            {1, 300000, 1, shift, shift, shift, threads},
            {2, 70, 5000, shift, 0, shift, threads},
            {3, 9000, 33, 0, shift, shift, threads},
        };
        for (std::size_t k = 0; k < std::size(large); ++k) {
            if (!sanitized || k % ways.size() == i) cases.push_back(large[k]);
        }
    }
    return cases;
}

/// Makes tables on the CPU: calls `f` with an execution and the memory of some placed rows. Such a
/// class also says how an image may be cut.
struct tables_on_cpu {
    static constexpr std::size_t strip_rows = 64;  ///< strips have a multiple of these
    cpu where;

    template <class F, class... Placed>
    void with(const F& f, Placed&... placed) const {
        f(where, placed.data()...);
    }
    template <class A>
    static std::vector<A> table(const std::vector<A>& image, std::size_t height, std::size_t width,
                                bool /*beside_squares*/) {
        return table_by_order(image, height, width);
    }
};

/// Compares every form of the table of `In` items in `A` with the oracle, bit by bit; tables of
/// squares only if `squares_too`, because they compile twice as many functions.
template <class In, class A, class Machine = tables_on_cpu, bool squares_too = true>
class table_check {
 public:
    explicit table_check(const table_case& c, std::uint64_t seed = 1)
        : table_check(c, Machine{{.threads = c.threads}}, seed) {}
    table_check(const table_case& c, const Machine& machine, std::uint64_t seed = 1)
        : c_(c), machine_(machine) {
        std::mt19937_64 random(seed + c.height * 1000 + c.width);
        items_.resize(c.images * c.height * c.width);
        for (auto& item : items_) item = random_item<In>(random);
    }

    void run() {
        plain(c_.text());
        if constexpr (sizeof(In) == sizeof(A)) in_place("in place, " + c_.text());
        if (c_.height > Machine::strip_rows) strips("in strips, " + c_.text());
    }

    /// The tables of all images, by the oracle.
    template <bool squared>
    std::vector<A> right_tables(bool bordered, bool beside_squares = squared) const {
        std::vector<A> all;
        for (std::size_t i = 0; i < c_.images; ++i) {
            std::vector<A> image(c_.height * c_.width);
            for (std::size_t k = 0; k < image.size(); ++k) {
                image[k] = static_cast<A>(items_[i * image.size() + k]);
                if constexpr (squared) image[k] = multiplies<A>{}(image[k], image[k]);
            }
            std::vector<A> table =
                detail::adds_exactly<A>
                    ? table_by_running_sums(image, c_.height, c_.width)
                    : Machine::template table<A>(image, c_.height, c_.width, beside_squares);
            if (bordered) table = with_border(table, c_.height, c_.width);
            all.insert(all.end(), table.begin(), table.end());
        }
        return all;
    }

 private:
    void plain(const std::string& what) {
        const std::size_t in_pitch = c_.width + c_.in_gap;
        placed_rows<In> in(c_.images * c_.height, c_.width, in_pitch, 1);
        in.put(items_);
        for (const bool bordered : {false, true}) {
            const std::size_t rows = c_.images * (c_.height + bordered);
            const std::size_t width = c_.width + bordered, pitch = width + c_.out_gap;
            const image_extents e{c_.height, c_.width, c_.images, c_.in_gap ? in_pitch : 0,
                                  c_.out_gap ? pitch : 0};
            const auto right = right_tables<false>(bordered);
            placed_rows<A> out(rows, width, pitch, c_.shift);
            machine_.with(
                [&](auto&& where, const In* from, A* to) {
                    A* end = bordered ? exclusive_summed_area_table(where, from, e, to)
                                      : summed_area_table(where, from, e, to);
                    const bool writes = rows > 0 && width > 0;
                    EXPECT_EQ(end - to, std::ptrdiff_t(writes ? rows * pitch - c_.out_gap : 0))
                        << what;
                },
                in, out);
            out.expect(right, (bordered ? "exclusive, " : "inclusive, ") + what);
            if constexpr (squares_too) {
                placed_rows<A> sums(rows, width, pitch, c_.shift), squares = sums;
                machine_.with(
                    [&](auto&& where, const In* from, A* to, A* to_squares) {
                        bordered ? exclusive_summed_area_tables(where, from, e, to, to_squares)
                                 : summed_area_tables(where, from, e, to, to_squares);
                    },
                    in, sums, squares);
                sums.expect(right_tables<false>(bordered, true), "sums beside squares, " + what);
                squares.expect(right_tables<true>(bordered), "squares, " + what);
            }
        }
    }

    void in_place(const std::string& what) {
        const std::size_t pitch = c_.width + c_.in_gap;
        placed_rows<A> both(c_.images * c_.height, c_.width, pitch, c_.shift);
        std::vector<A> items(items_.size());
        if (!items.empty()) {
            std::memcpy(static_cast<void*>(items.data()), items_.data(), items.size() * sizeof(A));
        }
        both.put(items);
        const image_extents e{c_.height, c_.width, c_.images, pitch, pitch};
        machine_.with(
            [&](auto&& where, A* to) {
                summed_area_table(where, reinterpret_cast<const In*>(to), e, to);
            },
            both);
        both.expect(right_tables<false>(false), what);
    }

    // Strips of Machine::strip_rows rows, or a multiple of that, each below the one before, have
    // the bits of one call.
    void strips(const std::string& what) {
        if (c_.images != 1) return;
        const std::size_t most = (c_.width % 2 + 1) * Machine::strip_rows;
        placed_rows<In> in(c_.height, c_.width, c_.width, 0);
        in.put(items_);
        placed_rows<A> out(c_.height, c_.width, c_.width, 0);
        machine_.with(
            [&](auto&& where, const In* from, A* to) {
                for (std::size_t first = 0; first < c_.height; first += most) {
                    const std::size_t rows = std::min(most, c_.height - first);
                    const image_extents e{rows, c_.width};
                    const In* const strip = from + first * c_.width;
                    A* const table = to + first * c_.width;
                    if (first == 0) {
                        summed_area_table(where, strip, e, table);
                    } else {
                        summed_area_table(where, strip, e, table, table_above{table - c_.width});
                    }
                }
            },
            in, out);
        out.expect(right_tables<false>(false), what);
    }

    const table_case c_;
    const Machine machine_;
    std::vector<In> items_;
};

template <class In, class A, bool squares_too = true>
void check_tables() {
    for (const table_case& c : table_cases()) {
        // Wide accumulators take the oracle long.
        if (sanitized && sizeof(A) > 8 && c.images * c.height * c.width > 700'000) continue;
        table_check<In, A, tables_on_cpu, squares_too>(c).run();
        if (::testing::Test::HasFailure()) return;
    }
}

}  // namespace lookback::test
