#!/usr/bin/env bash
# The time that nvcc takes to compile scans, ours and CUB's: one scan of ints, and a file of twelve
# scans as in a test (six types, inclusive and exclusive, sums and maxima).
#   tools/compile_time.sh [RUNS]      medians, of 3 runs by default
# Or the time of tasks of ./dev, each in a fresh clone of the last commit, without a compiler's cache:
#   tools/compile_time.sh tasks demo test "test asan" "test tsan"
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
chmod 755 "$folder" # a test runs the program as another user
trap 'rm -rf "$folder"' EXIT

if [[ ${1:-} == tasks ]]; then
    export CCACHE_DISABLE=1
    TIMEFORMAT='%R s, of them %U s of the processors in user mode'
    for task in "${@:2}"; do
        git clone --quiet . "$folder/clone"
        echo "./dev $task:"
        # shellcheck disable=SC2086
        (cd "$folder/clone" && time ./dev $task >"$folder/log" 2>&1) || {
            tail -n 20 "$folder/log"
            exit 1
        }
        rm -rf "$folder/clone"
    done
    exit
fi

runs=${1:-3}
flags=(-std=c++20 -O3 -gencode arch=compute_90,code=sm_90 -Iinclude)

cat >"$folder/lookback_one.cu" <<'CU'
#include "lookback/scan.hpp"

void scan(lookback::gpu& gpu, const int* in, int* out, int n) {
    lookback::inclusive_scan(gpu, in, in + n, out);
}
CU
cat >"$folder/cub_one.cu" <<'CU'
#include <cub/device/device_scan.cuh>

cudaError_t scan(void* memory, size_t& bytes, const int* in, int* out, int n, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, in, out, n, stream);
}
CU
cat >"$folder/lookback_twelve.cu" <<'CU'
#include "lookback/scan.hpp"

template <class T>
void two(lookback::gpu& gpu, const T* in, T* out, int n) {
    lookback::inclusive_scan(gpu, in, in + n, out, lookback::plus<T>{});
    lookback::exclusive_scan(gpu, in, in + n, out, T{}, lookback::maximum<T>{});
}
template void two(lookback::gpu&, const signed char*, signed char*, int);
template void two(lookback::gpu&, const unsigned short*, unsigned short*, int);
template void two(lookback::gpu&, const int*, int*, int);
template void two(lookback::gpu&, const long long*, long long*, int);
template void two(lookback::gpu&, const float*, float*, int);
template void two(lookback::gpu&, const double*, double*, int);
CU
cat >"$folder/cub_twelve.cu" <<'CU'
#include <cub/device/device_scan.cuh>
#include <cuda/functional>

template <class T>
cudaError_t two(void* memory, size_t& bytes, const T* in, T* out, int n, cudaStream_t s) {
    cub::DeviceScan::InclusiveScan(memory, bytes, in, out, cuda::std::plus<T>{}, n, s);
    return cub::DeviceScan::ExclusiveScan(memory, bytes, in, out, cuda::maximum<T>{}, T{}, n, s);
}
#define TWO(T) template cudaError_t two(void*, size_t&, const T*, T*, int, cudaStream_t);
TWO(signed char) TWO(unsigned short) TWO(int) TWO(long long) TWO(float) TWO(double)
CU

# The median of the numbers on standard input.
median() {
    sort -n | awk '{ s[NR] = $1 } END { print s[int((NR + 1) / 2)] }'
}

TIMEFORMAT='%R %U'
for one in lookback_one cub_one lookback_twelve cub_twelve; do
    for ((run = 0; run < runs; ++run)); do
        { time nvcc "${flags[@]}" -c "$folder/$one.cu" -o "$folder/$one.o"; } 2>>"$folder/$one"
    done
    printf '%-16s%6.2f s, of them %6.2f s of the processor in user mode\n' "$one" \
        "$(cut -d' ' -f1 "$folder/$one" | median)" "$(cut -d' ' -f2 "$folder/$one" | median)"
done
