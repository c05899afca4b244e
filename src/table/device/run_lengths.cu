#include "lookback/runs.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class T>
void encode(gpu& where, const void* from, std::size_t items, void* to, std::int64_t* lengths,
            std::int64_t* count) {
    const auto* const in = static_cast<const T*>(from);
    lookback::run_length_encode(where, in, in + items, static_cast<T*>(to), lengths,
                                count_to{count});
}

}  // namespace

void run_length_encode(const place& where, item_type type, const void* in, std::size_t items,
                       void* out, std::int64_t* lengths, std::int64_t* count) {
    const auto run = [&] {
        using enum item_type;
        switch (type) {  // integers as unsigned words
            case float32: return encode<float>;
            case float64: return encode<double>;
            case int8:
            case uint8: return encode<std::uint8_t>;
            case int32:
            case uint32: return encode<std::uint32_t>;
            case int64:
            case uint64: return encode<std::uint64_t>;
            default: refuse("run lengths", type);
        }
    }();
    run(call(where), in, items, out, lengths, count);
}

}  // namespace lookback::on_device
