// The benchmark of sorting on the CPU: all implementations, on every cell of the table,
// interleaved.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "rounds.hpp"
#include "sort_cell.hpp"
#include "sort_peers.hpp"

namespace lookback::bench::sorting {
namespace {

// Before a sort in place its input is restored. Up to so many items, this is timed too, because it
// takes less time than stopping the clock.
constexpr std::size_t few_to_restore = std::size_t{1} << 14;

template <class Implementation, class Cell>
void measure(benchmark::State& state, Cell& cell) {
    constexpr bool restores = requires { requires Implementation::in_place; };
    cell.open();
    const auto restore = [&] {
        if constexpr (restores) cell.template restore<Implementation>();
    };
    if (cell.items() <= few_items) {
        for (int call = 0; call < 3; ++call) {
            restore();
            cell.template run<Implementation>();
        }
    }
    for (auto _ : state) {
        if (restores && cell.items() > few_to_restore) {
            state.PauseTiming();
            restore();
            state.ResumeTiming();
        } else {
            restore();
        }
        cell.template run<Implementation>();
        benchmark::ClobberMemory();
        cell.next_part();
    }
}

template <class Operation, class... Implementations>
void add_cell(std::size_t items, keys_are data, const settings& with) {
    using this_cell = cell<Operation, Implementations...>;
    const auto shared = std::make_shared<this_cell>(items, data);
    std::vector<entry> entries;
    const auto add = [&]<class Implementation>() {
        if (!can_sort<Implementation>(items)) return;
        entries.push_back({Implementation::name, [shared](benchmark::State& state) {
                               measure<Implementation>(state, *shared);
                           }});
    };
    (add.template operator()<Implementations>(), ...);
    add_rounds(shared->name(), items, std::move(entries), with);
}

// With the peers that this program was built with.
template <class Operation, class... Implementations>
void add_beside_fast(std::size_t items, keys_are data, const settings& with) {
    add_cell<Operation, memcpy_all, ours, ours_1_thread, ours_in_place, tbb_sort, par_unseq_stable,
             vqsort,
#if LOOKBACK_BENCH_X86_SIMD_SORT
             x86_simd_sort,
#endif
             Implementations...>(items, data, with);
}
template <class Operation, class... Implementations>
void add_beside_parallel(std::size_t items, keys_are data, const settings& with) {
#if LOOKBACK_BENCH_PARLAY
    if constexpr (std::unsigned_integral<typename Operation::key>) {
        return add_beside_fast<Operation, parlay_sort, Implementations...>(items, data, with);
    }
#endif
    add_beside_fast<Operation, Implementations...>(items, data, with);
}
template <class Operation>
void add_all_peers(std::size_t items, keys_are data, const settings& with) {
    add_beside_parallel<Operation, std_sort, std_stable_sort>(items, data, with);
}
void add_order(std::size_t items, keys_are data, const settings& with) {
    add_cell<order, memcpy_all, ours, ours_1_thread, tbb_sort, par_unseq_stable, std_sort,
             std_stable_sort>(items, data, with);
}

// The cells that have goals. With --quick, the sorts that compare on one thread are left out,
// because they take seconds.
void add_goals(const settings& with) {
    const auto add = [&]<class Operation>(Operation) {
        with.quick ? add_beside_parallel<Operation>(power(26), keys_are::random, with)
                   : add_all_peers<Operation>(power(26), keys_are::random, with);
    };
    add(keys<std::uint32_t>());
    add(keys<std::uint64_t>());
    add(pairs());
}

// Also without the sorts that compare on one thread.
void add_others(std::size_t items, const settings& with) {
    for (const keys_are data : {keys_are::all_equal, keys_are::sorted, keys_are::reversed,
                                keys_are::skewed, keys_are::low_entropy}) {
        add_beside_parallel<keys<std::uint32_t>>(items, data, with);
        add_beside_parallel<pairs>(items, data, with);
    }
}

void add_all(const settings& with) {
    for (int exponent = 10; exponent <= (with.quick ? 20 : 24); exponent += 2) {
        const std::size_t items = power(exponent);
        add_all_peers<keys<std::uint32_t>>(items, keys_are::random, with);
        add_all_peers<keys<std::uint64_t>>(items, keys_are::random, with);
        add_all_peers<keys<float>>(items, keys_are::random, with);
        add_all_peers<pairs>(items, keys_are::random, with);
        add_order(items, keys_are::random, with);
    }
    add_goals(with);
    add_others(power(20), with);
    if (with.quick) return;
    add_others(power(26), with);
    add_all_peers<keys<float>>(power(26), keys_are::random, with);
    add_order(power(26), keys_are::random, with);
}

}  // namespace
}  // namespace lookback::bench::sorting

int main(int argc, char** argv) {
    using namespace lookback::bench;
    return run_program(argc, argv, "Measures sorting on the CPU against the peers and a copy.",
                       settings{3, 0.005, false}, settings{3, 0.002, true}, sorting::add_all);
}
