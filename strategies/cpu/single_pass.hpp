/// \file
/// Scans in one pass, by threads that claim tiles in order. Each thread folds its tile while other
/// threads fold theirs, learns what lies before the tile, and scans the tile out of its cache. 2n.
///
/// Tiles are claimed from a counter, so the tiles before one are held by threads that run or have
/// finished. A thread waits for these alone, and it publishes a prefix before it scans the tile. So
/// it finishes. Operators must not throw: other threads would wait for that tile for ever. (The
/// library's operators may throw.)
#pragma once

#include <span>
#include <thread>
#include <vector>

#include "lookback/detail/cpu/look_back.hpp"
#include "lookback/lookback.hpp"
#include "phases.hpp"

namespace lookback::strategies {

/// Waits until a tile is in this state, or a later one.
template <class T>
detail::tile_view<T> wait_for(const detail::tile_status<T>& status, detail::tile_state wanted) {
    for (;;) {
        for (int spins = 0; spins < 64; ++spins) {
            if (auto seen = status.read(); seen.state >= wanted) return seen;
            detail::pause();
        }
        std::this_thread::yield();  // the tile's holder may be waiting for this core
    }
}

/// Chained scan: a tile waits for the prefix of the tile before it (Merrill & Garland 2016, section
/// 3.2 and fig. 4).
struct chained_tiles {
    static constexpr bool publishes_aggregates = false;
    template <class T, class Op>
    static T find(std::span<const detail::tile_status<T>> status, std::size_t tile, const Op&) {
        return *wait_for(status[tile - 1], detail::tile_state::P).value;
    }
};

/// Decoupled look-back: a tile folds aggregates back to the nearest prefix, from right to left as
/// in the paper (section 4.1 and fig. 5).
struct tiles_that_look_back {
    static constexpr bool publishes_aggregates = true;
    template <class T, class Op>
    static T find(std::span<const detail::tile_status<T>> status, std::size_t tile, const Op& op) {
        detail::tile_view<T> seen = wait_for(status[--tile], detail::tile_state::A);
        T fold = *seen.value;
        while (seen.state != detail::tile_state::P) {
            seen = wait_for(status[--tile], detail::tile_state::A);
            fold = op(*seen.value, fold);
        }
        return fold;
    }
};

template <class LookBack>
struct cpu_single_pass {
    /// A tile and its results fit in a core's own cache.
    template <class T>
    static constexpr std::size_t tile_items = std::max<std::size_t>(65536 / sizeof(T), 1);

    template <class T, class Op>
    static void run(int threads, const T* in, T* out, std::size_t n, const Op& op) {
        if (n == 0) return;
        const std::size_t tiles = (n + tile_items<T> - 1) / tile_items<T>;
        const auto limit = static_cast<std::size_t>(detail::worker_limit({.threads = threads}));
        std::vector<detail::tile_status<T>> status(tiles);
        // Hands out tiles in order, and orders nothing else. A tile's status orders what the tile
        // tells others; no tile reads what another one writes.
        std::atomic<std::size_t> next{0};
        detail::run_workers(static_cast<int>(std::min(limit, tiles)), [&] {
            for (std::size_t t; (t = next.fetch_add(1, std::memory_order_relaxed)) < tiles;) {
                const std::size_t first = t * tile_items<T>;
                const std::size_t items = std::min(tile_items<T>, n - first);
                const T aggregate = fold_items(in + first, items, op);
                std::optional<T> before;
                if (t > 0) {
                    if (LookBack::publishes_aggregates) status[t].publish_aggregate(aggregate);
                    before = LookBack::find(std::span<const detail::tile_status<T>>(status), t, op);
                }
                status[t].publish_prefix(before ? static_cast<T>(op(*before, aggregate))
                                                : aggregate);
                scan_items(in + first, out + first, items, before, op);
            }
        });
    }
};

/// The library's own scan, as one of the strategies.
struct cpu_library {
    template <class T, class Op>
    static void run(int threads, const T* in, T* out, std::size_t n, const Op& op) {
        lookback::inclusive_scan(cpu{.threads = threads}, in, in + n, out, op);
    }
};

}  // namespace lookback::strategies
