#include <type_traits>

#include "table/device/axis_loop-inl.hpp"

namespace lookback::on_device {

// Minima and maxima of bytes along an axis in one kernel, which is smaller than two, and folds in
// 32 bits, which is smaller than in 8. Those of a line are folded four at a time, by kernels of a
// third of the size.
struct byte_extremum {
    static constexpr bool exact = true;
    bool is_least;

    LOOKBACK_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
        return is_least == (a < b) ? a : b;
    }
};

namespace {

template <bool is_least>
void scan_extrema(gpu& where, const void* from, const axis_extents& extents, void* to) {
    const auto* const in = static_cast<const std::uint8_t*>(from);
    auto* const out = static_cast<std::uint8_t*>(to);
    if (is_line(extents)) {
        using extremum = std::conditional_t<is_least, minimum<>, maximum<>>;
        inclusive_scan(where, in, in + extents.length, out, extremum{});
    } else {
        inclusive_scan(where, in, extents, out, byte_extremum{is_least});
    }
}

}  // namespace

axis_loop find_byte_extrema(bool is_least) {
    return is_least ? scan_extrema<true> : scan_extrema<false>;
}

}  // namespace lookback::on_device
