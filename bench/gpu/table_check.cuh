/// \file
/// Fills images, and judges every entry of their tables, on the device. For an entry, the
/// difference from its left neighbour must be that of the row above, plus the item there. If this
/// holds everywhere, a table is right. Integers wrap around. Floats are checked on data whose sums
/// are exact in any order.
#pragma once

#include <cstdint>
#include <string>

#include "lookback/pixel.hpp"
#include "random_bits.cuh"
#include "strategies/cuda/tables/image.cuh"
#include "verdict.cuh"

namespace lookback::bench {

using strategies::rgb8;

/// Items whose float sums are exact, or the items that are timed.
enum class pixels_are { exact, timed };

template <class T>
__device__ void make_pixel(T& item, std::uint64_t bits, pixels_are) {
    item = static_cast<T>(bits);
}
/// Exact: -2 to 2, whose sums stay close to 0.
__device__ inline void make_pixel(float& item, std::uint64_t bits, pixels_are kind) {
    item = kind == pixels_are::exact ? static_cast<float>(static_cast<int>(bits % 5) - 2)
                                     : static_cast<float>(bits >> 40) * 0x1p-24F;
}
/// Exact: a 1 among eight items, the others 0, so that sums over 8192 x 8192 fit in 24 bits.
__device__ inline void make_pixel(rgb8& item, std::uint64_t bits, pixels_are kind) {
    const bool exact = kind == pixels_are::exact;
    const auto channel = [=](unsigned shift) {
        return static_cast<std::uint8_t>(exact ? (bits >> shift) % 8 == 0 : bits >> shift);
    };
    item = {channel(0), channel(8), channel(16)};
}
template <class T, int channels>
__device__ void make_pixel(pixel<T, channels>& item, std::uint64_t bits, pixels_are kind) {
    for (int k = 0; k < channels; ++k) make_pixel(item.channel[k], bits >> 8 * k, kind);
}

template <class In>
__global__ void fill_image_kernel(In* items, std::uint64_t n, pixels_are kind) {
    for_each_item(n, [&](std::uint64_t i) { make_pixel(items[i], random_bits(i), kind); });
}

/// Where images and their tables lie. Entry (y, x) of a table is at y * row + x * column, in memory
/// of `rows` rows of `pitch` items. Items that are no entries must still be poison.
struct table_places {
    std::uint64_t images, height, width, in_pitch;
    std::uint64_t border;  ///< rows and columns of zeros before the table: 1 or 0
    std::uint64_t rows, pitch;
    std::uint64_t row, column;

    LOOKBACK_HD std::uint64_t out_items() const { return images * rows * pitch; }
};

template <class A>
__device__ bool is_poison(const A& entry) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&entry);
    for (unsigned k = 0; k < sizeof(A); ++k) {
        if (bytes[k] != 0xa5) return false;
    }
    return true;
}

/// Lowers *first_wrong to the first entry that is wrong, image by image and row by row.
template <bool squares, class In, class A>
__global__ void check_table_kernel(const In* in, const A* out, table_places p,
                                   unsigned long long* first_wrong) {
    for_each_item(p.out_items(), [&](std::uint64_t i) {
        const std::uint64_t x = i % p.pitch, y = i / p.pitch % p.rows, image = i / p.pitch / p.rows;
        const A* const table = out + image * (p.rows * p.pitch);
        const A& entry = table[y * p.row + x * p.column];
        bool right = false;
        if (x >= p.width + p.border) {
            right = is_poison(entry);
        } else if (y < p.border || x < p.border) {
            right = entry == A{};
        } else {
            A item =
                static_cast<A>(in[(image * p.height + y - p.border) * p.in_pitch + x - p.border]);
            if constexpr (squares) item = multiplies<A>{}(item, item);
            const A left = x > 0 ? table[y * p.row + (x - 1) * p.column] : A{};
            const A above = y > 0 ? table[(y - 1) * p.row + x * p.column] : A{};
            const A both = x > 0 && y > 0 ? table[(y - 1) * p.row + (x - 1) * p.column] : A{};
            // Differences are sums over a column, which a float can hold exactly.
            right = detail::subtract(entry, left) == plus<A>{}(detail::subtract(above, both), item);
        }
        if (!right) atomicMin(first_wrong, i);
    });
}

/// Images of `In` and their tables of `A`.
template <class In, class A>
class table_judge {
 public:
    table_judge(session& s, const table_places& places, const In* in, A* out)
        : session_(s), places_(places), in_(in), out_(out) {}

    void fill(pixels_are kind) const {
        const std::uint64_t n = places_.images * places_.height * places_.in_pitch;
        fill_image_kernel<<<check_blocks(n), check_threads, 0, session_.stream()>>>(
            const_cast<In*>(in_), n, kind);
        check(cudaGetLastError(), "launching a fill");
    }

    /// Runs the call on a poisoned output. Returns what is wrong, or nothing.
    std::string judge(const implementation& one) const {
        check(cudaMemsetAsync(out_, 0xa5, places_.out_items() * sizeof(A), session_.stream()),
              "poisoning");
        one.call();
        return what_is_wrong<false>(one.name, out_);
    }

    /// What is wrong with a table (with a table of squares, if `squares`), or nothing.
    template <bool squares, class B>
    std::string what_is_wrong(const std::string& name, const B* table) const {
        const std::uint64_t wrong = first_wrong<squares>(table);
        return wrong == none_wrong ? ""
                                   : name + " is wrong, first at entry " + std::to_string(wrong);
    }

    /// Changes a right result, of a table that is not transposed, and checks that this is found.
    std::string judge_itself() const {
        const std::uint64_t place =
            places_.out_items() / places_.pitch / 2 * places_.pitch + places_.width / 2;
        unsigned char bytes[sizeof(A)];
        check(cudaMemcpy(bytes, out_ + place, sizeof(A), cudaMemcpyDeviceToHost), "spoiling");
        for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(byte ^ 0x40);
        check(cudaMemcpy(out_ + place, bytes, sizeof(A), cudaMemcpyHostToDevice), "spoiling");
        return first_wrong<false>(out_) == place ? "" : "the check does not see a wrong entry";
    }

 private:
    template <bool squares, class B>
    std::uint64_t first_wrong(const B* table) const {
        return first_wrong_item(session_, [&](unsigned long long* found) {
            check_table_kernel<squares>
                <<<check_blocks(places_.out_items()), check_threads, 0, session_.stream()>>>(
                    in_, table, places_, found);
        });
    }

    session& session_;
    table_places places_;
    const In* in_;
    A* out_;
};

}  // namespace lookback::bench
