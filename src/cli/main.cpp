// The command line of lookback: reads the arguments, runs a command, and reports an error in one
// line on standard error, with exit code 2.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "descriptors.hpp"
#include "error.hpp"
#include "lookback/version.hpp"
#include "manual.hpp"
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

int fail(const std::string& message) {
    // There is no way to report that this failed; the exit code still says it.
    std::fputs(fmt::format("lookback: {}\n", printable(message)).c_str(), stderr);
    return 2;
}

// How many letters have to be inserted, removed, changed, or exchanged with their neighbour.
// Source: Damerau 1964; the recurrence of Oommen & Loke 1997, "optimal string alignment".
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t k = 0; k <= b.size(); ++k) {
            d[i][k] = i + k;
            if (i == 0 || k == 0) continue;
            const bool differs = a[i - 1] != b[k - 1];
            d[i][k] = std::min({d[i - 1][k] + 1, d[i][k - 1] + 1, d[i - 1][k - 1] + differs});
            const bool is_turned = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
            if (is_turned) d[i][k] = std::min(d[i][k], d[i - 2][k - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

template <class Arguments, CLI::App* (*add)(CLI::App&, Arguments&), void (*run)(const Arguments&)>
void add_command(CLI::App& app) {
    const auto arguments = std::make_shared<Arguments>();
    add(app, *arguments)->callback([arguments] { run(*arguments); });
}
template <CLI::App* (*add)(CLI::App&), void (*run)()>
void add_command(CLI::App& app) {
    add(app)->callback(run);
}

void run_manual(const manual_arguments& arguments);

struct command {
    std::string_view name;
    void (*add)(CLI::App& app);
};
constexpr command commands[] = {
    {"scan", add_command<scan_arguments, add_scan, run_scan>},
    {"select", add_command<where_arguments, add_select, run_select>},
    {"partition", add_command<where_arguments, add_partition, run_partition>},
    {"unique", add_command<array_arguments, add_unique, run_unique>},
    {"rle", add_command<rle_arguments, add_rle, run_rle>},
    {"reduce", add_command<fold_arguments, add_reduce, run_reduce>},
    {"reduce-by-key", add_command<reduce_arguments, add_reduce_by_key, run_reduce_by_key>},
    {"sort", add_command<sort_arguments, add_sort, run_sort>},
    {"sat", add_command<sat_arguments, add_sat, run_sat>},
    {"blur", add_command<blur_arguments, add_blur, run_blur>},
    {"dof", add_command<dof_arguments, add_dof, run_dof>},
    {"network", add_command<network_arguments, add_network, run_network>},
    {"strategies", add_command<add_strategies, run_strategies>},
    {"info", add_command<add_info, run_info>},
    {"manual", add_command<manual_arguments, add_manual, run_manual>},
};

// Adds only the commands that are needed: making the options of all commands takes as long as
// starting the program.
void add_commands(CLI::App& app, std::string_view first_argument) {
    const auto is_it = [&](const command& c) { return c.name == first_argument; };
    const bool is_one = std::any_of(std::begin(commands), std::end(commands), is_it);
    for (const command& c : commands) {
        if (is_one ? is_it(c) : first_argument != "--version") c.add(app);
    }
}

// The message for a word that is no command. It suggests the nearest command, or lists all.
std::string unknown_command(const std::string& word) {
    std::string_view nearest;
    std::vector<std::string_view> names;
    std::size_t least = 3;  // more mistakes are another word
    for (const command& c : commands) {
        names.push_back(c.name);
        const std::size_t mistakes = distance(word, c.name);
        if (mistakes >= least || mistakes >= word.size()) continue;
        least = mistakes;
        nearest = c.name;
    }
    if (!nearest.empty()) {
        return fmt::format("{}: unknown command; did you mean lookback {}?", word, nearest);
    }
    return fmt::format("{}: unknown command; expected one of {}", word, fmt::join(names, ", "));
}

// Sets up the program before its arguments are parsed. The first argument says which commands it
// needs.
void prepare(CLI::App& app, std::string_view first_argument) {
    app.set_version_flag("--version", fmt::format("lookback {}", lookback::version),
                         "Print the version");
    app.set_help_flag("-h,--help", "Print this help");
    app.footer(main_examples);
    app.require_subcommand(0, 1);
    add_commands(app, first_argument);
}

constexpr const char* about = "Parallel prefix sums and their kin, in one pass";

void run_manual(const manual_arguments& arguments) {
    CLI::App all(about, "lookback");
    prepare(all, "");
    print(make_manual(arguments.kind, all));
}

int run(int argc, char** argv) {
    CLI::App app(about, "lookback");
    prepare(app, argc > 1 ? argv[1] : "");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        print(app.help());
        return 0;
    } catch (const CLI::CallForVersion& version) {
        print(fmt::format("{}\n", version.what()));
        return 0;
    } catch (const CLI::ParseError& problem) {
        const auto called = app.get_subcommands();
        if (!called.empty()) {
            return fail(fmt::format("{}; see lookback {} --help", problem.what(),
                                    called.front()->get_name()));
        }
        const auto rest = app.remaining();
        if (!rest.empty() && !rest.front().starts_with('-')) {
            return fail(unknown_command(rest.front()));
        }
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
        // The library's own messages already begin with its name.
        const std::string_view message = problem.what();
        constexpr std::string_view name = "lookback: ";
        return fail(std::string(message.substr(message.starts_with(name) ? name.size() : 0)));
    }
}
