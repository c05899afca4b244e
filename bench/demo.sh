#!/usr/bin/env bash
# The demo: 1 GiB of numbers through the command line, verified, and the speed it could have had.
#   bench/demo.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
folder=$(mktemp -d "$build/demo.XXXXXX")
trap 'rm -rf "$folder"' EXIT

run() {
    echo "\$ $*"
    "$@"
}
run "$build/bench/lookback_demo" make "$folder/numbers.npy" --gib 1
run "$build/src/cli/lookback" scan "$folder/numbers.npy" -o "$folder/sums.npy"
run "$build/bench/lookback_demo" check "$folder/numbers.npy" "$folder/sums.npy"
