/// \file
/// The loops over numbers in memory whose results depend in number on the data, by type. Numbers
/// are aligned as C++ requires. Outputs have room for a result for each number; the functions
/// return how many results there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "table/numbers.hpp"
#include "table/table.hpp"

namespace lookback::table {

/// As table.hpp says, on the CPU.
struct compaction {
    std::size_t (*select)(const void* in, std::size_t items, void* out, bool is_signed,
                          const wanted& which, int threads);
    std::size_t (*partition)(const void* in, std::size_t items, void* out, void* rest,
                             bool is_signed, const wanted& which, int threads);
    std::size_t (*unique)(const void* in, std::size_t items, void* out, int threads);
    std::size_t (*run_length_encode)(const void* in, std::size_t items, void* out,
                                     std::int64_t* lengths, int threads);
    void (*find_heads)(const void* in, std::size_t items, const std::optional<scalar>& before,
                       std::uint8_t* heads, int threads);
};

/// `type` has no sign: signed integers use the loops of unsigned ones.
const compaction& compaction_of(dtype type);

/// T is an unsigned integer, float or double.
template <number T>
const compaction& typed_compaction();

}  // namespace lookback::table
