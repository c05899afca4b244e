/// \file
/// Everything, on the CPU and, compiled by nvcc, on GPUs.
#pragma once

#include "lookback/axis_scan.hpp"       // inclusive_scan, exclusive_scan along an axis
#include "lookback/box_filter.hpp"      // box_filter, box_variance, depth_of_field
#include "lookback/counts.hpp"          // counts in memory, extents, beginnings of segments
#include "lookback/cpu.hpp"             // the execution on the CPU
#include "lookback/operators.hpp"       // plus, minimum, maximum and others
#include "lookback/partition.hpp"       // partition_if
#include "lookback/pixel.hpp"           // pixels of several channels
#include "lookback/runs.hpp"            // run_length_encode, nontrivial_runs, reduce_by_key
#include "lookback/scan.hpp"            // inclusive_scan, exclusive_scan
#include "lookback/segmented.hpp"       // scans by key, by head flags, by offsets
#include "lookback/segmented_sort.hpp"  // sorts within segments
#include "lookback/select.hpp"          // select_if, select_flagged, unique, unique_by_key
#include "lookback/sort.hpp"            // sort_keys, sort_pairs, sort_order
#include "lookback/summed_area.hpp"     // summed_area_table and its variants
#include "lookback/version.hpp"
#if LOOKBACK_GPU
#include "lookback/gpu.hpp"
#endif
