#include "options.hpp"

#include <fmt/format.h>

#include <string>

namespace lookback::cli {
namespace {

constexpr const char* scan_notes = R"(
Files:
  *.npy    NumPy array, little-endian, C order, of int8 to int64, uint8 to uint64, float32, float64
  *.bin    raw numbers of the type --dtype
  -        text: numbers separated by white space in, one a line out. Without --dtype they are
           int64 where all fit, else uint64, else float64
  Any other name holds raw numbers if there is a --dtype. OUT may be IN: it is replaced at the end,
  or after an error not at all.

Numbers:
  All is computed in the type of the output. Integers wrap around. Without --init, an exclusive scan
  begins with what the operator leaves unchanged (0 for sum, 1 for product, ...).
  Without --axis, an array is scanned as one line, and the output has one dimension, as in NumPy.

Segments:
  --by-key takes one key for each number; a segment is a run of equal keys, and each NaN is one.
  --segments takes integers from 0 to the number of items that do not decrease: segment s is from
  the s-th of them to before the next one, and may be empty. Arrays have one dimension. Every
  segment begins with --init; with --backward, at its last number.

Memory:
  A few windows, whatever the size of the files. Text input is held in memory; so is the output of a
  backward scan to text or a pipe (with --axis, one block of it: axis and later dimensions), and,
  with --strategy, all.

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
constexpr const char* kept_notes = R"(
Files:
  As for lookback scan: *.npy, *.bin with --dtype, - for text. Arrays have one dimension. An output
  file may be the input, by its name (not as /dev/fd/N). Output files take their places at the end,
  one right after the other, once all are complete; after an error before that, none does. Text,
  pipes and devices are written as results come.

Memory:
  A few windows, whatever the size of the files. Text input is held in memory; so is a .npy output
  that is a pipe, because it begins with its length.

GPU:
  As for lookback scan: auto is the CPU. The results are the same, but for the last bits of sums and
  products of floats, and the sign of a zero that is a minimum or maximum.
)";

constexpr const char* condition_notes = R"(
Conditions:
  x < 3   x <= 3   x > 3   x >= 3   x == 3   x != 3   0 <= x < 10   isnan(x)
  joined by and, or, not and parentheses; numbers are of the array's type. NaN is not less than,
  greater than or equal to anything, so x != 3 and not (x < 3) hold for it.
)";

constexpr const char* select_examples = R"~(
Examples:
  seq 20 | lookback select - --where "x < 3 or 10 <= x < 12"
  lookback select x.npy -o x.npy --where "not isnan(x)"
  lookback select x.bin --dtype float32 -o y.bin --where "x > 0.5" --json)~";

constexpr const char* partition_examples = R"~(
Examples:
  seq 20 | lookback partition - --where "x < 3 or 10 <= x < 12"
  lookback partition x.npy -o low.npy --rest high.npy --where "x < 0.5")~";

// Runs are stretches of equal neighbours, as for the library.
constexpr const char* run_notes = R"(
Runs:
  A run is a stretch of equal neighbours; numbers that are equal elsewhere are not brought together.
  NaN is not equal to NaN, so each is a run of its own; of -0 and 0 in a run the first is kept.
)";

constexpr const char* unique_examples = R"(
Examples:
  printf '1 1 2 2 1' | lookback unique -
  lookback unique sorted.npy -o distinct.npy)";

constexpr const char* rle_examples = R"(
Lengths:
  Where OUT is text there need not be --lengths: each line has the length of a run, and its number.

Examples:
  lookback rle x.npy -o values.npy --lengths lengths.npy
  printf '1 1 2 2 1' | lookback rle - --lengths lengths.npy
  printf '2 1 2 1 1' | lookback sort - | lookback rle -    # lines 3 1 and 2 2)";

constexpr const char* reduce_examples = R"(
Examples:
  lookback reduce-by-key days.npy sales.npy -o day.npy --values sum.npy
  lookback reduce-by-key ids.npy bytes.npy -o id.npy --values most.npy --op max
  lookback reduce-by-key keys.npy bytes.npy -o - --values sums.npy --out-dtype uint64)";

constexpr const char* sort_notes = R"(
Order:
  Of integers by their value; of floats -0 before 0, and NaN last. Equal numbers, or keys, stay in
  the order of the input, with --descending too, where all else is the other way round: NaN first.
  --order is NumPy's argsort(kind="stable"), but for those zeros, and NaN of different bits.

Files:
  As for lookback scan: *.npy, *.bin with --dtype, - for text. Arrays have one dimension. OUT may be
  IN or KEYS.

Memory:
  Two windows; and text input. Arrays of more than one window are sorted window by window, and then
  merged from a temporary file beside OUT (in TMPDIR, or /tmp, where OUT is a pipe or a device). It
  is as large as what is sorted, --by-key and --order with what goes along. Where there are more
  windows than --window has room for 256 KiB of each, there are two such files at a time.

GPU:
  As for lookback scan: auto is the CPU. The results are the same. A window is no more than a
  quarter of the GPU's memory either.

Examples:
  lookback sort x.npy -o x.npy
  lookback sort sales.npy --by-key days.npy -o sales.npy --keys days.npy
  lookback sort x.npy --order -o order.npy --descending
  lookback sort - < numbers.txt | lookback rle -    # as sort -n | uniq -c
  lookback sort big.bin --dtype float32 -o big.bin --json)";

constexpr const char* network_notes = R"(
Names:
  serial, kogge-stone, sklansky, brent-kung, reduce-then-scan, the constructions of figure 1 in
  Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016);
  radix-4-brent-kung, radix-4-raking, radix-4-sklansky, those of figure 2, with warps of 4;
  hierarchical, parts of 8, their totals, and a last step.

Examples:
  lookback network kogge-stone 16
  lookback network brent-kung 16 -o brent-kung.svg)";

constexpr const char* strategies_notes = R"(
Those that begin with cuda- need a CUDA GPU; the block- ones are block scans within
scan-then-propagate. All scan int32, int64, float32 and float64, by sum or max.

Examples:
  lookback strategies
  lookback scan x.npy -o sums.npy --strategy cpu-chained)";

constexpr const char* info_examples = R"(
Examples:
  lookback info)";

constexpr const char* operator_help = "sum (default), product, min, max, and, or, xor";

// Options of one command.
class adder {
 public:
    explicit adder(CLI::App* command) : command_(command) {}

    template <class T>
    CLI::Option* operator()(const char* names, T& value, const char* kind,
                            const std::string& help) const {
        return command_->add_option(names, value, help)->type_name(kind);
    }

    void input(const char* name, std::string& value, const std::string& help) const {
        (*this)(name, value, "FILE", help + ": *.npy, *.bin, or - for standard input")->required();
    }
    template <class T>
    CLI::Option* output(const char* names, T& value, const char* kind,
                        const std::string& help) const {
        return (*this)(names, value, kind, help + ": *.npy, *.bin, or - for standard output");
    }
    void condition(std::string& where) const {
        (*this)("--where", where, "EXPR", "A condition on each number x, such as \"x > 0.5\"")
            ->required();
    }
    // What all commands share that read and write arrays.
    void array(array_arguments& a, const char* out, const std::string& help,
               const std::string& window = std::to_string(usual_window)) const {
        input("IN", a.in, "The input");
        output("-o,--output", a.out, out, help);
        (*this)("--dtype", a.dtype, "T", "The type of raw numbers or of text");
        common(a, window);
    }
    void common(array_arguments& a,
                const std::string& window = std::to_string(usual_window)) const {
        (*this)("--window", a.window, "BYTES",
                fmt::format("How much to work on at a time (default: {})", window));
        (*this)("--threads", a.threads, "N", "At most so many threads (default: all cores)");
        (*this)("--device", a.device, "D",
                "Where: auto (default, the CPU), cpu, cuda (the first GPU)");
        command_->add_flag("--json", a.wants_json,
                           "Print what was done, on standard output (or error, if an output is -)");
    }

 private:
    CLI::App* command_;
};

}  // namespace

CLI::App* add_scan(CLI::App& app, scan_arguments& a) {
    CLI::App* scan = app.add_subcommand("scan", "Fold each number with all that come before it");
    const adder add(scan);
    add.array(a, "OUT", "The output");
    add("--op", a.op, "OP", operator_help);
    scan->add_flag("--exclusive", a.is_exclusive, "Leave the number itself out");
    add("--init", a.init, "V", "The value before the first number");
    scan->add_flag("--backward", a.is_backward, "Scan from the last number to the first");
    add("--axis", a.axis, "K", "The dimension to scan along; negative: from the last");
    add("--by-key", a.by_key, "KEYS", "Begin anew wherever a key differs from the one before");
    add("--segments", a.segments, "OFFSETS", "Begin anew at each of these positions");
    add("--key-dtype", a.key_dtype, "T", "The type of raw KEYS or OFFSETS, or of text");
    add("--out-dtype", a.out_dtype, "T", "The type to compute and write in (default: IN's)");
    add("--strategy", a.strategy, "NAME",
        "Another way to scan, in memory: one that lookback strategies lists");
    scan->footer(scan_notes);
    return scan;
}

CLI::App* add_select(CLI::App& app, where_arguments& a) {
    CLI::App* select = app.add_subcommand("select", "Keep the numbers for which a condition holds");
    const adder add(select);
    add.array(a, "OUT", "The output");
    add.condition(a.where);
    select->footer(std::string(condition_notes) + kept_notes + select_examples);
    return select;
}

CLI::App* add_partition(CLI::App& app, where_arguments& a) {
    CLI::App* partition = app.add_subcommand(
        "partition", "Put numbers for which a condition holds before the others");
    const adder add(partition);
    add.array(a, "OUT", "The output");
    add("--rest", a.rest, "REST",
        "Where the others go (default: behind the first; IN is read twice)");
    add.condition(a.where);
    partition->footer(std::string(condition_notes) + kept_notes + partition_examples);
    return partition;
}

CLI::App* add_unique(CLI::App& app, array_arguments& a) {
    CLI::App* unique = app.add_subcommand("unique", "Keep the first of each run of equal numbers");
    const adder add(unique);
    add.array(a, "OUT", "The output");
    unique->footer(std::string(run_notes) + kept_notes + unique_examples);
    return unique;
}

CLI::App* add_rle(CLI::App& app, rle_arguments& a) {
    CLI::App* rle = app.add_subcommand("rle", "Encode runs of equal numbers by their lengths");
    const adder add(rle);
    add.array(a, "OUT", "The number of each run");
    add.output("--lengths", a.lengths, "LENGTHS", "The length of each run, int64");
    rle->footer(std::string(run_notes) + kept_notes + rle_examples);
    return rle;
}

CLI::App* add_reduce_by_key(CLI::App& app, reduce_arguments& a) {
    CLI::App* reduce =
        app.add_subcommand("reduce-by-key", "Fold the values of each run of equal keys");
    const adder add(reduce);
    add.input("KEYS", a.keys, "The keys");
    add.input("VALUES", a.in, "As many values");
    add.output("-o,--output", a.out, "OUT", "The key of each run");
    add.output("--values", a.values_out, "OUT", "The fold of each run")->required();
    add("--op", a.op, "OP", operator_help);
    add("--key-dtype", a.key_dtype, "T", "The type of raw keys, or of text");
    add("--dtype", a.dtype, "T", "The type of raw values, or of text");
    add("--out-dtype", a.out_dtype, "T", "The type to compute and write in (default: VALUES')");
    add.common(a);
    reduce->footer(std::string(run_notes) + kept_notes + reduce_examples);
    return reduce;
}

CLI::App* add_sort(CLI::App& app, sort_arguments& a) {
    CLI::App* sort = app.add_subcommand("sort", "Put the numbers in order");
    const adder add(sort);
    add.array(a, "OUT", "The output", "a quarter of the memory");
    sort->add_flag("--descending", a.is_descending, "From the largest to the smallest");
    add("--by-key", a.by_key, "KEYS", "Put the numbers in the order of as many keys");
    add("--key-dtype", a.key_dtype, "T", "The type of raw KEYS, or of text");
    add.output("--keys", a.keys_out, "OUT", "Where the sorted keys go, too");
    sort->add_flag("--order", a.wants_order,
                   "Write not the numbers but their places in IN, from 0, int64");
    sort->footer(sort_notes);
    return sort;
}

CLI::App* add_network(CLI::App& app, network_arguments& a) {
    CLI::App* network =
        app.add_subcommand("network", "Show what a scan network costs, and draw it");
    const adder add(network);
    add("NAME", a.name, "TEXT", "The construction")->required();
    add("N", a.inputs, "COUNT", "How many inputs: 1 to 4096")->required();
    add("-o,--output", a.out, "FILE", "Where the drawing goes, as SVG; - for standard output");
    network->footer(network_notes);
    return network;
}

CLI::App* add_strategies(CLI::App& app) {
    CLI::App* strategies =
        app.add_subcommand("strategies", "List the other ways to scan, and their sources");
    strategies->footer(strategies_notes);
    return strategies;
}

CLI::App* add_info(CLI::App& app) {
    CLI::App* info =
        app.add_subcommand("info", "Show version, SIMD target, cores, caches and GPUs");
    info->footer(info_examples);
    return info;
}

}  // namespace lookback::cli
