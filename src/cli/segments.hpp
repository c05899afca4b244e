/// \file
/// Where the segments of an array begin, as heads: a byte for each item, which is 1 for the first
/// item of a segment and 0 for other items. So the kernels need not know the types of keys.
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

/// Throws `error` unless both arrays have one dimension and the same number of items. What a stream
/// does not say in advance is not checked here.
void check_keys(const array_input& keys, const std::string& keys_path, const array_input& values,
                const std::string& values_path);

/// Throws `error` unless these are the offsets of the segments of `values`: they begin at 0, do not
/// decrease, and end at the number of items. Reads all of them, in windows of `window_bytes` bytes.
void check_offsets(const array_input& offsets, const std::string& offsets_path,
                   const array_input& values, const std::string& values_path,
                   std::size_t window_bytes);

/// Finds the heads of one window of values after the other. A window is `items` items from item
/// `first` of the array on. Heads are in the order of the walk: backward, a segment begins at its
/// last item.
using head_finder = std::function<void(std::size_t first, std::size_t items, std::uint8_t* heads)>;

/// The heads of the runs of equal keys. Windows of values must be those of a walk along the keys.
head_finder heads_by_key(const array_input& keys, std::size_t window, bool is_backward,
                         int threads);

/// The heads of segments: segment s is [offsets[s], offsets[s + 1]), and may be empty. The offsets
/// are read in their own windows, of `window_bytes` bytes.
head_finder heads_by_offset(const array_input& offsets, std::size_t window_bytes, bool is_backward);

}  // namespace lookback::cli
