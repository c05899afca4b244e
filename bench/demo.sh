#!/usr/bin/env bash
# The demo: a scan one can check by hand, then 1 GiB of numbers through the command line, verified,
# and the speed it could have had; and a picture, its background blurred by a summed-area table.
#   bench/demo.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
folder=$(mktemp -d "$build/demo.XXXXXX")
trap 'rm -rf "$folder"' EXIT

lookback=$build/src/cli/lookback
numbers="3 1 7 0 4 1 6 3"
echo "numbers    $numbers"
echo "inclusive  $(echo "$numbers" | "$lookback" scan - | paste -sd ' ')"
echo "exclusive  $(echo "$numbers" | "$lookback" scan - --exclusive | paste -sd ' ')"
echo

run() {
    echo "\$ $*"
    "$@"
}
run "$build/bench/lookback_demo" make "$folder/numbers.npy" 1
run "$lookback" scan "$folder/numbers.npy" -o "$folder/sums.npy" --json
run "$build/bench/lookback_demo" check "$folder/numbers.npy" "$folder/sums.npy"
echo
bench/demo_scene.sh "$build" "$build/picture"
echo "Look at $build/picture/dof_before.png and $build/picture/dof_after.png"
