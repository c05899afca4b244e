/// \file
/// What the help of each command says below its options.
#pragma once

namespace lookback::cli {

inline constexpr const char* scan_notes = R"(
Files:
  *.npy    NumPy array of bool, int8 to int64, uint8 to uint64, float16 to float64, in any order of
           bytes and dimensions. What is written is little-endian, in C order
  *.npz    FILE.npz:NAME is one of its arrays; the only one needs no name. As OUT it becomes a file
           of the results alone, stored as they are: arr_0 where it has no name
  *.bin    raw numbers of the type --dtype
  *.txt, - text: numbers separated by white space in, one a line out; *.csv and *.tsv, too. Without
           --dtype they are int64 up to one that is not, from there on uint64, or else float64; for
           files that have one type, all are of that which holds them. With --format npy or raw, -
           is one of those, in a pipe
  --column has text as a table (CSV): lines of fields, in quotes or not, between commas, or
           --delimiter (*.tsv: tabs). With a name the first line has names; numbers are from 1 on.
           Results that are several a line have a space between them, or what --delimiter or the
           name of OUT says
  *.gz, *.zst: one of these, packed. Text and .npy files in pipes may be packed, too
  Any other name holds raw numbers if there is a --dtype. OUT may be IN: it is replaced at the end,
  or after an error not at all. It keeps its mode, owner, access control list and attributes; other
  names of the old file (hard links) keep the old data.

Numbers:
  Types have the names of NumPy and C: float32, f4, >i4 (big-endian), uint16_t, unsigned short, ...
  All is computed in the type of the output, but for float16, which is computed in float32. Integers
  wrap around; sums and products of bool are int64; with --promote, those of integers have 64 bits.
  Without --init, an exclusive scan begins with what the operator leaves unchanged (0 for sum, 1 for
  product, ...).
  Without --axis, an array is scanned as one line, and the output has one dimension, as in NumPy.

Segments:
  --by-key takes one key for each number; a segment is a run of equal keys, and each NaN is one.
  --segments takes integers from 0 to the number of items that do not decrease: segment s is from
  the s-th of them to before the next one, and may be empty. Arrays have one dimension. Every
  segment begins with --init; with --backward, at its last number.

Memory:
  A few windows, whatever the size of the files. Text and - are used as they arrive, and results are
  there as soon as the input pauses; sums and products of floats are then folded one after another.
  They are held in memory for --backward, --axis, --by-key, --segments, --strategy and --device
  cuda, and where OUT is a file of one type: without --dtype, only all numbers tell which. So is the
  output of a backward scan to text, a pipe or a packed file (with --axis, one block of it: axis and
  later dimensions), and, with --strategy, all.

GPU:
  auto is the CPU: a file comes from its memory and goes back there, so a GPU does not pay. cuda
  does not scan along an axis, unless all other dimensions are 1. It works in windows of a fixed
  size, on the GPU that CUDA_VISIBLE_DEVICES puts first. Its sums and products of floats are grouped
  in another way than the CPU's, the same in every run: their last bits may differ.

Examples:
  seq 10 | lookback scan -
  lookback scan x.npy -o sums.npy
  lookback scan bytes.npy -o sums.npy --out-dtype uint64
  lookback scan sizes.bin --dtype uint32 -o offsets.bin --exclusive
  lookback scan image.npy -o table.npy --axis 0 --op max --backward
  lookback scan sales.npy -o totals.npy --by-key days.npy
  lookback scan x.npy -o - | tail -1)";

// What the commands whose results are as long as the numbers make them share with the scan.
inline constexpr const char* kept_notes = R"(
Files:
  As for lookback scan: *.npy, *.npz, *.bin with --dtype, text. Arrays of several dimensions are
  taken as one line (for reduce-by-key they have one). Two outputs may be arrays of one .npz file
  (arr_0 and arr_1, or their names). An output file may be the input, by its name (not as
  /dev/fd/N). Output files take their places at the end, one right after the other, once all are
  complete; after an error before that, none does. Standard output, pipes and devices are written as
  results come.

Memory:
  A few windows, whatever the size of the files. Text and - are used as they arrive, but they are
  held in memory by partition without --rest, for --mask, and where OUT is a file of one type:
  without --dtype, only all numbers tell which. So is a .npy output that is a pipe or packed,
  because it begins with its length.

GPU:
  As for lookback scan: auto is the CPU. The results are the same, but for the last bits of sums and
  products of floats, and the sign of a zero that is a minimum or maximum.
)";

inline constexpr const char* condition_notes = R"(
Conditions:
  x < 3   x <= 3   x > 3   x >= 3   x == 3   x != 3   0 <= x < 10   isnan(x)   isinf(x)
  abs(x) < 3   x % 3 == 1, which is from 0 on, for negative numbers too
  joined by and, or, not and parentheses. Numbers are compared as real ones, whatever the type: 1.5
  and 300 may be compared with bytes, whole numbers are exact; but what has a point or an exponent
  is the nearest float, as if it were read from text. NaN is not less than, greater than or equal to
  anything, so x != 3 and not (x < 3) hold for it.
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

// Runs are stretches of equal neighbours, as for the library.
inline constexpr const char* run_notes = R"(
Runs:
  A run is a stretch of equal neighbours; numbers that are equal elsewhere are not brought together.
  NaN is not equal to NaN, so each is a run of its own; of -0 and 0 in a run the first is kept.
)";

inline constexpr const char* unique_examples = R"(
Examples:
  printf '1 1 2 2 1' | lookback unique -
  lookback unique sorted.npy -o distinct.npy)";

inline constexpr const char* rle_examples = R"(
Lengths:
  Where OUT is text there need not be --lengths: each line has the length of a run, and its number.

Examples:
  lookback rle x.npy -o values.npy --lengths lengths.npy
  lookback rle x.npy -o runs.npz:values --lengths runs.npz:lengths
  printf '1 1 2 2 1' | lookback rle - --lengths lengths.npy
  printf '2 1 2 1 1' | lookback sort - | lookback rle -    # lines 3 1 and 2 2)";

inline constexpr const char* fold_notes = R"(
Results:
  One number, of no dimensions in a .npy file. The mean is float64, and computed in it; count is
  int64. Without any numbers the sum is 0, the mean NaN; min, max, first and last are errors.
  Files, numbers, memory and GPU: as for lookback scan; but text is held in memory unless there is a
  --dtype.

Examples:
  seq 10 | lookback reduce -
  lookback reduce x.npy --op max
  lookback reduce bytes.npy --promote -o sum.npy)";

inline constexpr const char* reduce_examples = R"(
Folds:
  The mean is float64, and computed in it; count, of the values of a run, is int64. Sums and
  products of floats are folded one value after another where keys or values come as they arrive.
  Where OUT is text there need not be --values: each line has the key of a run, and its fold.

Examples:
  lookback reduce-by-key - - --key-column day --column price < sales.csv
  lookback reduce-by-key days.npy sales.npy -o day.npy --values sum.npy
  lookback reduce-by-key ids.npy bytes.npy -o id.npy --values mean.npy --op mean
  lookback reduce-by-key keys.npy bytes.npy -o - --values sums.npy --out-dtype uint64)";

inline constexpr const char* sort_notes = R"(
Order:
  Of integers by their value; of floats -0 before 0, and NaN last. Equal numbers, or keys, stay in
  the order of the input, with --descending too, where all else is the other way round: NaN first.
  --order is NumPy's argsort(kind="stable"), but for those zeros, and NaN of different bits.

Files:
  As for lookback scan: *.npy, *.npz, *.bin with --dtype, text. Arrays have one dimension. OUT may
  be IN or KEYS.

Memory:
  Two windows; and text input. Arrays of more than one window are sorted window by window, and then
  merged from a temporary file beside OUT (in TMPDIR, or /tmp, where OUT is a pipe or a device). It
  is as large as IN; with --by-key and --order it has 4 or 8 bytes for each key, and as many for
  what goes along. Where there are more windows than --window has room for 256 KiB of each, there
  are two such files at a time.

GPU:
  As for lookback scan: auto is the CPU. The results are the same. A window is no more than a
  quarter of the GPU's memory either.

Examples:
  lookback sort x.npy -o x.npy
  lookback sort sales.npy --by-key days.npy -o sales.npy --keys days.npy
  lookback sort x.npy --order -o order.npy --descending
  lookback sort - < numbers.txt | lookback rle -    # as sort -n | uniq -c
  lookback sort big.bin --dtype float32 -o big.bin --json)";

inline constexpr const char* network_notes = R"(
Names:
  serial, kogge-stone, sklansky, brent-kung, reduce-then-scan, the constructions of figure 1 in
  Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016);
  radix-4-brent-kung, radix-4-raking, radix-4-sklansky, those of figure 2, with warps of 4;
  hierarchical, parts of 8, their totals, and a last step;
  bitonic, odd-even-merge, the sorting networks of Batcher, "Sorting Networks and their
  Applications" (1968).

Examples:
  lookback network kogge-stone 16
  lookback network bitonic 16
  lookback network brent-kung 16 -o brent-kung.svg)";

inline constexpr const char* strategies_notes = R"(
For each: its name, what it moves to and from memory, in arrays of n numbers, and its source. Those
that begin with cuda- need a CUDA GPU; the cuda-block- ones are block scans within
scan-then-propagate. Scans take int32, int64, float32 and float64, by sum or max; those that begin
with cuda-sort- are sorts, of uint32, int32 and float32, those with cuda-table- summed-area tables,
of RGB images, for which bytes a pixel are listed.

Examples:
  lookback strategies
  lookback scan x.npy -o sums.npy --strategy cpu-chained)";

inline constexpr const char* info_examples = R"(
Examples:
  lookback info)";

// All three are installed, too.
inline constexpr const char* manual_examples = R"(
Examples:
  lookback manual man | man -l -
  source <(lookback manual bash))";

}  // namespace lookback::cli
