/// \file
/// Everything on CUDA GPUs, for programs compiled by nvcc.
#pragma once

#include "lookback/gpu/axis_scan.hpp"  // inclusive_scan, exclusive_scan along an axis
#include "lookback/gpu/execution.hpp"  // where it runs
#include "lookback/gpu/partition.hpp"  // partition_if
#include "lookback/gpu/runs.hpp"       // run_length_encode, nontrivial_runs, reduce_by_key
#include "lookback/gpu/scan.hpp"       // inclusive_scan, exclusive_scan
#include "lookback/gpu/segmented.hpp"  // scans by key, by head flags, by offsets
#include "lookback/gpu/select.hpp"     // select_if, select_flagged, unique, unique_by_key
#include "lookback/operators.hpp"      // what it folds with
#include "lookback/version.hpp"
