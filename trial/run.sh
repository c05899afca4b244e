#!/usr/bin/env bash
# Runs every trial in FOLDER from random seeds, for about MINUTES in all, as many at once as there are
# cores. Exits with 1 if something was found, and says how to repeat it.
#   trial/run.sh FOLDER MINUTES
set -euo pipefail
folder=$1
minutes=$2
[[ $minutes =~ ^[1-9][0-9]*$ ]] || {
    echo "dev: trial '$minutes': expected a number of minutes" >&2
    exit 2
}
cores=$(nproc)
mapfile -t programs < <(find "$folder" -maxdepth 1 -type f -name 'trial_*' -executable | sort)
export LOOKBACK_TRIAL_SECONDS=$((minutes * 60 * cores / ${#programs[@]}))
export folder
echo "${#programs[@]} programs, $LOOKBACK_TRIAL_SECONDS s each, $cores at once"

try() {
    local name=${1##*/} output
    if output=$("$1" 2>&1); then
        echo "$name: nothing found; $(grep -o 'seeds .*' <<<"$output" | paste -sd ';')"
    else
        printf '%s\n%s: FOUND SOMETHING\n' "$output" "$name"
        return 1
    fi
}
export -f try
printf '%s\n' "${programs[@]}" | xargs -P "$cores" -I{} bash -c 'try {}' ||
    { echo "dev: trial: something was found" >&2; exit 1; }
