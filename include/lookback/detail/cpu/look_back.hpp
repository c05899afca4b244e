/// \file
/// The look-back: how a tile learns the fold of all tiles before it.
///
/// The protocol, after Merrill & Garland 2016, section 4.1. Tiles are claimed in order. Whoever
/// claims tile t
///
///   1. finds P on tile t-1: scans the tile with that prefix, and publishes P of its own; or else
///   2. reduces the tile and publishes the aggregate: X -> A,
///   3. looks back: walks to the nearest tile in state P, then folds the aggregates from there
///      forward to t-1,
///   4. publishes its inclusive prefix, op(prefix, aggregate): A -> P,
///   5. scans the tile, now in cache, with the prefix.
///
/// The paper folds while it walks back; here the fold runs forward from the prefix that was found.
/// So every prefix is op(op(op(init, aggregate 0), aggregate 1), ...), a left fold, whichever P was
/// found and whenever: the same bits in every run. Operators need not commute: only neighbours are
/// ever combined, in order.
///
/// It finishes: tile 0 waits for no other, and a worker in step 3 waits only for aggregates of
/// earlier tiles, each held by a worker that is computing it and waits for no other.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "lookback/detail/cpu/tile_status.hpp"

namespace lookback::detail {

/// The fold of `init`, where there is one, and of the tiles before `tile`, which is > 0.
/// `wait_for(k)` is called where tile k has published nothing yet; it returns a view of the tile's
/// status once there is one, or one with an aggregate that it has worked out itself.
/// Cost: the walk is as long as the number of tiles in flight, at most two for each worker.
template <class T, class Op, class WaitFor>
T look_back(std::span<const tile_status<T>> status, std::size_t tile, const std::optional<T>& init,
            const Op& op, WaitFor&& wait_for) {
    std::optional<T> prefix = init;
    std::size_t from = tile;  // everything before tile `from` is in `prefix`
    while (from > 0) {
        tile_view<T> seen = status[from - 1].read();
        if (seen.state == tile_state::P) {
            prefix = std::move(seen.value);
            break;
        }
        --from;
    }
    for (; from < tile; ++from) {
        tile_view<T> seen = status[from].read();
        if (seen.state == tile_state::X) seen = wait_for(from);
        if (seen.state == tile_state::P || !prefix) {
            prefix = std::move(seen.value);
        } else {
            prefix.emplace(op(*prefix, *seen.value));
        }
    }
    return *std::move(prefix);
}

}  // namespace lookback::detail
