/// \file
/// The CPU driver: workers that claim tiles and look back make one pass over a problem.
///
/// The steps are those of detail/cpu/look_back.hpp, with one addition: before a worker scans a
/// tile, it claims its next tile. So the problem can reduce the next tile meanwhile (reading it
/// from memory while results are written), and the next tile's aggregate is published early.
///
/// In a problem with a tile memory (detail/cpu/problem.hpp) every tile is reduced exactly once. Its
/// results may overwrite its input, as long as tile t writes no further than its own items
/// ("in-place compaction", section 4.4), because no worker reads there any more:
///
/// - reduce(k) reads tile k. On the same thread, the release store that publishes k's aggregate or
///   prefix comes after it, and nothing reads tile k later;
/// - emit(t) comes after t's look-back, which has loaded with acquire either the aggregates of all
///   tiles before t, or a prefix P of some tile j < t and the aggregates of tiles j+1 to t-1. So
///   the reads of tiles j+1 to t-1 happen before the writes of emit(t). The worker that published P
///   of j had looked back in the same way. So, by induction, the reads of all tiles up to j happen
///   before that store, and the acquire load of P makes them happen before emit(t);
/// - a worker that emits t while it reduces its next tile u > t reads items that only tiles from u
///   on may write, and none of these tiles can write before u's aggregate is published.
///
/// A worker that waits for such a tile may not reduce it in its holder's place: the tile's items
/// may be overwritten, and each item is evaluated only once.
///
/// Cost: each item is read from memory once (twice by the core, the second time from its cache),
/// and each output is written once. One status word of a cache line or two for each tile.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lookback/detail/cpu/look_back.hpp"
#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/workers.hpp"

namespace lookback::detail {

template <tile_problem Problem>
class single_pass_run {
    using T = typename Problem::value_type;

 public:
    explicit single_pass_run(const Problem& problem)
        : problem_(problem), tiles_(detail::tile_count(problem)), status_(tiles_) {}

    void run(int workers) {
        run_workers(workers, [this] { work(); });
    }

    // The fold of all items, after a run.
    T total() const { return *status_.back().read().value; }

 private:
    struct stopped {};  // thrown to leave a wait after another worker has failed

    void work() {
        try {
            typename Problem::tile_memory memory, next_memory;
            std::optional<T> aggregate;  // of tile t, if it is known
            for (std::size_t t = claim(); t < tiles_ && !failed_.load(std::memory_order_relaxed);) {
                if (!aggregate) {
                    if constexpr (!keeps_tiles<Problem>) {
                        if (const auto [known, prefix] = prefix_if_known(t); known) {
                            status_[t].publish_prefix(
                                timed_emit(t, prefix, memory, tiles_, next_memory)
                                    .inclusive_prefix);
                            t = claim();
                            continue;
                        }
                    }
                    aggregate.emplace(problem_.reduce(detail::tile_at(problem_, t), memory));
                    status_[t].publish_aggregate(*aggregate);
                }
                const std::optional<T> prefix = prefix_of(t);
                status_[t].publish_prefix(prefix ? problem_.combine(*prefix, *aggregate)
                                                 : *aggregate);
                const std::size_t next = claim();
                aggregate = timed_emit(t, prefix, memory, next, next_memory).next_aggregate;
                if (aggregate) {
                    status_[next].publish_aggregate(*aggregate);
                    std::swap(memory, next_memory);
                }
                t = next;
            }
        } catch (const stopped&) {
        } catch (...) {
            failed_.store(true, std::memory_order_relaxed);
            throw;
        }
    }

    // Tickets are drawn in order, so a tile is only claimed after all tiles before it (section
    // 4.4). The counter orders no other memory, so relaxed is enough.
    std::size_t claim() { return ticket_.fetch_add(1, std::memory_order_relaxed); }

    struct known_prefix {
        bool known;
        std::optional<T> prefix;
    };
    known_prefix prefix_if_known(std::size_t t) const {
        if (t == 0) return {true, problem_.init()};
        tile_view<T> before = status_[t - 1].read();
        return {before.state == tile_state::P, std::move(before.value)};
    }

    std::optional<T> prefix_of(std::size_t t) {
        if (t == 0) return problem_.init();
        const auto op = [this](const T& a, const T& b) { return problem_.combine(a, b); };
        const std::int64_t give_up =
            detail::nanoseconds() + patience_.load(std::memory_order_relaxed);
        return detail::look_back(std::span<const tile_status<T>>(status_), t, problem_.init(), op,
                                 [&](std::size_t k) { return wait_for(k, give_up); });
    }

    // A worker may lose its core for milliseconds while it holds tile k. Other workers do not wait
    // that long. After `give_up` they reduce the tile themselves ("decoupled fallback", Smith,
    // Levien & Owens 2025). If the holder may be overwriting the tile, or keeps it in a tile
    // memory, they yield their core instead.
    tile_view<T> wait_for(std::size_t k, std::int64_t give_up) {
        for (;;) {
            for (int spins = 0; spins < 16; ++spins) {
                tile_view<T> seen = status_[k].read();
                if (seen.state != tile_state::X) return seen;
                detail::pause();
            }
            if (failed_.load(std::memory_order_relaxed)) throw stopped{};
            if (detail::nanoseconds() < give_up) continue;
            if constexpr (!keeps_tiles<Problem>) {
                if (problem_.keeps_input()) {
                    typename Problem::tile_memory none;
                    return {tile_state::A, problem_.reduce(detail::tile_at(problem_, k), none)};
                }
            }
            detail::yield();
        }
    }

    emitted<T> timed_emit(std::size_t t, const std::optional<T>& prefix,
                          typename Problem::tile_memory& memory, std::size_t next,
                          typename Problem::tile_memory& next_memory) {
        const std::int64_t begin = detail::nanoseconds();
        // tile_at is also called if there is no next tile, so that compilers do not warn of an
        // uninitialised range.
        std::optional<tile_range> next_tile(detail::tile_at(problem_, std::min(next, tiles_ - 1)));
        if (next >= tiles_) next_tile.reset();
        emitted<T> result =
            problem_.emit(detail::tile_at(problem_, t), prefix, memory, next_tile, next_memory);
        patience_.store(4 * (detail::nanoseconds() - begin), std::memory_order_relaxed);
        return result;
    }

    const Problem& problem_;
    const std::size_t tiles_;
    std::vector<tile_status<T>> status_;
    alignas(64) std::atomic<std::size_t> ticket_{0};
    alignas(64) std::atomic<bool> failed_{false};
    std::atomic<std::int64_t> patience_{1'000'000};  // nanoseconds
};

/// Runs `problem`, of one item or more, to its end. Returns the fold of all items. An exception
/// from the problem stops the run and is rethrown; outputs are then partly written.
template <tile_problem Problem>
typename Problem::value_type single_pass(const cpu& where, const Problem& problem) {
    if (const std::size_t useful = problem.items() / problem.items_for_a_thread(); useful > 1) {
        const auto limit = static_cast<std::size_t>(worker_limit(where));
        const auto workers = static_cast<int>(std::min(limit, useful));
        if (workers > 1) {
            single_pass_run run(problem);
            run.run(workers);
            return run.total();
        }
    }
    typename Problem::tile_memory memory;
    std::optional<typename Problem::value_type> prefix;
    if (const auto& init = problem.init()) prefix.emplace(*init);
    const std::size_t tile_items = problem.tile_items();
    for (std::size_t first = 0; first < problem.items(); first += tile_items) {
        const tile_range tile{first, std::min(tile_items, problem.items() - first)};
        if constexpr (keeps_tiles<Problem>) problem.reduce(tile, memory);
        prefix.emplace(problem.emit(tile, prefix, memory, std::nullopt, memory).inclusive_prefix);
    }
    return *std::move(prefix);
}

}  // namespace lookback::detail
