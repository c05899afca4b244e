/// \file
/// Everything.
#pragma once

#include "lookback/execution.hpp"  // where it runs
#include "lookback/operators.hpp"  // what it folds with
#include "lookback/scan.hpp"       // inclusive_scan, exclusive_scan
#include "lookback/version.hpp"
