#include "sorting.hpp"

#include <array>

#include "comparators.hpp"

namespace lookback::strategies {
namespace {

template <class Network>
sorting_network build(std::uint32_t inputs) {
    sorting_network net(inputs);
    std::uint32_t step = 0;
    for (int part = 0; std::uint32_t{1} << part < inputs; ++part) {
        for (int distance = part; distance >= 0; --distance) {
            const merge_step merge{part, distance};
            ++step;
            for (std::uint32_t i = 0; i < comparators_of(merge, inputs); ++i) {
                const comparator<std::uint32_t> c = Network::at(merge, i);
                if (c.high < inputs) net.compare(c.low, c.high, step);
            }
        }
    }
    return net;
}

}  // namespace

sorting_network bitonic_sort(std::uint32_t inputs) { return build<bitonic_network>(inputs); }

sorting_network odd_even_merge_sort(std::uint32_t inputs) {
    return build<odd_even_network>(inputs);
}

std::span<const named_sorting_network> named_sorting_networks() {
    static constexpr std::array<named_sorting_network, 2> all{{
        {"bitonic", "Batcher 1968; Knuth, vol. 3, section 5.3.4", bitonic_sort},
        {"odd-even-merge", "Batcher 1968; Knuth, vol. 3, sections 5.2.2 and 5.3.4",
         odd_even_merge_sort},
    }};
    return all;
}

}  // namespace lookback::strategies
