#!/usr/bin/env bash
# Runs the CPU benchmark that the `bench` preset has built, and prints the report.
#   bench/run_cpu.sh BUILD             all of it: bench/results/cpu.json, the README's table, the plot
#   bench/run_cpu.sh BUILD --quick     a look in a minute; with any option, no file outside BUILD changes
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift

result=bench/results/cpu.json
(($#)) && result=$build/cpu-part.json
"$build/bench/lookback_bench_cpu" "$@" --out "$build/cpu-repetitions.json"
python3 tools/bench_table.py "$build/cpu-repetitions.json" --save "$result"
if [[ $result == bench/* ]]; then
    python3 tools/bench_table.py "$result" --readme README.md
    /usr/bin/python3 tools/bench_plot.py "$result" docs/figures/cpu_scan.svg docs/figures/cpu_scan.png
fi
