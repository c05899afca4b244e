#!/usr/bin/env bash
# Reports a result of the GPU benchmarks, and makes it the one that the project shows.
#   bench/record_gpu.sh RESULT.json    and RESULT_kept.json, _pieces.json, where that was measured:
#                                      bench/results, the README's tables, the plots
set -euo pipefail
result=$(realpath "$1")
cd "$(dirname "$0")/.."

# record RESULT NAME FIGURE...: the result's table and figures, by the tools of that name.
record() {
    python3 "tools/$2_table.py" "$1"
    python3 "tools/$2_table.py" "$1" --readme README.md
    /usr/bin/python3 "tools/$2_plot.py" "$1" "${@:3}"
    [[ $1 -ef bench/results/$2.json ]] || cp "$1" "bench/results/$2.json"
}

record "$result" gpu docs/figures/gpu_scan.svg
kept=${result%.json}_kept.json
if [[ -f $kept ]]; then
    record "$kept" gpu_kept docs/figures/gpu_kept.svg docs/figures/gpu_kept.png
fi
pieces=${result%.json}_pieces.json
if [[ -f $pieces ]]; then
    [[ $pieces -ef bench/results/gpu_pieces.json ]] || cp "$pieces" bench/results/gpu_pieces.json
fi
