#include "options.hpp"

#include <fmt/format.h>

#include <string>

#include "image_notes.hpp"
#include "notes.hpp"

namespace lookback::cli {
namespace {

constexpr const char* operator_help = "sum (default), product, min, max, and, or, xor";
constexpr const char* fold_help = "sum, product, min, max, and, or, xor, mean, count, first, last";

// Adds the options of one command.
class adder {
 public:
    explicit adder(CLI::App* command) : command_(command) {}

    template <class T>
    CLI::Option* operator()(const char* names, T& value, const char* kind,
                            const std::string& help) const {
        return command_->add_option(names, value, help)->type_name(kind);
    }

    void input(const char* name, std::string& value, const std::string& help) const {
        (*this)(name, value, "FILE", help + ": *.npy, *.npz, *.bin, *.txt, or -")->required();
    }
    template <class T>
    CLI::Option* output(const char* names, T& value, const char* kind,
                        const std::string& help) const {
        return (*this)(names, value, kind, help + ": *.npy, *.npz, *.bin, *.txt, or -");
    }
    void condition(where_arguments& a) const {
        (*this)("--where", a.where, "EXPR", "A condition on each number x, such as \"x > 0.5\"");
        (*this)("--mask", a.mask, "MASK", "Or a bool for each number: *.npy, raw numbers or text");
    }
    // Options that all commands on arrays share.
    void array(array_arguments& a, const char* out, const std::string& help,
               const std::string& window = std::to_string(usual_window)) const {
        input("IN", a.in, "The input");
        output("-o,--output", a.out, out, help);
        (*this)("--dtype", a.dtype, "T", "The type of raw numbers or of text");
        format(a);
        common(a, window);
    }
    void format(array_arguments& a) const {
        (*this)("--column", a.column, "C", "The column of a table of text: its name or number");
        (*this)("--delimiter", a.delimiter, "D", "What is between the columns (default: a comma)");
        (*this)("--format", a.format, "F", "What - holds: text (default), npy or raw");
    }
    void common(array_arguments& a,
                const std::string& window = std::to_string(usual_window)) const {
        windows(a.window, window);
        threads(a.threads);
        device(a.device);
        json(a.wants_json);
    }
    void device(std::optional<std::string>& name) const {
        (*this)("--device", name, "D", "Where: auto (default, the CPU), cpu, cuda (the first GPU)");
    }
    void windows(std::optional<std::string>& bytes,
                 const std::string& usual = std::to_string(usual_window)) const {
        (*this)("--window", bytes, "BYTES",
                fmt::format("How much to work on at a time (default: {})", usual));
    }
    void threads(std::optional<std::string>& number) const {
        (*this)("--threads", number, "N", "At most so many threads (default: all cores)");
    }
    void json(bool& is_wanted) const {
        command_->add_flag("--json", is_wanted,
                           "Print what was done, on standard output (or error, if an output is -)");
    }
    void promote(bool& is_wanted) const {
        command_->add_flag("--promote", is_wanted,
                           "Sums and products of integers in 64 bits, as NumPy's");
    }
    // The last options of the commands that make one PNG file from another.
    void picture(picture_arguments& a, const char* notes) const {
        (*this)("-o,--output", a.out, "OUT", "The output: a PNG file, or - for standard output")
            ->required();
        threads(a.threads);
        device(a.device);
        json(a.wants_json);
        command_->footer(std::string(picture_notes) + notes);
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
    add("--key-column", a.key_column, "C", "The column of KEYS or OFFSETS, in a table of text");
    add("--out-dtype", a.out_dtype, "T", "The type to compute and write in (default: IN's)");
    add.promote(a.is_promoted);
    add("--strategy", a.strategy, "NAME",
        "Another way to scan, in memory: one that lookback strategies lists");
    scan->footer(scan_notes);
    return scan;
}

CLI::App* add_select(CLI::App& app, where_arguments& a) {
    CLI::App* select = app.add_subcommand("select", "Keep the numbers for which a condition holds");
    const adder add(select);
    add.array(a, "OUT", "The output");
    add.condition(a);
    add.output("--indices-out", a.indices, "OUT", "Where they were in IN, from 0, int64");
    select->footer(std::string(condition_notes) + compaction_notes + select_examples);
    return select;
}

CLI::App* add_partition(CLI::App& app, where_arguments& a) {
    CLI::App* partition = app.add_subcommand(
        "partition", "Put numbers for which a condition holds before the others");
    const adder add(partition);
    add.array(a, "OUT", "The output");
    add("--rest", a.rest, "REST",
        "Where the others go (default: behind the first; IN is read twice)");
    add.condition(a);
    partition->footer(std::string(condition_notes) + compaction_notes + partition_examples);
    return partition;
}

CLI::App* add_unique(CLI::App& app, array_arguments& a) {
    CLI::App* unique = app.add_subcommand("unique", "Keep the first of each run of equal numbers");
    const adder add(unique);
    add.array(a, "OUT", "The output");
    unique->footer(std::string(run_notes) + compaction_notes + unique_examples);
    return unique;
}

CLI::App* add_rle(CLI::App& app, rle_arguments& a) {
    CLI::App* rle = app.add_subcommand("rle", "Encode runs of equal numbers by their lengths");
    const adder add(rle);
    add.array(a, "OUT", "The number of each run");
    add.output("--lengths", a.lengths, "LENGTHS", "The length of each run, int64");
    rle->footer(std::string(run_notes) + compaction_notes + rle_examples);
    return rle;
}

CLI::App* add_reduce(CLI::App& app, fold_arguments& a) {
    CLI::App* reduce = app.add_subcommand("reduce", "Fold all numbers to one");
    const adder add(reduce);
    add.array(a, "OUT", "The result (default: -)");
    add("--op", a.op, "OP", fold_help);
    add("--out-dtype", a.out_dtype, "T", "The type to compute and write in (default: IN's)");
    add.promote(a.is_promoted);
    reduce->footer(fold_notes);
    return reduce;
}

CLI::App* add_reduce_by_key(CLI::App& app, reduce_arguments& a) {
    CLI::App* reduce =
        app.add_subcommand("reduce-by-key", "Fold the values of each run of equal keys");
    const adder add(reduce);
    add.input("KEYS", a.keys, "The keys");
    add.input("VALUES", a.in, "As many values");
    add.output("-o,--output", a.out, "OUT", "The key of each run");
    add.output("--values", a.values_out, "OUT", "The fold of each run");
    add("--op", a.op, "OP", fold_help);
    add("--key-dtype", a.key_dtype, "T", "The type of raw keys, or of text");
    add("--key-column", a.key_column, "C", "The column of KEYS, in a table of text");
    add("--dtype", a.dtype, "T", "The type of raw values, or of text");
    add("--out-dtype", a.out_dtype, "T", "The type to compute and write in (default: VALUES')");
    add.promote(a.is_promoted);
    add.format(a);
    add.common(a);
    reduce->footer(std::string(run_notes) + compaction_notes + reduce_examples);
    return reduce;
}

CLI::App* add_sort(CLI::App& app, sort_arguments& a) {
    CLI::App* sort = app.add_subcommand("sort", "Put the numbers in order");
    const adder add(sort);
    add.array(a, "OUT", "The output", "a quarter of the memory");
    sort->add_flag("--descending", a.is_descending, "From the largest to the smallest");
    add("--by-key", a.by_key, "KEYS", "Put the numbers in the order of as many keys");
    add("--key-dtype", a.key_dtype, "T", "The type of raw KEYS, or of text");
    add("--key-column", a.key_column, "C", "The column of KEYS, in a table of text");
    add.output("--keys", a.keys_out, "OUT", "Where the sorted keys go, too");
    sort->add_flag("--order", a.wants_order,
                   "Write not the numbers but their places in IN, from 0, int64");
    sort->footer(sort_notes);
    return sort;
}

CLI::App* add_sat(CLI::App& app, sat_arguments& a) {
    CLI::App* sat = app.add_subcommand("sat", "Sum all pixels above and to the left of each one");
    const adder add(sat);
    add("IN", a.in, "FILE", "The image: *.npy, or else a PNG file")->required();
    add.output("-o,--output", a.out, "OUT", "The table");
    sat->add_flag("--exclusive", a.is_exclusive,
                  "Leave a pixel's own row and column out; zeros come first");
    add.output("--squares", a.squares, "SQUARES", "The table of squares");
    add("--out-dtype", a.out_dtype, "T",
        "The type to sum and write in (default: int64, uint64 or float64)");
    sat->add_flag("--channels", a.has_channels, "The last dimension of IN is 1 to 4 channels");
    sat->add_flag("--stack", a.is_stack, "The first dimension of IN is images, a table for each");
    add.common(a);
    sat->footer(sat_notes);
    return sat;
}

CLI::App* add_blur(CLI::App& app, blur_arguments& a) {
    CLI::App* blur = app.add_subcommand("blur", "Make each pixel the mean of those around it");
    const adder add(blur);
    add("IN", a.in, "FILE", "The image: a PNG file")->required();
    add("--radius", a.radius, "R", "Squares of 2R + 1 pixels a side; *.npy has an R for each pixel")
        ->required();
    add("--border", a.border, "B", "What is beyond the image: clamp (default), zero, reflect");
    add.picture(a, blur_notes);
    return blur;
}

CLI::App* add_dof(CLI::App& app, dof_arguments& a) {
    CLI::App* dof = app.add_subcommand("dof", "Blur what is out of focus, by its depth");
    const adder add(dof);
    add("IN", a.in, "FILE", "The image: a PNG file")->required();
    add("DEPTH", a.depth, "FILE", "The depth of each pixel: *.npy, or else a grey PNG file")
        ->required();
    add("--focus", a.focus, "F", "The depth that stays sharp")->required();
    add("--aperture", a.aperture, "A", "How many pixels a difference of 1 in depth blurs")
        ->required();
    dof->add_flag("--keep-sharp-apart", a.keeps_sharp_apart,
                  "Leave pixels that are in focus (R = 0) out of the blur of others");
    add.picture(a, dof_notes);
    return dof;
}

CLI::App* add_network(CLI::App& app, network_arguments& a) {
    CLI::App* network =
        app.add_subcommand("network", "Show what a network of scans or sorts costs, and draw it");
    const adder add(network);
    add("NAME", a.name, "TEXT", "The construction")->required();
    add("N", a.inputs, "COUNT", "How many inputs: 1 to 4096")->required();
    add("-o,--output", a.out, "FILE", "Where the drawing goes, as SVG; - for standard output");
    network->footer(network_notes);
    return network;
}

CLI::App* add_strategies(CLI::App& app) {
    CLI::App* strategies = app.add_subcommand(
        "strategies", "List the other ways to scan, sort and sum areas, and their sources");
    strategies->footer(strategies_notes);
    return strategies;
}

CLI::App* add_info(CLI::App& app) {
    CLI::App* info =
        app.add_subcommand("info", "Show version, SIMD target, cores, caches and GPUs");
    info->footer(info_examples);
    return info;
}

CLI::App* add_manual(CLI::App& app, manual_arguments& a) {
    CLI::App* manual =
        app.add_subcommand("manual", "Print the manual page, or what a shell completes");
    const adder add(manual);
    add("KIND", a.kind, "TEXT", "man, bash or zsh")->required();
    manual->footer(manual_examples);
    return manual;
}

}  // namespace lookback::cli
