#include "table/arrays.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lookback/detail/cpu/shares.hpp"
#include "lookback/scan.hpp"
#include "lookback/select.hpp"
#include "table/axis_of_type.hpp"

namespace lookback::table {
namespace {

constexpr std::size_t share_items = 1 << 14;  // for one thread

template <class To, class From>
void sum_each(const void* in, std::size_t items, void* out, int threads) {
    const auto* const from = static_cast<const From*>(in);
    inclusive_scan(cpu{.threads = threads}, from, from + items, static_cast<To*>(out), plus<To>{});
}

struct flags_that_are_not_set {
    const std::uint8_t* flags;
    using value_type = bool;
    using difference_type = std::ptrdiff_t;
    bool operator[](std::ptrdiff_t i) const { return flags[i] == 0; }
};

}  // namespace

void scan_axis(dtype type, operation op, const void* in, const axis_extents& extents, void* out,
               int threads) {
    const bool is_ordered = op == operation::min || op == operation::max;
    with_type(is_ordered ? type : without_sign(type),
              [&]<class T>(std::type_identity<T>) { axis_of<T>(op)(in, extents, out, threads); });
}

bool can_sum_in(dtype from, dtype to) {
    if (is_float(from)) return from == dtype::float32 && to == dtype::float64;
    return size_of(from) < 8 && size_of(to) == 8 && !is_float(to);
}

void sum_in(dtype from, const void* in, std::size_t items, dtype to, void* out, int threads) {
    if (!can_sum_in(from, to)) throw std::logic_error("lookback: sum_in: no sums in this type");
    with_type(from, [&]<class From>(std::type_identity<From>) {
        if constexpr (std::is_same_v<From, float>) {
            sum_each<double, float>(in, items, out, threads);
        } else if constexpr (std::is_integral_v<From> && sizeof(From) < 8) {
            // For signed numbers, too: their sums have the bits of unsigned sums.
            sum_each<std::uint64_t, From>(in, items, out, threads);
        }
    });
}

std::size_t select_flagged(std::size_t item_bytes, const void* in, std::size_t items,
                           const std::uint8_t* flags, bool is_inverted, void* out, int threads) {
    return with_bits(item_bytes, [&]<class U>(std::type_identity<U>) {
        const auto* const from = static_cast<const U*>(in);
        const cpu where{.threads = threads};
        if (!is_inverted) {
            return lookback::select_flagged(where, from, from + items, flags, static_cast<U*>(out));
        }
        std::size_t kept = 0;
        detail::compact(where, {.at_most = items}, from, flags_that_are_not_set{flags},
                        detail::by_flag{}, detail::total_at(count_to{&kept}, {.at_most = items}),
                        detail::no_array{}, static_cast<U*>(out));
        return kept;
    });
}

std::int64_t check_offsets(const std::int64_t* offsets, std::size_t segments, std::size_t items) {
    if (offsets[0] != 0 || offsets[segments] != static_cast<std::int64_t>(items)) {
        throw std::invalid_argument("lookback: offsets run from " + std::to_string(offsets[0]) +
                                    " to " + std::to_string(offsets[segments]) +
                                    "; expected 0 to the number of items, " +
                                    std::to_string(items));
    }
    std::int64_t longest = 0;
    bool is_falling = false;
    for (std::size_t s = 0; s < segments; ++s) {
        // As unsigned numbers, whose differences wrap around, because the offsets may be any
        // numbers.
        const auto length =
            static_cast<std::uint64_t>(offsets[s + 1]) - static_cast<std::uint64_t>(offsets[s]);
        is_falling |= offsets[s + 1] < offsets[s];
        longest = std::max(longest, static_cast<std::int64_t>(length));
    }
    // If they begin at 0 and do not decrease, they are within the array.
    if (!is_falling) return longest;
    std::size_t s = 0;
    while (offsets[s + 1] >= offsets[s]) ++s;
    throw std::invalid_argument("lookback: offsets decrease from " + std::to_string(offsets[s]) +
                                " to " + std::to_string(offsets[s + 1]) + ", at " +
                                std::to_string(s + 1));
}

void heads_of_offsets(const std::int64_t* offsets, std::size_t segments, std::size_t items,
                      std::uint8_t* heads, int threads) {
    detail::for_shares(cpu{.threads = threads}, items, share_items,
                       [&](std::size_t begin, std::size_t end) {
                           std::fill(heads + begin, heads + end, std::uint8_t{0});
                       });
    for (std::size_t s = 0; s < segments; ++s) {
        if (offsets[s] < static_cast<std::int64_t>(items)) heads[offsets[s]] = 1;
    }
}

}  // namespace lookback::table
