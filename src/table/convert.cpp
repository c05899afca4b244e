#include "table/convert.hpp"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <type_traits>

namespace lookback::table {

template <class From, class To>
static void convert_each(const std::byte* in, std::size_t items, To* out) {
    for (std::size_t i = 0; i < items; ++i) {
        From item;
        std::memcpy(&item, in + i * sizeof(From), sizeof(From));
        out[i] = static_cast<To>(item);
    }
}

void convert(dtype from, const void* in, std::size_t items, dtype to, void* out) {
    with_type(to, [&]<class T>(std::type_identity<T>) {
        with_type(from, [&]<class From>(std::type_identity<From>) {
            // A conversion to a signed integer has the bits of one to the unsigned integer of its
            // size.
            using To = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>,
                                                   std::type_identity<T>>::type;
            if constexpr (std::floating_point<To> || std::integral<From>) {
                convert_each<From>(static_cast<const std::byte*>(in), items, static_cast<To*>(out));
            }
        });
    });
}

void reverse(dtype type, const void* in, std::size_t items, void* out) {
    with_bits(size_of(type), [&]<class U>(std::type_identity<U>) {
        const auto* const from = static_cast<const U*>(in);
        auto* const to = static_cast<U*>(out);
        if (from == to) {
            std::reverse(to, to + items);
        } else {
            std::reverse_copy(from, from + items, to);
        }
    });
}

void square(dtype type, const void* in, std::size_t items, void* out) {
    with_type(without_sign(type), [&]<class T>(std::type_identity<T>) {
        if constexpr (sizeof(T) >= 4) {
            const auto* const from = static_cast<const T*>(in);
            std::transform(from, from + items, static_cast<T*>(out), [](T x) { return x * x; });
        }
    });
}

}  // namespace lookback::table
