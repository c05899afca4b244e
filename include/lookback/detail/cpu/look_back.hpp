/// \file
/// The look-back: how a tile learns the fold of all tiles before it.
///
/// The protocol, after Merrill & Garland 2016, section 4.1. Tiles are claimed in order. The worker
/// that claims tile t
///
///     1. checks tile t-1: if its state is P, scans tile t with that prefix, publishes P of tile t,
///        and is done; otherwise
///     2. reduces the tile and publishes its aggregate: X -> A,
///     3. looks back: walks back to the nearest tile in state P, and then folds the aggregates from
///        there forward to t-1,
///     4. publishes its inclusive prefix, op(prefix, aggregate): A -> P,
///     5. scans the tile, which is now in cache, with the prefix.
///
/// The paper folds while it walks back. Here the fold runs forward from the prefix that was found.
/// So every prefix is the left fold op(op(op(init, aggregate 0), aggregate 1), ...), whichever P
/// was found and whenever: the bits are the same in every run. Operators need not commute, because
/// only neighbours are combined, in order.
///
/// It always finishes: tile 0 waits for no other tile, and a worker in step 3 waits only for the
/// aggregates of earlier tiles. Each of these is being computed by a worker that waits for no
/// other.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "lookback/detail/cpu/tile_status.hpp"

namespace lookback::detail {

/// The fold of `init`, if there is one, and of the tiles before `tile` > 0. `wait_for(k)` is called
/// if tile k has published nothing yet. It returns a view of the tile's status when there is one,
/// or a view with an aggregate that it has computed itself. Cost: the walk is as long as the number
/// of tiles in flight, at most two for each worker.
template <class T, class Op, class WaitFor>
T look_back(std::span<const tile_status<T>> status, std::size_t tile, const std::optional<T>& init,
            const Op& op, WaitFor&& wait_for) {
    std::optional<T> prefix = init;
    std::size_t from = tile;  // `prefix` holds the fold of everything before tile `from`
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
