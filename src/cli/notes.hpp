/// \file
/// The text below the options in the help of each command.
#pragma once

namespace lookback::cli {

inline constexpr const char* scan_notes = R"(
Files:
  *.npy    NumPy array of bool, int8 to int64, uint8 to uint64, float16 to float64, in either
           byte order, in C or Fortran order. Output is little-endian, in C order
  *.npz    FILE.npz:NAME is one of its arrays; if there is only one, FILE.npz is enough. As OUT it
           becomes a new file that has only the results, not compressed: arr_0 without a NAME
  *.bin    raw numbers of the type --dtype
  *.txt, - text: numbers separated by white space; on output, one on each line. *.csv and *.tsv are
           text, too. Without --dtype, numbers are int64; from the first number on that does not
           fit, they are uint64, or else float64. If OUT is a file with one type, that type holds
           all numbers. With --format npy or raw, - has that format instead
  --column reads text as a table (CSV): lines of fields, with or without quotes, between commas or
           --delimiter (*.tsv: tabs). If C is a name, the first line has the names; the numbers of
           columns begin with 1. Several results on a line are separated by a space, by
           --delimiter, or as the name of OUT says (*.csv: commas, *.tsv: tabs)
  *.gz, *.zst: one of these, compressed. Text and .npy files in pipes may be compressed, too
  A file of any other name holds raw numbers, if there is a --dtype. OUT may be IN: it is replaced
  at the end, and not at all after an error. It keeps its mode, owner, access control list and
  attributes; other names of the old file (hard links) keep the old data.

Numbers:
  Types have the names of NumPy or C: float32, f4, >i4 (big-endian), uint16_t, unsigned short, ...
  Everything is computed in the type of the output, except float16, which is computed in float32.
  Integers wrap around. Sums and products of bool are int64; with --promote, sums and products of
  integers have 64 bits. Without --init, an exclusive scan begins with the operator's identity (0
  for sum, 1 for product, ...).
  Without --axis, an array is scanned as one line, and the output has one dimension, as in NumPy.

Segments:
  --by-key takes a key for each number. A segment is a run of equal keys; each NaN is a segment.
  --segments takes integers that do not decrease, from 0 to the number of items: a segment begins at
  each of them, except the last, and ends before the next one. It may be empty. Arrays have one
  dimension. Every segment begins with --init; with --backward, it begins at its last number.

Memory:
  A few windows, for files of any size. Text and - are used as they arrive, and results come as soon
  as the input pauses; sums and products of floats are then folded one number after another. Text
  and - are held in memory with --backward, --axis, --by-key, --segments, --strategy and --device
  cuda, and if OUT is a file with one type: without --dtype, only all numbers tell the type. The
  output of a backward scan to text, a pipe or a compressed file is held in memory, too (with
  --axis, one block of it: axis and later dimensions). With --strategy, everything is.

GPU:
  auto is the CPU: numbers of files pass through the CPU's memory anyway, so a GPU does not pay.
  cuda scans along an axis only if all other dimensions are 1. It works in windows of a fixed size,
  on the GPU that CUDA_VISIBLE_DEVICES puts first. Its sums and products of floats are grouped
  in another way than the CPU's, the same in every run: their last bits may differ.

Examples:
  seq 10 | lookback scan -
  lookback scan x.npy -o sums.npy
  lookback scan bytes.npy -o sums.npy --out-dtype uint64
  lookback scan sizes.bin --dtype uint32 -o offsets.bin --exclusive
  lookback scan image.npy -o table.npy --axis 0 --op max --backward
  lookback scan sales.npy -o totals.npy --by-key days.npy
  lookback scan x.npy -o - | tail -1)";

// For the commands whose results depend in number on the data.
inline constexpr const char* compaction_notes = R"(
Files:
  As for lookback scan: *.npy, *.npz, *.bin with --dtype, text. Arrays of several dimensions are
  taken as one line (reduce-by-key takes only one dimension). Two outputs may be arrays of one .npz
  file (arr_0 and arr_1, or their names). An output file may be the input, if it is given by its
  name (not as /dev/fd/N). Output files take their places at the end, one right after the other,
  once all are complete; after an error before that, none does. Results for standard output, pipes
  and devices are written as they come.

Memory:
  A few windows, for files of any size. Text and - are used as they arrive, but they are held in
  memory by partition without --rest, with --mask, and if OUT is a file with one type: without
  --dtype, only all numbers tell the type. A .npy output that is a pipe or compressed is held in
  memory, too, because it begins with its length.

GPU:
  As for lookback scan: auto is the CPU. The results are the same, except for the last bits of sums
  and products of floats, and the sign of a zero that is a minimum or maximum.
)";

inline constexpr const char* condition_notes = R"(
Conditions:
  x < 3   x <= 3   x > 3   x >= 3   x == 3   x != 3   0 <= x < 10   isnan(x)   isinf(x)
  abs(x) < 3   x % 3 == 1 (a remainder is never negative)
  joined by and, or, not and parentheses. Numbers are compared as real numbers, whatever the type:
  bytes may be compared with 1.5 and 300, and whole numbers are exact. For floats, a number with a
  point or an exponent means the nearest float, as in text. NaN is not less than, greater than or
  equal to anything, so x != 3 and not (x < 3) hold for it.
)";

inline constexpr const char* select_examples = R"~(
Examples:
  seq 20 | lookback select - --where "x < 3 or 10 <= x < 12"
  lookback select x.npy -o x.npy --where "not isnan(x)"
  lookback select x.npy -o y.npy --mask wanted.npy --indices-out places.npy
  lookback select sales.csv -o - --column price --where "x > 100"
  lookback select x.bin --dtype float32 -o y.bin --where "x > 0.5" --json)~";

inline constexpr const char* partition_examples = R"~(
Examples:
  seq 20 | lookback partition - --where "x < 3 or 10 <= x < 12"
  lookback partition x.npy -o low.npy --rest high.npy --where "x < 0.5")~";

// Runs are the same as the library's: stretches of equal neighbours.
inline constexpr const char* run_notes = R"(
Runs:
  A run is a stretch of equal neighbours; equal numbers elsewhere are not brought together.
  NaN is not equal to NaN, so each NaN is a run; of -0 and 0 in a run, the first is kept.
)";

inline constexpr const char* unique_examples = R"(
Examples:
  printf '1 1 2 2 1' | lookback unique -
  lookback unique sorted.npy -o distinct.npy)";

inline constexpr const char* rle_examples = R"(
Lengths:
  If OUT is text, --lengths is not needed: each line then has the length of a run, and its number.

Examples:
  lookback rle x.npy -o values.npy --lengths lengths.npy
  lookback rle x.npy -o runs.npz:values --lengths runs.npz:lengths
  printf '1 1 2 2 1' | lookback rle - --lengths lengths.npy
  printf '2 1 2 1 1' | lookback sort - | lookback rle -    # lines 3 1 and 2 2)";

inline constexpr const char* fold_notes = R"(
Results:
  One number; in a .npy file it has no dimensions. The mean is computed in float64, which is also
  its default type; count is int64. Without any numbers the sum is 0, the mean is NaN, and min, max,
  first and last are errors.
  Files, numbers, memory and GPU: as for lookback scan; but text is held in memory unless there is a
  --dtype.

Examples:
  seq 10 | lookback reduce -
  lookback reduce x.npy --op max
  lookback reduce bytes.npy --promote -o sum.npy)";

inline constexpr const char* reduce_examples = R"(
Folds:
  The mean is computed in float64, which is also its default type; count, the number of values of a
  run, is int64. If keys or values are used as they arrive, sums and products of floats are folded
  one value after another. If OUT is text, --values is not needed: each line then has the key of a
  run, and its fold.

Examples:
  lookback reduce-by-key - - --key-column day --column price < sales.csv
  lookback reduce-by-key days.npy sales.npy -o day.npy --values sum.npy
  lookback reduce-by-key ids.npy bytes.npy -o id.npy --values mean.npy --op mean
  lookback reduce-by-key keys.npy bytes.npy -o - --values sums.npy --out-dtype uint64)";

inline constexpr const char* sort_notes = R"(
Order:
  Integers by value; floats with -0 before 0, and NaN last. Equal numbers, or keys, stay in the
  order of the input, also with --descending, where everything else is reversed: NaN comes first.
  --order is NumPy's argsort(kind="stable"), except for -0 and 0, and NaN of different bits.

Files:
  As for lookback scan: *.npy, *.npz, *.bin with --dtype, text. Arrays have one dimension. OUT may
  be IN or KEYS.

Memory:
  Two windows, and text input as a whole. An array of more than one window is sorted window by
  window, and then merged from a temporary file beside OUT (in TMPDIR, or /tmp, if OUT is a pipe or
  a device). This file is as large as IN; with --by-key and --order it has 4 or 8 bytes for each
  key, and 4 or 8 for what moves with the key. If --window is too small for 256 KiB of each window,
  there are two such files at a time.

GPU:
  As for lookback scan: auto is the CPU. The results are the same. A window is also at most
  a quarter of the GPU's memory.

Examples:
  lookback sort x.npy -o x.npy
  lookback sort sales.npy --by-key days.npy -o sales.npy --keys days.npy
  lookback sort x.npy --order -o order.npy --descending
  lookback sort - < numbers.txt | lookback rle -    # as sort -n | uniq -c
  lookback sort big.bin --dtype float32 -o big.bin --json)";

inline constexpr const char* network_notes = R"(
Names:
  serial, kogge-stone, sklansky, brent-kung, reduce-then-scan: the constructions of figure 1 in
  Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016);
  radix-4-brent-kung, radix-4-raking, radix-4-sklansky: those of figure 2, with warps of 4;
  hierarchical: parts of 8, their totals, and a last step;
  bitonic, odd-even-merge: the sorting networks of Batcher, "Sorting Networks and their
  Applications" (1968).

Examples:
  lookback network kogge-stone 16
  lookback network bitonic 16
  lookback network brent-kung 16 -o brent-kung.svg)";

inline constexpr const char* strategies_notes = R"(
For each: its name, what it moves to and from memory, in arrays of n numbers, and its source. Names
that begin with cuda- need a CUDA GPU. Names with cuda-block- are block scans within
scan-then-propagate; cuda-sort- are sorts of uint32, int32 and float32; cuda-table- are summed-area
tables of RGB images, for which the bytes for each pixel are listed. Scans take int32, int64,
float32 and float64, by sum or max.

Examples:
  lookback strategies
  lookback scan x.npy -o sums.npy --strategy cpu-chained)";

inline constexpr const char* info_examples = R"(
Examples:
  lookback info)";

// The manual page and both completions are also installed.
inline constexpr const char* manual_examples = R"(
Examples:
  lookback manual man | man -l -
  source <(lookback manual bash))";

}  // namespace lookback::cli
