// What the C functions check of their arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lookback/c.h"
#include "lookback/detail/arguments.hpp"
#include "table/arrays.hpp"
#include "table/table.hpp"

namespace lookback::c {

[[noreturn]] inline void refuse(const char* name, long long value, const char* expected) {
    throw std::invalid_argument(std::string("lookback: ") + name + " is " + std::to_string(value) +
                                "; expected " + expected);
}

inline table::dtype checked(lookback_type type) {
    if (type < LOOKBACK_INT8 || type > LOOKBACK_FLOAT64) refuse("type", type, "a lookback_type");
    return static_cast<table::dtype>(type);
}

inline table::operation checked(lookback_operation op, table::dtype type) {
    if (op < LOOKBACK_SUM || op > LOOKBACK_XOR) refuse("op", op, "a lookback_operation");
    const auto same = static_cast<table::operation>(op);
    if (table::is_bitwise(same) && table::is_float(type)) {
        refuse("op", op, "no bitwise operation, as the items are floats");
    }
    return same;
}

inline void check_item_bytes(std::size_t bytes) {
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
        refuse("item_bytes", static_cast<long long>(bytes), "1, 2, 4 or 8");
    }
}

inline void check_memory(const void* pointer, std::size_t items, const char* name) {
    detail::check_not_null(pointer, items, name);
}

inline std::optional<table::scalar> seed_of(table::dtype type, const void* init) {
    return init == nullptr ? std::nullopt : std::optional(table::scalar(type, init));
}

inline void check_apart(const void* in, std::size_t items, const void* out, table::dtype type) {
    table::with_bits(table::size_of(type), [&]<class U>(std::type_identity<U>) {
        detail::check_apart(static_cast<const U*>(in), items, "input", static_cast<const U*>(out),
                            items);
    });
}

struct scan_kind {
    table::dtype type;
    table::operation op;
};

// Checked before anything else: a kernel that is given a null pointer makes its GPU unusable.
inline void check_both(const void* in, const void* out, std::size_t items) {
    check_memory(in, items, "input");
    check_memory(out, items, "output");
}

// Checks that both scans share.
inline scan_kind checked_scan(lookback_type type, lookback_operation op) {
    const table::dtype t = checked(type);
    return {t, checked(op, t)};
}

}  // namespace lookback::c
