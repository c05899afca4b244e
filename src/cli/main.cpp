// The command line of lookback: reads the arguments, runs a command, and tells what went wrong in
// one line on standard error, with exit code 2.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "descriptors.hpp"
#include "error.hpp"
#include "lookback/version.hpp"

namespace {

using lookback::cli::scan_arguments;

constexpr const char* main_examples = R"(
Examples:
  seq 10 | lookback scan -                      running sum of numbers as text
  lookback scan x.npy -o sums.npy               running sum of a NumPy array
  lookback scan x.npy -o x.npy --op max         running maximum, in place of the input
  lookback info                                 what is used on this machine

lookback COMMAND --help tells about one command. Exit code 0, or 2 after an error.)";

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

Memory:
  A few windows, whatever the size of the files. Text input is held in memory; so is the output of a
  backward scan to text or a pipe (with --axis, one block of it: axis and later dimensions).

GPU:
  auto is the CPU: a file comes from its memory and goes back there, so a GPU does not pay. cuda is
  for one line of numbers: without --axis, or where all other dimensions are 1. It works in windows
  of a fixed size, on the GPU that CUDA_VISIBLE_DEVICES puts first. Its sums and products of floats
  are grouped in another way than the CPU's, the same in every run: their last bits may differ.

Examples:
  seq 10 | lookback scan -
  lookback scan x.npy -o sums.npy
  lookback scan bytes.npy -o sums.npy --out-dtype uint64
  lookback scan sizes.bin --dtype uint32 -o offsets.bin --exclusive
  lookback scan image.npy -o table.npy --axis 0 --op max --backward
  lookback scan x.npy -o - | tail -1)";

constexpr const char* info_examples = R"(
Examples:
  lookback info)";

CLI::App* add_scan(CLI::App& app, scan_arguments& a) {
    CLI::App* scan = app.add_subcommand("scan", "Fold each number with all that come before it");
    const std::string window_help =
        fmt::format("How much to work on at a time (default: {})", lookback::cli::usual_window);
    const auto option = [&](const char* names, auto& value, const char* kind,
                            const std::string& help) {
        return scan->add_option(names, value, help)->type_name(kind);
    };
    option("IN", a.in, "FILE", "The input: *.npy, *.bin, or - for standard input")->required();
    option("-o,--output", a.out, "OUT", "The output: *.npy, *.bin, or - for standard output");
    option("--op", a.op, "OP", "sum (default), product, min, max, and, or, xor");
    scan->add_flag("--exclusive", a.is_exclusive, "Leave the number itself out");
    option("--init", a.init, "V", "The value before the first number");
    scan->add_flag("--backward", a.is_backward, "Scan from the last number to the first");
    option("--axis", a.axis, "K", "The dimension to scan along; negative: from the last");
    option("--dtype", a.dtype, "T", "The type of raw numbers or of text");
    option("--out-dtype", a.out_dtype, "T", "The type to compute and write in (default: IN's)");
    option("--threads", a.threads, "N", "At most so many threads (default: all cores)");
    option("--window", a.window, "BYTES", window_help);
    option("--device", a.device, "D", "Where to scan: auto (default), cpu, cuda (the first GPU)");
    scan->add_flag("--json", a.wants_json,
                   "Print what was done, on standard output (standard error if OUT is -)");
    scan->footer(scan_notes);
    return scan;
}

// What file and option names bring along must not break the line.
std::string one_line(std::string text) {
    for (char& c : text) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    return text;
}

int fail(const std::string& message) {
    // Nobody is left to hear that this failed; the exit code still tells.
    std::fputs(fmt::format("lookback: {}\n", one_line(message)).c_str(), stderr);
    return 2;
}

int run(int argc, char** argv) {
    CLI::App app("Parallel prefix sums and their kin, in one pass", "lookback");
    app.set_version_flag("--version", fmt::format("lookback {}", lookback::version),
                         "Print the version");
    app.set_help_flag("-h,--help", "Print this help");
    app.footer(main_examples);
    app.require_subcommand(0, 1);
    scan_arguments arguments;
    CLI::App* scan = add_scan(app, arguments);
    CLI::App* info =
        app.add_subcommand("info", "Show version, SIMD target, cores, caches and GPUs");
    info->footer(info_examples);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        lookback::cli::print(app.help());
        return 0;
    } catch (const CLI::CallForVersion& version) {
        lookback::cli::print(fmt::format("{}\n", version.what()));
        return 0;
    } catch (const CLI::ParseError& problem) {
        return fail(fmt::format("{}; see lookback --help", problem.what()));
    }
    if (scan->parsed()) lookback::cli::run_scan(arguments);
    if (info->parsed()) lookback::cli::run_info();
    if (app.get_subcommands().empty()) return fail("expected a command; see lookback --help");
    return 0;
}

}  // namespace

void lookback::cli::print(const std::string& text) {
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
        fail_with_errno("standard output", "write");
    }
}

int main(int argc, char** argv) {
    try {
        lookback::cli::take_standard_descriptors();
        return run(argc, argv);
    } catch (const lookback::cli::error& problem) {
        return fail(problem.what());
    } catch (const std::bad_alloc&) {
        return fail("not enough memory");
    } catch (const std::exception& problem) {
        // The library's own messages begin with its name already.
        const std::string_view message = problem.what();
        constexpr std::string_view name = "lookback: ";
        return fail(std::string(message.substr(message.starts_with(name) ? name.size() : 0)));
    }
}
