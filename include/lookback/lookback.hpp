/// \file
/// Everything.
#pragma once

#include "lookback/axis_scan.hpp"  // inclusive_scan, exclusive_scan along an axis
#include "lookback/execution.hpp"  // where it runs
#include "lookback/operators.hpp"  // what it folds with
#include "lookback/partition.hpp"  // partition_if
#include "lookback/runs.hpp"       // run_length_encode, nontrivial_runs, reduce_by_key
#include "lookback/scan.hpp"       // inclusive_scan, exclusive_scan
#include "lookback/segmented.hpp"  // scans by key, by head flags, by offsets
#include "lookback/select.hpp"     // select_if, select_flagged, unique, unique_by_key
#include "lookback/version.hpp"
