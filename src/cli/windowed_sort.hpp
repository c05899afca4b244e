/// \file
/// Sorts arrays that may be larger than memory.
///
/// An array of more than one window is sorted window by window. These sorted runs lie in a
/// temporary file, and are merged. Bytes moved, besides input and output: each merge writes and
/// reads each item once more. One merge is enough if a window has room for 256 KiB of each run.
#pragma once

#include <cstddef>
#include <string>

#include "array_input.hpp"
#include "array_output.hpp"
#include "workplace.hpp"

namespace lookback::cli {

/// What is sorted and what is written. A null pointer: not there.
struct sort_plan {
    const array_input& keys;
    bool is_descending;
    const array_input* values;  ///< these move with the keys
    bool has_positions;         ///< or the positions of the keys, as int64, move with them
    array_output* keys_out;
    array_output* loads_out;      ///< for the values or positions
    std::string temporary_place;  ///< the directory for temporary files
    const workplace& where;
};

/// Returns how many windows there were.
std::size_t windowed_sort(const sort_plan& plan);

}  // namespace lookback::cli
