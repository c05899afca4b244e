#include "registry.hpp"

#include <algorithm>
#include <vector>

#include "cpu/single_pass.hpp"
#include "cpu/two_phases.hpp"

namespace lookback::strategies {
namespace {

template <class Strategy>
void run_on_cpu(const scan_call& c, const resources& r) {
    with_types(c, [&](const auto* in, auto* out, const auto& op) {
        Strategy::run(r.threads, in, out, c.items, op);
    });
}

struct cuda_name {
    std::string_view name;
    std::string_view source;
};

// Those that cuda/strategies.cuh has.
constexpr cuda_name cuda_names[] = {
    {"cuda-chained", "Merrill & Garland 2016, section 3.2; Willén & Broløs, version 0"},
    {"cuda-look-back-thread", "Merrill & Garland 2016, section 4.1; Willén & Broløs, version 1"},
    {"cuda-look-back-copy", "Willén & Broløs, Single Pass Scan, section 3.4.1, version 2"},
    {"cuda-look-back-warp", "Merrill & Garland 2016, section 4.4; Willén & Broløs, version 3"},
    {"cuda-library", "this library: lookback/scan.hpp"},
    {"cuda-scan-then-propagate", "Merrill & Garland 2016, section 3.2; Sengupta et al. 2008"},
    {"cuda-reduce-then-scan", "Merrill & Garland 2016, section 3.2 and fig. 3"},
    {"cuda-reduce-then-scan-elided", "Ha & Han 2013; Merrill & Garland 2016, section 3.2"},
    {"cuda-hierarchical", "Kirk & Hwu, section 9.5"},
    {"cuda-block-hillis-steele", "Hillis & Steele 1986; GPU Gems 3, 39.2.1"},
    {"cuda-block-kogge-stone", "Kogge & Stone 1973; Kirk & Hwu, section 9.2"},
    {"cuda-block-sklansky", "Sklansky 1960; Merrill & Garland 2016, fig. 1c"},
    {"cuda-block-brent-kung", "Brent & Kung 1982; Kirk & Hwu, section 9.4"},
    {"cuda-block-blelloch", "Blelloch 1990; GPU Gems 3, 39.2.2"},
    {"cuda-block-blelloch-padded", "GPU Gems 3, 39.2.3"},
    {"cuda-block-blelloch-unrolled", "GPU Gems 3, 39.2.5"},
    {"cuda-block-vectors", "GPU Gems 3, 39.2.5: eight items a thread"},
    {"cuda-block-warp-scans-brent-kung", "Merrill & Garland 2016, fig. 2a"},
    {"cuda-block-raking", "Merrill & Garland 2016, fig. 2b"},
    {"cuda-block-warp-scans-sklansky", "Merrill & Garland 2016, fig. 2c"},
};

std::vector<strategy> make_all() {
    std::vector<strategy> all = {
        {"cpu-sequential", backend::cpu, "one item after the other", run_on_cpu<cpu_sequential>},
        {"cpu-scan-then-propagate", backend::cpu, "Merrill & Garland 2016, section 3.2",
         run_on_cpu<cpu_scan_then_propagate>},
        {"cpu-reduce-then-scan", backend::cpu, "Merrill & Garland 2016, section 3.2",
         run_on_cpu<cpu_reduce_then_scan>},
        {"cpu-chained", backend::cpu, "Merrill & Garland 2016, section 3.2 and fig. 4",
         run_on_cpu<cpu_single_pass<chained_tiles>>},
        {"cpu-look-back", backend::cpu, "Merrill & Garland 2016, section 4.1 and fig. 5",
         run_on_cpu<cpu_single_pass<tiles_that_look_back>>},
        {"cpu-library", backend::cpu, "this library: lookback/scan.hpp", run_on_cpu<cpu_library>},
    };
    for (const auto& [name, source] : cuda_names) {
        all.push_back({name, backend::cuda, source, find_cuda_run(name)});
    }
    return all;
}

}  // namespace

std::span<const strategy> all_strategies() {
    static const std::vector<strategy> all = make_all();
    return all;
}

const strategy* find_strategy(std::string_view name) {
    const auto all = all_strategies();
    const auto found = std::ranges::find(all, name, &strategy::name);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace lookback::strategies
