/// \file
/// Where segments of an array begin: an array of heads, which are 1 there and 0 elsewhere. So the
/// kernels need not know of the types of keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "array_input.hpp"

namespace lookback::cli {

/// Throws `error` if both are standard input; the names are those of the arguments in the help.
void check_inputs(const std::string& a, std::string_view name_a, const std::string& b,
                  std::string_view name_b);

/// Throws `error` if the arrays have not one dimension, or not the same number of items.
void check_keys(const array_input& keys, const std::string& keys_path, const array_input& values,
                const std::string& values_path);

/// Finds the runs of equal keys, of which there are as many as numbers in `values`.
void find_heads_by_key(const array_input& keys, const std::string& keys_path,
                       const array_input& values, const std::string& values_path,
                       std::uint8_t* heads, int threads);

/// Segment s of `values` is [offsets[s], offsets[s + 1]), and may be empty.
void find_heads_by_offset(const array_input& offsets, const std::string& offsets_path,
                          const array_input& values, const std::string& values_path,
                          std::uint8_t* heads);

}  // namespace lookback::cli
