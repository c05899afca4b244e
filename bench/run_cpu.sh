#!/usr/bin/env bash
# Runs the CPU benchmarks that the `bench` preset has built (scans; selections, runs and segments;
# sorts; summed-area tables and box filters), and prints the reports.
#   bench/run_cpu.sh BUILD             all of it: bench/results, then every table and figure
#   bench/run_cpu.sh BUILD --quick     less, in two minutes
# With any option, no file outside BUILD changes.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift

result=bench/results/cpu.json
compactions=bench/results/cpu_compaction.json
sorts=bench/results/cpu_sort.json
tables=bench/results/cpu_summed_area.json
if (($#)); then
    result=$build/cpu-part.json
    compactions=$build/cpu-compaction-part.json
    sorts=$build/cpu-sort-part.json
    tables=$build/cpu-summed-area-part.json
fi

# measure PROGRAM TABLE RESULT OPTIONS...: reports nothing if --filter leaves no cell
measure() {
    local repetitions=$build/$1.json
    "$build/bench/lookback_bench_$1" "${@:4}" --out "$repetitions"
    [[ ! -s $repetitions ]] || python3 "tools/$2" "$repetitions" --save "$3"
}
measure cpu bench_table.py "$result" "$@"
measure cpu_compaction compaction_table.py "$compactions" "$@"
measure cpu_sort cpu_sort_table.py "$sorts" "$@"
measure cpu_summed_area cpu_summed_area_table.py "$tables" "$@"
if [[ $result == bench/* ]]; then
    tools/figures.sh
fi
