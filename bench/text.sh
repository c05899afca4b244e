#!/usr/bin/env bash
# Text through the command line: how fast numbers are scanned, and how fast they are sorted and
# counted beside coreutils, whose output must be the same. usage: bench/text.sh [BUILD [NUMBERS [TURNS]]]
#
# The runs of the programs are interleaved; of each the least wall time is shown, and its CPU time, in seconds.
set -euo pipefail
build=${1:-build/cpu} numbers=${2:-10000000} turns=${3:-3}
lookback=$(realpath "$build/src/cli/lookback")
export LC_ALL=C
directory=$(mktemp -d "${TMPDIR:-/dev/shm}/lookback-text.XXXXXX")
trap 'rm -rf "$directory"' EXIT
cd "$directory"

# timed NAME: runs the function NAME; its wall and CPU time go to NAME.times.
timed() {
    TIMEFORMAT='%3R %3U %3S'
    { time "$1" 2>&3; } 3>&2 2>seconds.txt
    awk '{print $1, $2 + $3}' seconds.txt >>"$1.times"
}
least() { sort -n "$1.times" | head -1; }

random_integers() {
    awk -v n="$numbers" -v below="$1" 'BEGIN {srand(1); while (n--) printf "%d\n", int(rand() * below)}'
}
random_floats() {
    awk -v n="$numbers" 'BEGIN {srand(1); while (n--) printf "%.17g\n", rand() + rand() / 1e8}'
}

scan() { "$lookback" scan in.txt -o out.txt; }
coreutils() { sort -n in.txt | uniq -c >counted.txt; }
coreutils_2() { sort -n --parallel=2 in.txt | uniq -c >counted.txt; }
ours() { "$lookback" sort - <in.txt | "$lookback" rle - >runs.txt; }

echo "lookback scan in.txt -o out.txt, $numbers numbers"
for kind in "integers 1000000000" floats; do
    # shellcheck disable=SC2086 # a name and its argument
    random_$kind >in.txt
    rm -f ./*.times
    for ((i = 0; i < turns; ++i)); do timed scan; done
    least scan | awk -v kind="${kind%% *}" -v in_="$(stat -c %s in.txt)" -v out="$(stat -c %s out.txt)" '
        {printf "  %-9s %.2f s, CPU %.2f s: %.0f MB/s in, %.0f MB/s out\n", kind, $1, $2, in_ / $1 / 1e6, out / $1 / 1e6}'
done

echo "sort -n | uniq -c of $numbers integers, beside lookback sort - | lookback rle -"
for below in 1000 1000000000; do
    random_integers "$below" >in.txt
    rm -f ./*.times
    for ((i = 0; i < turns; ++i)); do
        for program in coreutils coreutils_2 ours; do timed "$program"; done
    done
    sed 's/^ *//' counted.txt | cmp - runs.txt
    echo "$(least coreutils) $(least coreutils_2) $(least ours)" | awk -v below="$below" '
        {printf "  below %-10d sort %.2f s (CPU %.2f), --parallel=2 %.2f s (%.2f), lookback %.2f s (%.2f): %.1f and %.1f times as fast\n",
                below, $1, $2, $3, $4, $5, $6, $1 / $5, $3 / $5}'
done
