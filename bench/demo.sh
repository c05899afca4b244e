#!/usr/bin/env bash
# The demo of the command line: a scan that one can check by hand; then a verified scan of 1 GiB of
# numbers, timed beside cp; and a picture whose background a summed-area table has blurred.
#   bench/demo.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
folder=$(mktemp -d "$build/demo.XXXXXX")
trap 'rm -rf "$folder"' EXIT

lookback=$build/src/cli/lookback
echo
numbers="3 1 7 0 4 1 6 3"
echo "numbers    $numbers"
echo "inclusive  $(echo "$numbers" | "$lookback" scan - | paste -sd ' ')"
echo "exclusive  $(echo "$numbers" | "$lookback" scan - --exclusive | paste -sd ' ')"
echo

run() {
    echo "\$ $*"
    "$@"
}
run "$build/bench/lookback_demo_files" make "$folder/numbers.npy" 1
# Otherwise the system would still write the numbers to the disk during the measurements.
sync "$folder/numbers.npy"
run "$lookback" scan "$folder/numbers.npy" -o "$folder/sums.npy" --json

# Milliseconds that a command takes to write a new file, $folder/new.npy.
milliseconds() {
    rm -f "$folder/new.npy"
    local begin=${EPOCHREALTIME/[.,]/}
    "$@" "$folder/new.npy"
    echo $(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
}
median() {
    printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"
}
copies=() scans=()
for _ in 1 2 3; do
    copies+=("$(milliseconds cp "$folder/numbers.npy")")
    scans+=("$(milliseconds "$lookback" scan "$folder/numbers.npy" -o)")
done
rm "$folder/new.npy"
echo "Interleaved: cp $(median "${copies[@]}") ms, lookback scan $(median "${scans[@]}") ms (medians of 3)"
run "$build/bench/lookback_demo_files" check "$folder/numbers.npy" "$folder/sums.npy"
echo
bench/demo_scene.sh "$build" "$build/picture"
echo "Look at $build/picture/dof_before.png and $build/picture/dof_after.png"
