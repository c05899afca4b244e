/// \file
/// What is measured on selections and runs: the standard library, two passes with oneTBB, plain
/// loops, copies of as many bytes, and this library.
///
/// Each implementation is a type with `name` and, for the operations that it has, run(operation,
/// arrays), which returns the number of results. All are stable. Types with yardstick(arrays)
/// instead do something else that takes as long as the operation might.
#pragma once

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <execution>
#include <iterator>
#include <utility>
#include <vector>

#include "compaction_workloads.hpp"
#include "lookback/partition.hpp"
#include "lookback/runs.hpp"
#include "lookback/scan.hpp"
#include "lookback/segmented.hpp"
#include "lookback/select.hpp"
#include "nontemporal_copy.hpp"

namespace lookback::bench::compaction {

/// The standard library's parallel algorithms.
struct par_unseq {
    static constexpr const char* name = "par_unseq";
    static constexpr const auto& policy = std::execution::par_unseq;
    static std::size_t run(const select_if& op, const arrays& a) {
        key* const end = std::copy_if(policy, a.in, a.in + a.items, a.out, op.data.keep());
        return static_cast<std::size_t>(end - a.out);
    }
    // std::stable_partition would work in place, with a copy before it and with memory of its own.
    static std::size_t run(const partition_if& op, const arrays& a) {
        key* const end = a.out + a.items;
        key* const kept_end = std::partition_copy(policy, a.in, a.in + a.items, a.out,
                                                  std::reverse_iterator(end), op.data.keep())
                                  .first;
        std::reverse(policy, kept_end, end);
        return static_cast<std::size_t>(kept_end - a.out);
    }
    static std::size_t run(const unique&, const arrays& a) {
        key* const end = std::unique_copy(policy, a.in, a.in + a.items, a.out);
        return static_cast<std::size_t>(end - a.out);
    }
};

/// One thread: the standard library if it has the algorithm, otherwise a loop.
struct sequential {
    static constexpr const char* name = "sequential";
    static std::size_t run(const select_if& op, const arrays& a) {
        return static_cast<std::size_t>(std::copy_if(a.in, a.in + a.items, a.out, op.data.keep()) -
                                        a.out);
    }
    static std::size_t run(const partition_if& op, const arrays& a) {
        key* const end = a.out + a.items;
        key* const kept_end = std::partition_copy(a.in, a.in + a.items, a.out,
                                                  std::reverse_iterator(end), op.data.keep())
                                  .first;
        std::reverse(kept_end, end);
        return static_cast<std::size_t>(kept_end - a.out);
    }
    static std::size_t run(const unique&, const arrays& a) {
        return static_cast<std::size_t>(std::unique_copy(a.in, a.in + a.items, a.out) - a.out);
    }
    static std::size_t run(const run_length_encode&, const arrays& a) {
        std::size_t runs = 0;
        std::uint32_t length = 1;
        for (std::size_t i = 1; i < a.items; ++i) {
            if (a.in[i] == a.in[i - 1]) {
                ++length;
            } else {
                a.out[runs] = a.in[i - 1];
                a.lengths[runs++] = std::exchange(length, 1);
            }
        }
        a.out[runs] = a.in[a.items - 1];
        a.lengths[runs++] = length;
        return runs;
    }
    static std::size_t run(const reduce_by_key&, const arrays& a) {
        std::size_t runs = 0;
        float sum = a.values[0];
        for (std::size_t i = 1; i < a.items; ++i) {
            if (a.in[i] == a.in[i - 1]) {
                sum += a.values[i];
            } else {
                a.out[runs] = a.in[i - 1];
                a.sums[runs++] = std::exchange(sum, a.values[i]);
            }
        }
        a.out[runs] = a.in[a.items - 1];
        a.sums[runs++] = sum;
        return runs;
    }
    static std::size_t run(const scan_by_key&, const arrays& a) {
        float sum = a.sums[0] = a.values[0];
        for (std::size_t i = 1; i < a.items; ++i) {
            sum = a.in[i] == a.in[i - 1] ? sum + a.values[i] : a.values[i];
            a.sums[i] = sum;
        }
        return a.items;
    }
    static std::size_t run(const segmented_scan&, const arrays& a) {
        for (std::size_t s = 0; s < a.segments; ++s) {
            float sum = 0;
            for (std::size_t i = a.offsets[s]; i < a.offsets[s + 1]; ++i) {
                a.sums[i] = sum += a.values[i];
            }
        }
        return a.segments + 1;
    }
};

/// std::stable_partition of a copy: in place, with memory of its own.
struct stable_partition {
    static constexpr const char* name = "stable_partition";
    static std::size_t run(const partition_if& op, const arrays& a) {
        memcpy_all_threads(a.in, a.out, a.items * sizeof(key));
        key* const kept_end = std::stable_partition(a.out, a.out + a.items, op.data.keep());
        return static_cast<std::size_t>(kept_end - a.out);
    }
};

/// Two passes: blocks of items are counted, the counts summed, the items written. A block is 256
/// KiB, so there are few enough blocks to sum the counts on one thread. No branch depends on an
/// item.
struct tbb_two_passes {
    static constexpr const char* name = "tbb";
    static constexpr std::size_t block = std::size_t{1} << 16;

    static std::size_t run(const select_if& op, const arrays& a) {
        const below keep = op.data.keep();
        return select(a, [in = a.in, keep](std::size_t i) { return keep(in[i]); });
    }
    static std::size_t run(const unique&, const arrays& a) {
        return select(a, [in = a.in](std::size_t i) { return i == 0 || in[i] != in[i - 1]; });
    }
    static std::size_t run(const partition_if& op, const arrays& a) {
        const below keep = op.data.keep();
        const std::vector<std::size_t> before =
            kept_before(a.items, [in = a.in, keep](std::size_t i) { return keep(in[i]); });
        const std::size_t kept = before.back();
        for_blocks(a.items,
                   [&, in = a.in, out = a.out](std::size_t b, std::size_t i, std::size_t end) {
                       std::size_t to_kept = before[b];
                       std::size_t to_rest = kept + i - before[b];
                       for (; i < end; ++i) {
                           const bool wanted = keep(in[i]);
                           out[wanted ? to_kept : to_rest] = in[i];
                           to_kept += wanted;
                           to_rest += !wanted;
                       }
                   });
        return kept;
    }

 private:
    // Calls body(b, begin, end) for each block b of items.
    template <class Body>
    static void for_blocks(std::size_t items, const Body& body) {
        tbb::parallel_for(std::size_t{0}, (items + block - 1) / block, [&](std::size_t b) {
            body(b, b * block, std::min(items, (b + 1) * block));
        });
    }

    // How many items are kept before each block, and in all.
    template <class Keep>
    static std::vector<std::size_t> kept_before(std::size_t items, const Keep& keep) {
        std::vector<std::size_t> before((items + block - 1) / block + 1);
        for_blocks(items, [&](std::size_t b, std::size_t i, std::size_t end) {
            std::size_t kept = 0;
            for (; i < end; ++i) kept += keep(i);
            before[b + 1] = kept;
        });
        for (std::size_t b = 1; b < before.size(); ++b) before[b] += before[b - 1];
        return before;
    }

    template <class Keep>
    static std::size_t select(const arrays& a, const Keep& keep) {
        const std::vector<std::size_t> before = kept_before(a.items, keep);
        for_blocks(a.items, [&, in = a.in, out = a.out](std::size_t b, std::size_t i, std::size_t) {
            // Each item is stored; if it is not wanted, the next one overwrites it. Nothing is
            // stored after the block's last wanted item, because the next block's results begin
            // there.
            for (std::size_t to = before[b]; to < before[b + 1]; ++i) {
                out[to] = in[i];
                to += keep(i);
            }
        });
        return before.back();
    }
};

struct ours {
    static constexpr const char* name = "ours";
    static std::size_t run(const select_if& op, const arrays& a) {
        return lookback::select_if(cpu{}, a.in, a.in + a.items, a.out, op.data.keep());
    }
    static std::size_t run(const partition_if& op, const arrays& a) {
        return lookback::partition_if(cpu{}, a.in, a.in + a.items, a.out, op.data.keep());
    }
    static std::size_t run(const unique&, const arrays& a) {
        return lookback::unique(cpu{}, a.in, a.in + a.items, a.out);
    }
    static std::size_t run(const run_length_encode&, const arrays& a) {
        return lookback::run_length_encode(cpu{}, a.in, a.in + a.items, a.out, a.lengths);
    }
    static std::size_t run(const reduce_by_key&, const arrays& a) {
        return lookback::reduce_by_key(cpu{}, a.in, a.in + a.items, a.values, a.out, a.sums);
    }
    static std::size_t run(const scan_by_key&, const arrays& a) {
        lookback::inclusive_scan_by_key(cpu{}, a.in, a.in + a.items, a.values, a.sums);
        return a.items;
    }
    static std::size_t run(const segmented_scan&, const arrays& a) {
        const segment_offsets segments{a.offsets, a.offsets + a.segments + 1};
        lookback::inclusive_segmented_scan(cpu{}, a.values, a.values + a.items, segments, a.sums);
        return a.segments + 1;
    }
};

/// The outputs lie over the inputs.
struct ours_in_place : ours {
    static constexpr const char* name = "ours_in_place";
    static constexpr bool in_place = true;
};

/// Moves as many bytes as the operation has to: half of them are read and half written.
struct nontemporal_copy {
    static constexpr const char* name = "nontemporal_copy";
    static void yardstick(const arrays& a) {
        nontemporal_copy_all_threads(a.in, a.out, a.moved_bytes / 2);
    }
};
struct memcpy_all {
    static constexpr const char* name = "memcpy_all";
    static void yardstick(const arrays& a) { memcpy_all_threads(a.in, a.out, a.moved_bytes / 2); }
};

/// The values scanned as one segment.
struct plain_scan {
    static constexpr const char* name = "plain_scan";
    static void yardstick(const arrays& a) {
        lookback::inclusive_scan(cpu{}, a.values, a.values + a.items, a.sums);
    }
};

}  // namespace lookback::bench::compaction
