#!/usr/bin/env bash
# Reports a result of the GPU benchmark, and makes it the one that the project shows.
#   bench/record_gpu.sh RESULT.json    bench/results/gpu.json, the README's table, the plot
set -euo pipefail
result=$(realpath "$1")
cd "$(dirname "$0")/.."

python3 tools/gpu_table.py "$result"
python3 tools/gpu_table.py "$result" --readme README.md
/usr/bin/python3 tools/gpu_plot.py "$result" docs/figures/gpu_scan.svg
[[ $result -ef bench/results/gpu.json ]] || cp "$result" bench/results/gpu.json
