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
#include "options.hpp"

namespace {

using namespace lookback::cli;

constexpr const char* main_examples = R"(
Examples:
  seq 10 | lookback scan -                      running sum of numbers as text
  lookback scan x.npy -o sums.npy               running sum of a NumPy array
  lookback scan x.npy -o x.npy --op max         running maximum, in place of the input
  lookback select x.npy -o y.npy --where "x > 0.5"
  lookback info                                 what is used on this machine

lookback COMMAND --help tells about one command. Exit code 0, or 2 after an error.)";

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
    scan_arguments scan;
    add_scan(app, scan)->callback([&scan] { run_scan(scan); });
    where_arguments select;
    add_select(app, select)->callback([&select] { run_select(select); });
    where_arguments partition;
    add_partition(app, partition)->callback([&partition] { run_partition(partition); });
    array_arguments unique;
    add_unique(app, unique)->callback([&unique] { run_unique(unique); });
    rle_arguments rle;
    add_rle(app, rle)->callback([&rle] { run_rle(rle); });
    reduce_arguments reduce;
    add_reduce_by_key(app, reduce)->callback([&reduce] { run_reduce_by_key(reduce); });
    sort_arguments sort;
    add_sort(app, sort)->callback([&sort] { run_sort(sort); });
    sat_arguments sat;
    add_sat(app, sat)->callback([&sat] { run_sat(sat); });
    blur_arguments blur;
    add_blur(app, blur)->callback([&blur] { run_blur(blur); });
    dof_arguments dof;
    add_dof(app, dof)->callback([&dof] { run_dof(dof); });
    network_arguments network;
    add_network(app, network)->callback([&network] { run_network(network); });
    add_strategies(app)->callback([] { run_strategies(); });
    add_info(app)->callback([] { run_info(); });
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        print(app.help());
        return 0;
    } catch (const CLI::CallForVersion& version) {
        print(fmt::format("{}\n", version.what()));
        return 0;
    } catch (const CLI::ParseError& problem) {
        return fail(fmt::format("{}; see lookback --help", problem.what()));
    }
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
