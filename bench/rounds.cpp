// Registration by rounds, and the options that the programs share.

#include "rounds.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <random>

#include "machine.hpp"

namespace lookback::bench {
namespace {

// Prints nothing: the JSON file has all results, and tools/ reads it. Cells print progress
// themselves.
class silent_reporter : public benchmark::BenchmarkReporter {
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
};

}  // namespace

void add_rounds(const std::string& cell, std::size_t items, std::vector<entry> entries,
                const settings& with) {
    std::mt19937 order(static_cast<std::mt19937::result_type>(items));
    for (int round = 0; round < with.rounds; ++round) {
        std::shuffle(entries.begin(), entries.end(), order);
        for (const entry& e : entries) {
            benchmark::RegisterBenchmark((cell + "/" + e.name).c_str(), e.body)
                ->UseRealTime()
                ->MinTime(with.min_seconds);
        }
    }
}

int run_program(int argc, char** argv, const std::string& description, const settings& full,
                const settings& quick, const std::function<void(const settings&)>& add_all) {
    CLI::App app(description);
    std::string out;
    bool is_quick = false;
    std::string filter = ".";
    app.add_option("--out", out, "Write the results to this JSON file; empty if nothing matches")
        ->required();
    app.add_flag("--quick", is_quick, "Fewer sizes and repetitions");
    app.add_option("--filter", filter, "Only what matches this, a part of CELL/ITEMS/NAME");
    CLI11_PARSE(app, argc, argv);

    const settings& with = is_quick ? quick : full;
    for (const auto& [name, value] : describe_machine()) benchmark::AddCustomContext(name, value);
    benchmark::AddCustomContext("rounds", std::to_string(with.rounds));
    benchmark::AddCustomContext("quick", with.quick ? "yes" : "no");
    std::vector<std::string> flags{argv[0], "--benchmark_out=" + out,
                                   "--benchmark_filter=" + filter};
    std::vector<char*> pointers;
    for (std::string& flag : flags) pointers.push_back(flag.data());
    int count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data());
    add_all(with);
    silent_reporter silent;
    benchmark::RunSpecifiedBenchmarks(&silent);
    benchmark::Shutdown();
    return 0;
}

}  // namespace lookback::bench
