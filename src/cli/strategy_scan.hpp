/// \file
/// `lookback scan --strategy`: a scan in memory by one of the other ways to scan.
#pragma once

#include "array_input.hpp"
#include "array_output.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "strategies/registry.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {

/// The strategy that --strategy names. Throws `error` if there is no such strategy, if other
/// options ask for something that strategies do not do, or if it needs a GPU and there is none.
const strategies::strategy& find_strategy(const scan_arguments& arguments);

/// The arguments of a strategy, without the arrays. Throws `error` if strategies do not have the
/// type or the operator.
strategies::scan_call strategy_call(const scan_plan& plan, dtype type, const array_input& in);

/// Reads all of `in`, scans it, and writes all of `out`.
void strategy_scan(const strategies::strategy& how, strategies::scan_call call,
                   const scan_plan& plan, dtype type, const array_input& in, array_output& out,
                   progress& bar);

}  // namespace lookback::cli
