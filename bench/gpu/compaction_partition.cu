#include <thrust/iterator/reverse_iterator.h>
#include <thrust/partition.h>

#include <cub/device/device_partition.cuh>

#include "compaction_input.hpp"
#include "compaction_peers.cuh"
#include "lookback/partition.hpp"

namespace lookback::bench {
namespace {

// The peers write the rest into the same output, from its end backwards, so in reverse order.
template <bool reversed>
contest one_output(session& s, std::uint64_t n, int percent) {
    fill_items(s, n);
    const word* const in = words(s, items_at);
    word* const out = words(s, out_at);
    std::uint64_t* const count = counts_at(s);
    const below pred = keep_percent(percent);

    contestant cub = cub_contestant(s, [=, &s](void* memory, std::size_t& bytes) {
        return cub::DevicePartition::If(memory, bytes, in, out, count, static_cast<int>(n), pred,
                                        s.stream());
    });
    contestant thrust = thrust_contestant(s, [=](const auto& policy) {
        const auto ends = thrust::partition_copy(policy, in, in + n, out,
                                                 thrust::make_reverse_iterator(out + n), pred);
        return ends.first - out;
    });
    cub.rest_backwards = thrust.rest_backwards = true;

    contest one;
    one.read_bytes = n * sizeof(word);
    one.counts = 1;
    one.lengths = [=](const compaction_counts&) { return std::vector{n}; };
    one.all = {{{"ours",
                 [=, &s] {
                     const count_to<std::uint64_t> to{count};
                     if constexpr (reversed) {
                         partition_if(s.gpu(), in, in + n, out, rest_reversed, to, pred);
                     } else {
                         partition_if(s.gpu(), in, in + n, out, to, pred);
                     }
                 }},
                reversed},
               cub,
               thrust};
    return one;
}

template <bool reversed>
contest flagged(session& s, std::uint64_t n) {
    fill_items(s, n);
    fill_flags(s, n);
    const word* const in = words(s, items_at);
    const auto* const flags = static_cast<const std::uint8_t*>(s.array(values_at));
    word* const out = words(s, out_at);
    std::uint64_t* const count = counts_at(s);

    contestant cub = cub_contestant(s, [=, &s](void* memory, std::size_t& bytes) {
        return cub::DevicePartition::Flagged(memory, bytes, in, flags, out, count,
                                             static_cast<int>(n), s.stream());
    });
    cub.rest_backwards = true;

    contest one;
    one.read_bytes = n * (sizeof(word) + sizeof(std::uint8_t));
    one.counts = 1;
    one.lengths = [=](const compaction_counts&) { return std::vector{n}; };
    one.all = {{{"ours",
                 [=, &s] {
                     const count_to<std::uint64_t> to{count};
                     if constexpr (reversed) {
                         partition_flagged(s.gpu(), in, in + n, flags, out, rest_reversed, to);
                     } else {
                         partition_flagged(s.gpu(), in, in + n, flags, out, to);
                     }
                 }},
                reversed},
               cub};
    return one;
}

// CUB has no such call.
contest two_outputs(session& s, std::uint64_t n, int percent) {
    fill_items(s, n);
    const word* const in = words(s, items_at);
    word* const out = words(s, out_at);
    word* const rest = words(s, second_out_at);
    std::uint64_t* const count = counts_at(s);
    const below pred = keep_percent(percent);

    contest one;
    one.read_bytes = n * sizeof(word);
    one.counts = 1;
    one.lengths = [=](const compaction_counts& c) { return std::vector{c[0], n - c[0]}; };
    one.all = {
        {{"ours",
          [=, &s] {
              partition_if(s.gpu(), in, in + n, out, rest, count_to<std::uint64_t>{count}, pred);
          }}},
        thrust_contestant(s, [=](const auto& policy) {
            return thrust::stable_partition_copy(policy, in, in + n, out, rest, pred).first - out;
        })};
    return one;
}

// The second and the third output get equal shares of what is not kept.
contest three_outputs(session& s, std::uint64_t n, int percent) {
    fill_items(s, n);
    const word* const in = words(s, items_at);
    word* const first = words(s, out_at);
    word* const second = words(s, second_out_at);
    word* const rest = words(s, third_out_at);
    std::uint64_t* const counts = counts_at(s);
    const below pred_first = keep_percent(percent);
    const below pred_second = keep_percent((100 + percent) / 2);

    contest one;
    one.read_bytes = n * sizeof(word);
    one.counts = 2;
    one.lengths = [=](const compaction_counts& c) {
        return std::vector{c[0], c[1], n - c[0] - c[1]};
    };
    one.all = {{{"ours",
                 [=, &s] {
                     partition_if(s.gpu(), in, in + n, first, second, rest,
                                  count_to<std::uint64_t>{counts}, pred_first, pred_second);
                 }}},
               cub_contestant(s, [=, &s](void* memory, std::size_t& bytes) {
                   return cub::DevicePartition::If(memory, bytes, in, first, second, rest, counts,
                                                   static_cast<int>(n), pred_first, pred_second,
                                                   s.stream());
               })};
    return one;
}

}  // namespace

void measure_partition_if(session& s, const observer& tell) {
    measure_percents(s, tell, "partition_if", one_output<false>);
    measure_percents(s, tell, "partition_if, rest reversed", one_output<true>);
    measure(s, tell, "partition_flagged", keep_text(50),
            [&](std::uint64_t n) { return flagged<false>(s, n); });
    measure(s, tell, "partition_flagged, rest reversed", keep_text(50),
            [&](std::uint64_t n) { return flagged<true>(s, n); });
    measure_percents(s, tell, "partition_if to two", two_outputs);
    measure_percents(s, tell, "partition_if to three", three_outputs);
}

}  // namespace lookback::bench
