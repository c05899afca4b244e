// The benchmark of the ways to scan on the CPU: the strategies, this library and a copy,
// interleaved.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "add_cell.hpp"
#include "ours.hpp"
#include "rounds.hpp"
#include "strategies/cpu/single_pass.hpp"
#include "strategies/cpu/two_phases.hpp"
#include "workloads.hpp"

namespace lookback::bench {
namespace {

template <class Strategy>
struct by {
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        Strategy::run(0, in, out, items, typename W::our_op{});
    }
};
struct sequential : by<strategies::cpu_sequential> {
    static constexpr const char* name = "sequential";
};
struct scan_then_propagate : by<strategies::cpu_scan_then_propagate> {
    static constexpr const char* name = "scan_then_propagate";
};
struct reduce_then_scan : by<strategies::cpu_reduce_then_scan> {
    static constexpr const char* name = "reduce_then_scan";
};
struct chained : by<strategies::cpu_single_pass<strategies::chained_tiles>> {
    static constexpr const char* name = "chained";
};
struct look_back : by<strategies::cpu_single_pass<strategies::tiles_that_look_back>> {
    static constexpr const char* name = "look_back";
};

template <class T>
void add_sums(const settings& with) {
    const std::vector<int> exponents =
        with.quick ? std::vector{10, 22} : std::vector{10, 14, 18, 22, 26, 28};
    for (const int exponent : exponents) {
        add_cell<sum<T>, nontemporal_copy, memcpy_all, sequential, scan_then_propagate,
                 reduce_then_scan, chained, look_back, ours>(power(exponent), with);
    }
}

void add_all(const settings& with) {
    add_sums<std::int32_t>(with);
    add_sums<float>(with);
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    using namespace lookback::bench;
    return run_program(argc, argv,
                       "Measures the ways to scan on the CPU beside each other and a copy.",
                       settings{9, 0.01, false}, settings{3, 0.005, true}, add_all);
}
