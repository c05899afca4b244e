#!/usr/bin/env bash
# The time that nvcc takes to compile one scan of ints: ours, and CUB's.
#   tools/compile_time.sh [RUNS]      medians, of 3 runs by default
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-3}
flags=(-std=c++20 -O3 -gencode arch=compute_90,code=sm_90 -Iinclude)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

cat >"$folder/lookback.cu" <<'CU'
#include "lookback/scan.hpp"

void scan(lookback::gpu& gpu, const int* in, int* out, int n) {
    lookback::inclusive_scan(gpu, in, in + n, out);
}
CU
cat >"$folder/cub.cu" <<'CU'
#include <cub/device/device_scan.cuh>

cudaError_t scan(void* memory, size_t& bytes, const int* in, int* out, int n, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, in, out, n, stream);
}
CU

# The median of the numbers on standard input.
median() {
    sort -n | awk '{ s[NR] = $1 } END { print s[int((NR + 1) / 2)] }'
}

TIMEFORMAT='%R %U'
for one in lookback cub; do
    for ((run = 0; run < runs; ++run)); do
        { time nvcc "${flags[@]}" -c "$folder/$one.cu" -o "$folder/$one.o"; } 2>>"$folder/$one"
    done
    printf '%-9s%6.2f s, of them %6.2f s of the processor in user mode\n' "$one" \
        "$(cut -d' ' -f1 "$folder/$one" | median)" "$(cut -d' ' -f2 "$folder/$one" | median)"
done
