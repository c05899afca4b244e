#include "lookback/partition.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class U>
void part_words(gpu& where, const void* from, std::size_t items, const std::uint8_t* flags,
                void* to, void* rest, std::int64_t* count) {
    const auto* const in = static_cast<const U*>(from);
    lookback::partition_flagged(where, in, in + items, flags, static_cast<U*>(to),
                                static_cast<U*>(rest), count_to{count});
}

}  // namespace

void partition_flagged(const place& where, std::size_t item_bytes, const void* in,
                       std::size_t items, const std::uint8_t* flags, void* out, void* rest,
                       std::int64_t* count) {
    const auto part = [&] {
        switch (item_bytes) {
            case 1: return part_words<std::uint8_t>;
            case 2: return part_words<std::uint16_t>;
            case 4: return part_words<std::uint32_t>;
            case 8: return part_words<std::uint64_t>;
            default: refuse_bytes("partition", item_bytes);
        }
    }();
    part(call(where), in, items, flags, out, rest, count);
}

}  // namespace lookback::on_device
