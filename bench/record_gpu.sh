#!/usr/bin/env bash
# Reports a result of the GPU benchmarks, and makes it the one that the project shows.
#   bench/record_gpu.sh RESULT.json    and RESULT_kept.json, _strategies.json, _pieces.json, where
#                                      those were measured: bench/results, the tables of the README
#                                      and of docs/strategies.md, the plots
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
strategies=${result%.json}_strategies.json
if [[ -f $strategies ]]; then
    python3 tools/gpu_strategies_table.py "$strategies"
    python3 tools/gpu_strategies_table.py "$strategies" --readme docs/strategies.md
    [[ $strategies -ef bench/results/gpu_strategies.json ]] ||
        cp "$strategies" bench/results/gpu_strategies.json
fi
pieces=${result%.json}_pieces.json
if [[ -f $pieces ]]; then
    [[ $pieces -ef bench/results/gpu_pieces.json ]] || cp "$pieces" bench/results/gpu_pieces.json
fi
