/// \file
/// What is scanned with what: a workload has an item type, the operator in the form that suits the
/// peers and in ours, and a check of results.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "lookback/operators.hpp"
#include "memory.hpp"

namespace lookback::bench {

template <class T>
constexpr const char* type_name() {
    if constexpr (std::floating_point<T>) return sizeof(T) == 4 ? "f32" : "f64";
    if constexpr (std::same_as<T, std::uint8_t>) return "u8";
    if constexpr (std::same_as<T, std::uint16_t>) return "u16";
    return sizeof(T) == 4 ? "i32" : "i64";
}

/// Follows an inclusive scan from the beginning, and accepts an output only if it is exact.
template <class T, class Op>
class exact_check {
 public:
    explicit exact_check(double /*depth*/) {}
    bool accepts(const T& in, const T& out) {
        fold_ = first_ ? in : Op{}(fold_, in);
        first_ = false;
        return out == fold_;
    }
    const T& expected() const { return fold_; }
    double worst_error() const { return 0; }

 private:
    T fold_{};
    bool first_ = true;
};

/// The same for sums of floats, against a sequential sum in double. |out - sum| may be up to d * u
/// * (sum of |x|), where u is the unit roundoff and d is the largest number of additions that an
/// item goes through (Higham 2002, section 4.2): `depth`, or all items before it, if these are
/// fewer. If the items are doubles themselves, the reference may be wrong by as many additions as
/// it has made.
template <class T>
class rounded_check {
 public:
    explicit rounded_check(double depth) : depth_(depth) {}
    bool accepts(T in, T out) {
        ++items_;
        sum_ += in;
        magnitude_ += std::abs(in);
        const double error = std::abs(static_cast<double>(out) - sum_);
        worst_ = std::max(worst_, magnitude_ > 0 ? error / magnitude_ : 0);
        const double additions = std::min(depth_, items_) + (std::same_as<T, double> ? items_ : 0);
        return error <= additions * unit * magnitude_;
    }
    double expected() const { return sum_; }
    double worst_error() const { return worst_; }

 private:
    static constexpr double unit = std::numeric_limits<T>::epsilon() / 2;
    double depth_;
    double items_ = 0;
    double sum_ = 0;
    double magnitude_ = 0;
    double worst_ = 0;
};

/// Sums in the items' own type. The result type keeps small integers from becoming int.
template <class T>
struct sum {
    using item = T;
    struct op {
        T operator()(T a, T b) const { return static_cast<T>(a + b); }
    };
    using our_op = plus<>;
    using check = std::conditional_t<std::floating_point<T>, rounded_check<T>, exact_check<T, op>>;
    static constexpr T identity = 0;
    static std::string name() { return std::string("sum/") + type_name<T>(); }
    static T random(std::size_t i) { return random_item<T>(i); }
};

template <class T>
struct running_maximum {
    using item = T;
    struct op {
        T operator()(T a, T b) const { return a < b ? b : a; }
    };
    using our_op = maximum<>;
    using check = exact_check<T, op>;
    static constexpr T identity = std::numeric_limits<T>::lowest();
    static std::string name() { return std::string("maximum/") + type_name<T>(); }
    static T random(std::size_t i) { return random_item<T>(i); }
};

/// 2x2 matrices of wrapping integers: an operator that a user could write, not commutative, on
/// items of 16 bytes.
struct matrix {
    std::uint32_t a, b, c, d;
    friend bool operator==(const matrix&, const matrix&) = default;
};

struct matrix_product {
    using item = matrix;
    struct op {
        static constexpr bool exact = true;
        matrix operator()(const matrix& x, const matrix& y) const {
            return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d,  //
                    x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
        }
    };
    using our_op = op;
    using check = exact_check<matrix, op>;
    static constexpr matrix identity{1, 0, 0, 1};
    static std::string name() { return "product/matrix"; }
    static matrix random(std::size_t i) {
        const std::uint64_t ab = random_bits(2 * i);
        const std::uint64_t cd = random_bits(2 * i + 1);
        // With an odd determinant, so that no product forgets what came before.
        return {static_cast<std::uint32_t>(ab) | 1, static_cast<std::uint32_t>(ab >> 32) & ~1U,
                static_cast<std::uint32_t>(cd), static_cast<std::uint32_t>(cd >> 32) | 1};
    }
};

/// Maps x -> a * x + b of wrapping integers, as of a linear recurrence: items of 8 bytes.
struct affine_map {
    std::uint32_t a, b;
    friend bool operator==(const affine_map&, const affine_map&) = default;
};

struct affine_product {
    using item = affine_map;
    struct op {
        static constexpr bool exact = true;
        affine_map operator()(const affine_map& first, const affine_map& then) const {
            return {first.a * then.a, first.b * then.a + then.b};
        }
    };
    using our_op = op;
    using check = exact_check<affine_map, op>;
    static constexpr affine_map identity{1, 0};
    static std::string name() { return "product/affine"; }
    static affine_map random(std::size_t i) {
        const std::uint64_t ab = random_bits(i);
        return {static_cast<std::uint32_t>(ab) | 1, static_cast<std::uint32_t>(ab >> 32)};
    }
};

}  // namespace lookback::bench
