#!/usr/bin/env bash
# Reports a result of the GPU benchmarks, and makes it the result that the project shows.
#   bench/record_gpu.sh RESULT.json    and RESULT_compaction.json, _sort.json, _segmented_sort.json,
#                                      _tables.json, _strategies.json, _pieces.json,
#                                      _traffic.json, _newest_cub.json, _released_cub.json, if they
#                                      were measured: copies them to bench/results, then renews
#                                      every table and figure
set -euo pipefail
result=$(realpath "$1")
cd "$(dirname "$0")/.."

# record RESULT NAME [DOCUMENT]: a result that its table refuses is not kept.
record() {
    [[ -f $1 ]] || return 0
    if (($# == 3)); then
        python3 "tools/$2_table.py" "$1"
        python3 "tools/$2_table.py" "$1" --document "$3"
    fi
    [[ $1 -ef bench/results/$2.json ]] || cp "$1" "bench/results/$2.json"
}

record "$result" gpu docs/results.md
released=${result%.json}_released_cub.json
[[ ! -f $released ]] || python3 tools/gpu_newest_cub_table.py "$released"
record "$released" gpu_released_cub
record "${result%.json}_newest_cub.json" gpu_newest_cub docs/results.md
record "${result%.json}_compaction.json" gpu_compaction docs/results.md
record "${result%.json}_sort.json" gpu_sort docs/results.md
record "${result%.json}_segmented_sort.json" gpu_segmented_sort docs/results.md
record "${result%.json}_tables.json" gpu_tables docs/results.md
record "${result%.json}_strategies.json" gpu_strategies docs/strategies.md
record "${result%.json}_pieces.json" gpu_pieces
record "${result%.json}_traffic.json" gpu_traffic
tools/figures.sh
