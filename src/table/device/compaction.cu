#include "lookback/select.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class U>
void select_words(gpu& where, const void* from, std::size_t items, const std::uint8_t* flags,
                  void* to, std::int64_t* count) {
    const auto* const in = static_cast<const U*>(from);
    lookback::select_flagged(where, in, in + items, flags, static_cast<U*>(to), count_to{count});
}

}  // namespace

void select_flagged(const place& where, std::size_t item_bytes, const void* in, std::size_t items,
                    const std::uint8_t* flags, void* out, std::int64_t* count) {
    const auto select = [&] {
        switch (item_bytes) {
            case 1: return select_words<std::uint8_t>;
            case 2: return select_words<std::uint16_t>;
            case 4: return select_words<std::uint32_t>;
            case 8: return select_words<std::uint64_t>;
            default: refuse_bytes("selection", item_bytes);
        }
    }();
    const call here(where);
    select(here, in, items, flags, out, count);
}

}  // namespace lookback::on_device
