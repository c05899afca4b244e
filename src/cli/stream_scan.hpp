/// \file
/// The scan of numbers that come as a stream, window by window as they arrive.
///
/// A window ends where the input pauses, which may not be seen in the results: so sums and products
/// of floats are folded one number after the other (in one scan of an array they are grouped), and
/// have the bits of a plain loop.
///
/// Where text is integers up to some number that is none, the scan goes on as one of the type that
/// holds it, from the result so far.
#pragma once

#include <functional>

#include "array_input.hpp"
#include "array_output.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {

/// Scans `in`, which is a stream, to `out`. `written_as` says in which type numbers of the window
/// are computed and written.
void stream_scan(const scan_plan& plan, const std::function<element()>& written_as,
                 const array_input& in, array_output& out);

}  // namespace lookback::cli
