/// \file
/// Folds the values of each run of equal keys, window by window, from files or streams. Keys and
/// values may arrive at different speeds.
#pragma once

#include <functional>
#include <string>

#include "array_input.hpp"
#include "paired_output.hpp"
#include "run_folds.hpp"
#include "workplace.hpp"

namespace lookback::cli {

struct keyed_values {
    const array_input& keys;
    const std::string& keys_path;
    const array_input& values;
    const std::string& values_path;
    /// The type in which values of the window are folded and written. In a stream of text it may
    /// change.
    std::function<element()> written_as;
};

/// How many items a window has.
std::size_t fold_window(const fold& of, dtype type, std::size_t other_size, const workplace& where);

/// Writes the key of each run, and its fold. Throws `error` unless there are as many values as
/// keys.
void fold_by_key(const fold& of, const keyed_values& in, paired_output out, const workplace& where);

}  // namespace lookback::cli
