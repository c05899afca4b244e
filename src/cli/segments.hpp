/// \file
/// Where segments of an array begin: heads, a byte for each item, which are 1 there and 0
/// elsewhere. So the kernels need not know of the types of keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "array_input.hpp"

namespace lookback::cli {

/// Throws `error` if both are standard input; the names are those of the arguments in the help.
void check_inputs(const std::string& a, std::string_view name_a, const std::string& b,
                  std::string_view name_b);

/// Throws `error` if the arrays have not one dimension, or not the same number of items, which of a
/// stream may not be told yet.
void check_keys(const array_input& keys, const std::string& keys_path, const array_input& values,
                const std::string& values_path);

/// Throws `error` if these are not the offsets of the segments of `values`: they begin at 0, do not
/// decrease, and end at the number of items. Reads all of them, in windows of so many bytes.
void check_offsets(const array_input& offsets, const std::string& offsets_path,
                   const array_input& values, const std::string& values_path,
                   std::size_t window_bytes);

/// Finds the heads of one window of values after the other, which are `items` from item `first` of
/// the array on, in the order of the walk: backward, a segment begins at its last item.
using head_finder = std::function<void(std::size_t first, std::size_t items, std::uint8_t* heads)>;

/// Those of the runs of equal keys. The windows are those of a walk along the keys.
head_finder heads_by_key(const array_input& keys, std::size_t window, bool is_backward,
                         int threads);

/// Segment s of the values is [offsets[s], offsets[s + 1]), and may be empty. The offsets are read
/// in windows of so many bytes of their own.
head_finder heads_by_offset(const array_input& offsets, std::size_t window_bytes, bool is_backward);

}  // namespace lookback::cli
