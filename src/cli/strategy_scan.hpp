/// \file
/// `lookback scan --strategy`: a scan in memory by one of the other ways to do it.
#pragma once

#include "array_input.hpp"
#include "array_output.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "strategies/registry.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {

/// The strategy that --strategy names. Throws `error` where there is none, where the other options
/// ask for what no strategy does, and where it needs a GPU and there is none.
const strategies::strategy& find_strategy(const scan_arguments& arguments);

/// What a strategy is called with, but for the arrays. Throws `error` where none of them knows the
/// type or the operator.
strategies::scan_call strategy_call(const scan_plan& plan, dtype type, const array_input& in);

/// Reads all of `in`, scans it, and writes all of `out`.
void strategy_scan(const strategies::strategy& how, strategies::scan_call call,
                   const scan_plan& plan, dtype type, const array_input& in, array_output& out,
                   progress& bar);

}  // namespace lookback::cli
