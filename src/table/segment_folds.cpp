#include "table/segment_folds.hpp"

#include <memory>
#include <optional>
#include <type_traits>

#include "lookback/detail/cpu/shares.hpp"
#include "lookback/operators.hpp"
#include "table/arrays.hpp"
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
        // Only unsigned integers and floats come here.
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

void fold_long_segments(dtype type, operation op, const void* in, std::size_t items,
                        const std::int64_t* offsets, std::size_t segments, void* out, int threads) {
    const auto heads = std::make_unique_for_overwrite<std::uint8_t[]>(items);
    heads_of_offsets(offsets, segments, items, heads.get(), threads);
    const std::size_t bytes = size_of(type);
    const auto folds = std::make_unique_for_overwrite<std::uint64_t[]>((items * bytes + 15) / 8);
    std::optional<scalar> last;
    const machine where{.threads = threads};
    const std::size_t closed =
        reduce_segments(where, type, op, in, items, heads.get(), folds.get(), last);
    const auto* const fold = reinterpret_cast<const std::byte*>(folds.get());
    const scalar identity = identity_of(type, op);
    std::size_t next = 0;
    for (std::size_t s = 0; s < segments; ++s) {
        auto* const to = static_cast<std::byte*>(out) + s * bytes;
        if (offsets[s] == offsets[s + 1]) {
            identity.put(type, to);
        } else {
            (next < closed ? scalar(type, fold + next * bytes) : *last).put(type, to);
            ++next;
        }
    }
}

}  // namespace

void reduce_offsets(dtype type, operation op, const void* in, std::size_t items,
                    const std::int64_t* offsets, std::size_t segments, void* out, int threads) {
    if (check_offsets(offsets, segments, items) <= longest_short_segment) {
        fold_short_segments(type, op, in, offsets, segments, out, threads);
    } else {
        fold_long_segments(type, op, in, items, offsets, segments, out, threads);
    }
}

}  // namespace lookback::table
