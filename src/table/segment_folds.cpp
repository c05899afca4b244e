#include "table/segment_folds.hpp"

#include <type_traits>

#include "lookback/detail/cpu/shares.hpp"
#include "lookback/operators.hpp"
#include "table/table.hpp"

namespace lookback::table {
namespace {

template <class T, class Op>
T fold(const T* in, std::size_t items, T identity) {
    constexpr std::size_t lanes = 64 / sizeof(T);
    if (items < 2 * lanes) {
        if (items == 0) return identity;
        T all = in[0];
        for (std::size_t i = 1; i < items; ++i) all = Op{}(all, in[i]);
        return all;
    }
    T lane[lanes];
    for (std::size_t k = 0; k < lanes; ++k) lane[k] = in[k];
    std::size_t i = lanes;
    for (; i + lanes <= items; i += lanes) {
        for (std::size_t k = 0; k < lanes; ++k) lane[k] = Op{}(lane[k], in[i + k]);
    }
    for (std::size_t k = 0; i + k < items; ++k) lane[k] = Op{}(lane[k], in[i + k]);
    T all = lane[0];
    for (std::size_t k = 1; k < lanes; ++k) all = Op{}(all, lane[k]);
    return all;
}

template <class T, class Op>
void fold_each(const void* from, const std::int64_t* offsets, std::size_t segments, void* to,
               T identity, int threads) {
    const auto* const in = static_cast<const T*>(from);
    auto* const out = static_cast<T*>(to);
    const std::size_t items = static_cast<std::size_t>(offsets[segments]);
    constexpr std::size_t share_items = 1 << 15;
    const std::size_t share = 1 + segments * share_items / (items + share_items);
    detail::for_shares(
        cpu{.threads = threads}, segments, share, [&](std::size_t begin, std::size_t end) {
            for (std::size_t s = begin; s < end; ++s) {
                out[s] =
                    fold<T, Op>(in + offsets[s],
                                static_cast<std::size_t>(offsets[s + 1] - offsets[s]), identity);
            }
        });
}

}  // namespace

void fold_short_segments(dtype type, operation op, const void* in, const std::int64_t* offsets,
                         std::size_t segments, void* out, int threads) {
    const scalar identity = identity_of(type, op);
    const bool is_ordered = op == operation::min || op == operation::max;
    with_type(is_ordered ? type : without_sign(type), [&]<class T>(std::type_identity<T>) {
        const auto by = [&]<class Op>(Op) {
            fold_each<T, Op>(in, offsets, segments, out, identity.as<T>(), threads);
        };
        switch (op) {
            case operation::min: return by(minimum<>{});
            case operation::max: return by(maximum<>{});
            default: break;
        }
        // Of integers only unsigned ones come here.
        if constexpr (!std::is_signed_v<T> || std::is_floating_point_v<T>) {
            if (op == operation::sum) return by(plus<>{});
            if (op == operation::product) return by(multiplies<>{});
        }
        if constexpr (std::is_unsigned_v<T>) {
            if (op == operation::bit_and) return by(bit_and<>{});
            if (op == operation::bit_or) return by(bit_or<>{});
            if (op == operation::bit_xor) return by(bit_xor<>{});
        }
    });
}

}  // namespace lookback::table
