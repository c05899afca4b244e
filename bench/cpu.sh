#!/usr/bin/env bash
# Runs the CPU benchmark that the `bench` preset has built, saves its result and prints the report.
#   bench/cpu.sh           all of it: bench/results/cpu.json
#   bench/cpu.sh --quick   a look in a minute: build/bench/cpu-quick.json
set -euo pipefail
cd "$(dirname "$0")/.."

result=bench/results/cpu.json
for argument in "$@"; do
    [[ $argument == --quick ]] && result=build/bench/cpu-quick.json
done
build/bench/bench/lookback_bench_cpu "$@" --out build/bench/cpu-repetitions.json
python3 tools/bench_table.py build/bench/cpu-repetitions.json --save "$result"
echo
echo "Saved as $result. To publish it:"
echo "  python3 tools/bench_table.py $result --readme README.md"
echo "  /usr/bin/python3 tools/bench_plot.py $result docs/figures/cpu_scan"
