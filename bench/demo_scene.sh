#!/usr/bin/env bash
# Renders the demo's scene into FOLDER and focuses on the yellow sphere: dof_before.png,
# dof_depth.png, dof_after.png.
#   bench/demo_scene.sh BUILD FOLDER
set -euo pipefail
build=$1 folder=$2
mkdir -p "$folder"

run() {
    echo "\$ $*"
    "$@"
}
run "$build/bench/lookback_scene" "$folder/dof_before.png" "$folder/dof_depth.png"
run "$build/src/cli/lookback" dof "$folder/dof_before.png" "$folder/dof_depth.png" \
    -o "$folder/dof_after.png" --focus .3 --aperture 22 --json
