/// \file
/// Sorts arrays that may be larger than memory.
///
/// An array of more than one window is sorted window by window, and these sorted runs, which lie in
/// a temporary file, are merged. Bytes moved, besides input and output: each item is written and
/// read once more, for each time that runs are merged; all can be at once where a window has room
/// for 256 KiB of each.
#pragma once

#include <cstddef>
#include <string>

#include "array_input.hpp"
#include "array_output.hpp"
#include "workplace.hpp"

namespace lookback::cli {

/// What is sorted, and what is written. Null: not at all.
struct sort_plan {
    const array_input& keys;
    bool is_descending;
    const array_input* values;  ///< which go along with the keys
    bool has_positions;         ///< or the numbers of the keys do, as int64
    array_output* keys_out;
    array_output* loads_out;      ///< for what goes along
    std::string temporary_place;  ///< the directory for temporary files
    const workplace& where;
};

/// Returns how many windows there were.
std::size_t windowed_sort(const sort_plan& plan);

}  // namespace lookback::cli
