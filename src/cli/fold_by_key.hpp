/// \file
/// The folds of the values of each run of equal keys, window by window, of files or streams: keys
/// and values may come at a pace of their own.
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
    /// What values of the window are folded and written in, which may change in a stream of text.
    std::function<element()> written_as;
};

/// How many items a window has.
std::size_t fold_window(const fold& of, dtype type, std::size_t other_size, const workplace& where);

/// Writes the key of each run, and its fold. Throws `error` where there are not as many values as
/// keys.
void fold_by_key(const fold& of, const keyed_values& in, paired_output out, const workplace& where);

}  // namespace lookback::cli
