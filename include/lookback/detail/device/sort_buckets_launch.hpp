/// \file
/// The launches of a sort of medium arrays in buckets (sort_buckets.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/sort_buckets.hpp"
#include "lookback/detail/device/sort_launch_step.hpp"
#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// The most items that may be dealt out to buckets of this shape. A row of each is left free,
/// because buckets of even keys still differ in size.
constexpr std::uint64_t most_in_buckets(const sort_shape& shape) {
    return digit_values * static_cast<std::uint64_t>(shape.items() - shape.threads());
}
/// The number of tiles that items are dealt out from. As long as the tiles are at most half full
/// there are dealt_tiles of them, then up to twice as many, and more once they are full. 0 if items
/// are not dealt out.
template <sort_tuning tuning, class Word>
constexpr std::uint64_t dealt_tiles(std::uint64_t items) {
    if (sizeof(Word) <= 2 || items <= tuning.buckets_from ||
        items > most_in_buckets(tuning.many_in_bucket)) {
        return 0;
    }
    constexpr auto full = static_cast<unsigned>(tuning.dealt.items());
    const std::uint64_t half_full =
        std::clamp(tiles_for(items, full / 2), tuning.dealt_tiles, 2 * tuning.dealt_tiles);
    return std::max(half_full, tiles_for(items, full));
}
template <sort_tuning tuning, class Word>
constexpr std::uint64_t most_dealt_tiles(std::uint64_t most_items) {
    return dealt_tiles<tuning, Word>(std::min(most_items, most_in_buckets(tuning.many_in_bucket)));
}

/// Sorts in buckets of this shape, if they turn out to be small enough; then nothing is left to the
/// passes. Returns whether it has launched the kernels that try this.
template <sort_shape shape, sort_tuning tuning, class Problem>
bool launch_sort_in_buckets(gpu& where, launch_step step, const Problem& problem, sort_sums* sums,
                            bool looked, std::uint64_t tiles) {
    constexpr sort_shape dealt = tuning.dealt;
    constexpr std::size_t deal_bytes = sizeof(sort_deal_memory<Problem, dealt>);
    constexpr std::size_t bytes = sizeof(sort_bucket_memory<Problem, shape>);
    const std::uint64_t items = problem.count.at_most;
    if (tiles == 0 || tiles > static_cast<unsigned>(shape.threads()) ||
        items > most_in_buckets(shape) ||
        std::max(bytes, deal_bytes) > access::most_shared_bytes(where)) {
        return false;
    }
    const auto rows = tiles_for(items, static_cast<unsigned>(dealt.threads()) * tiles);
    const sort_dealing dealing{
        static_cast<std::uint32_t>(rows) * static_cast<std::uint32_t>(dealt.threads()),
        static_cast<std::uint32_t>(tiles), static_cast<std::uint32_t>(shape.items()), looked};
    {
        constexpr auto kernel = sort_deal_kernel<Problem, dealt.warps, dealt.rows, dealt.blocks>;
        const auto& known = access::facts<kernel>(where, dealt.threads(), deal_bytes);
        start_in<kernel>(step, where, known, dealing.tiles(items), dealt.threads(), deal_bytes,
                         problem, sums, dealing);
    }
    constexpr auto kernel = sort_buckets_kernel<Problem, shape.warps, shape.rows, shape.blocks>;
    const auto& known = access::facts<kernel>(where, shape.threads(), bytes);
    start_in<kernel>(step, where, known, digit_values, shape.threads(), bytes, problem,
                     static_cast<const sort_sums*>(sums), dealing);
    return true;
}

}  // namespace lookback::detail::device
