#include "table/flags.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include "lookback/detail/cpu/shares.hpp"
#include "lookback/select.hpp"
#include "table/predicates.hpp"

namespace lookback::table {
namespace {

constexpr std::size_t block = 4096;

template <class T>
void mark_as(const void* in, std::size_t items, const wanted& which, bool is_signed,
             std::uint8_t* flags) {
    with_predicate<T>(which, is_signed, [&](auto is_wanted) {
        const auto* const x = static_cast<const T*>(in);
        for (std::size_t i = 0; i < items; ++i) flags[i] = is_wanted(x[i]) ? 1 : 0;
        return items;
    });
}

void mark(dtype type, const void* in, std::size_t items, const wanted& which, std::uint8_t* flags) {
    if (type == dtype::float32) return mark_as<float>(in, items, which, false, flags);
    if (type == dtype::float64) return mark_as<double>(in, items, which, false, flags);
    with_bits(size_of(type), [&]<class U>(std::type_identity<U>) {
        mark_as<U>(in, items, which, is_signed_integer(type), flags);
    });
}

std::uint64_t remainder(std::integral auto x, std::uint64_t divisor) {
    if (!std::cmp_less(x, 0)) return static_cast<std::uint64_t>(x) % divisor;
    const std::uint64_t size = std::uint64_t{0} - static_cast<std::uint64_t>(x);
    const std::uint64_t left = size % divisor;
    return left == 0 ? 0 : divisor - left;
}
double remainder(double x, std::uint64_t divisor) {
    const double left = std::fmod(x, static_cast<double>(divisor));
    return left < 0 ? left + static_cast<double>(divisor) : left;
}

void mark_remainders(dtype type, const void* in, std::size_t items, const flag_test& test,
                     std::uint8_t* flags) {
    with_type(type, [&]<class T>(std::type_identity<T>) {
        using result = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
        result left[block];
        const auto* const x = static_cast<const T*>(in);
        for (std::size_t i = 0; i < items; ++i) left[i] = remainder(x[i], test.divisor);
        mark(dtype_of<result>(), left, items, test.set.get(), flags);
    });
}

// Finds the flags of one block.
void find(dtype type, const void* in, std::size_t items, const flag_test& test,
          std::uint8_t* flags) {
    using kind = flag_test::kind;
    if (test.what == kind::numbers) return mark(type, in, items, test.set.get(), flags);
    if (test.what == kind::remainders) return mark_remainders(type, in, items, test, flags);
    find(type, in, items, test.parts.front(), flags);
    std::uint8_t others[block];
    for (std::size_t k = 1; k < test.parts.size(); ++k) {
        find(type, in, items, test.parts[k], others);
        for (std::size_t i = 0; i < items; ++i) {
            if (test.what == kind::all_of) {
                flags[i] &= others[i];
            } else {
                flags[i] |= others[i];
            }
        }
    }
    if (test.what == kind::none_of) {
        for (std::size_t i = 0; i < items; ++i) flags[i] ^= 1;
    }
}

}  // namespace

void find_flags(dtype type, const void* in, std::size_t items, const flag_test& test,
                std::uint8_t* flags, int threads) {
    const auto* const from = static_cast<const std::byte*>(in);
    detail::for_shares(
        cpu{.threads = threads}, items, block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; i += block) {
                find(type, from + i * size_of(type), std::min(block, end - i), test, flags + i);
            }
        });
}

std::size_t select_flagged(std::size_t bytes, const void* in, std::size_t items,
                           const std::uint8_t* flags, void* out, int threads) {
    return with_bits(bytes, [&]<class U>(std::type_identity<U>) {
        const auto* const from = static_cast<const U*>(in);
        return lookback::select_flagged(cpu{.threads = threads}, from, from + items, flags,
                                        static_cast<U*>(out));
    });
}

}  // namespace lookback::table
