#include "table/device/axis_loop-inl.hpp"

namespace lookback::on_device {

// Sums are unsigned, and wrap around: sums of signed items in two's complement have the same bits.
axis_loop find_integer_sums(item_type in, item_type out) {
    using enum item_type;
    if (out == int32 || out == uint32) {
        const bool is_word = in == int32 || in == uint32;
        return is_word ? scan_along<std::uint32_t, std::uint32_t, plus<std::uint32_t>> : nullptr;
    }
    if (out != int64 && out != uint64) return nullptr;
    switch (in) {
        case int64:
        case uint64: return scan_along<std::uint64_t, std::uint64_t, plus<std::uint64_t>>;
        case int32: return scan_along<std::int32_t, std::int64_t, plus<std::int64_t>>;
        case uint8: return scan_along<std::uint8_t, std::uint64_t, plus<std::uint64_t>>;
        default: return nullptr;
    }
}

}  // namespace lookback::on_device
