/// \file
/// The loops over numbers in memory that apply an operator, by type and operator. Numbers are
/// aligned as C++ requires.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "table/numbers.hpp"
#include "table/table.hpp"

namespace lookback::table {

struct folding {
    /// The operator's identity.
    scalar identity;

    // As table.hpp says, on the CPU.
    void (*scan)(const void* in, std::size_t items, void* out, const std::optional<scalar>& seed,
                 bool is_backward, int threads);
    void (*scan_columns)(const void* in, rows_shape shape, void* out, void* carry, bool has_carry,
                         bool is_exclusive, bool is_backward);
    void (*scan_segments)(const void* in, std::size_t items, const std::uint8_t* heads, void* out,
                          const std::optional<scalar>& seed, std::optional<scalar>& carry,
                          bool is_exclusive, int threads);
    std::size_t (*reduce_segments)(const void* in, std::size_t items, const std::uint8_t* heads,
                                   void* out, std::optional<scalar>& carry, int threads);

    /// The bits of scans and reductions in pieces are those of a single call, if each piece is a
    /// multiple of this many items.
    std::size_t scan_tile;
    std::size_t scan_segments_tile;
    std::size_t reduce_segments_tile;
};

/// `op` must not be bitwise if the type is a float. Signed integers use the loops of unsigned ones,
/// except for minimum and maximum.
const folding& folding_of(dtype type, operation op);

/// The loops that are compiled for T itself.
template <number T>
const folding& typed_folding(operation op);

}  // namespace lookback::table
