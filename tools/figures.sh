#!/usr/bin/env bash
# Draws every figure and writes every table anew from bench/results: the same files from the same
# results, on any machine. Needs Debian's python3-matplotlib.
#   tools/figures.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# draw TOOL RESULT FIGURE (RESULT may be ''). Debian's matplotlib belongs to Debian's Python.
draw() {
    /usr/bin/python3 "tools/$1.py" ${2:+"$2"} "docs/figures/$3.svg" "docs/figures/$3.png"
}
# table RESULT TOOL DOCUMENT [RESULT2]; a result that is not there is skipped
table() {
    [[ -f bench/results/$1.json ]] || return 0
    python3 "tools/$2.py" "bench/results/$1.json" ${4:+"bench/results/$4.json"} --document "$3"
}

table cpu bench_table docs/results.md
table cpu_compaction compaction_table docs/results.md
table cpu_sort cpu_sort_table docs/results.md
table cpu_summed_area cpu_summed_area_table docs/results.md
table python python_table docs/results.md
table python_gpu python_gpu_table docs/results.md
table gpu gpu_table docs/results.md
table gpu_newest_cub gpu_newest_cub_table docs/results.md gpu_released_cub
table gpu_compaction gpu_compaction_table docs/results.md
table gpu_sort gpu_sort_table docs/results.md
table gpu_segmented_sort gpu_segmented_sort_table docs/results.md
table gpu_tables gpu_tables_table docs/results.md
table gpu_tables gpu_tables_table docs/strategies.md
table gpu_strategies gpu_strategies_table docs/strategies.md
python3 tools/summary_table.py --document README.md

draw bench_plot bench/results/cpu.json cpu_scan
draw python_plot bench/results/python.json python
draw gpu_plot bench/results/gpu.json gpu_scan
draw gpu_compaction_plot bench/results/gpu_compaction.json gpu_compaction
draw strategies_plot bench/results/gpu_strategies.json strategies
draw look_back_plot bench/results/gpu_strategies.json look_back
draw block_scans_plot bench/results/gpu_strategies.json block_scans
draw compaction_plot bench/results/gpu_strategies.json compaction
draw flags_plot bench/results/gpu_pieces.json flags
draw traffic_plot bench/results/gpu_traffic.json traffic
draw work_plot '' work
draw sort_traffic_plot '' sort_traffic
draw network_plot docs/figures networks
