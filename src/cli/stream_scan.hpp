/// \file
/// The scan of numbers that come as a stream, window by window as they arrive.
///
/// A window ends where the input pauses, which must not change the results. So sums and products of
/// floats are folded one number after the other and have the bits of a plain loop. (One scan of an
/// array groups them.)
///
/// Text without a given type begins as integers. At the first number that the type cannot hold, the
/// scan goes on in a type that holds it, from the result so far.
#pragma once

#include <functional>

#include "array_input.hpp"
#include "array_output.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {

/// Scans `in`, which is a stream, to `out`. `written_as` says in which type the numbers of the
/// window are computed and written.
void stream_scan(const scan_plan& plan, const std::function<element()>& written_as,
                 const array_input& in, array_output& out);

}  // namespace lookback::cli
