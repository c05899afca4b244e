#include "segmented_scan.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "segments.hpp"
#include "table/convert.hpp"
#include "table/table.hpp"
#include "windows.hpp"

namespace lookback::cli {
void segmented_scan(const scan_plan& plan, dtype accumulator, const array_input& in,
                    const segments_input& segments, array_output& out, progress& bar) {
    const workplace& where = plan.where;
    const std::size_t size = size_of(accumulator);
    const std::size_t key_size = segments.has_keys ? segments.in.item_bytes() : 0;
    const std::size_t window = window_items(where.window_bytes, std::max(size, key_size),
                                            scan_segments_tile(accumulator, where.on()));
    // Results that are computed from the end have to wait for the first one.
    const bool at_once = out.is_sequential() && plan.is_backward && in.items() > 0;
    std::byte* const all = at_once ? out.room(in.items()) : nullptr;
    const head_finder find_heads =
        segments.has_keys ? heads_by_key(segments.in, window, plan.is_backward, where.threads)
                          : heads_by_offset(segments.in, where.window_bytes, plan.is_backward);
    std::vector<std::uint8_t> heads(std::min(window, in.items()));
    const std::optional<scalar> seed = seed_of(plan, accumulator);
    std::optional<scalar> carry;
    input_windows windows(in, window, plan.is_backward);
    while (windows.next()) {
        const std::size_t items = windows.items();
        std::byte* const to = at_once ? all + windows.first() * size : out.room(items);
        find_heads(windows.first(), items, heads.data());
        scan_segments(where.on(), accumulator, plan.op, plan.is_exclusive,
                      windows.load(accumulator, to), items, heads.data(), to, seed, carry);
        if (plan.is_backward) reverse(accumulator, to, items, to);
        if (!at_once) out.write(to, items, windows.first());
        bar.advance(items * (in.item_bytes() + key_size + size));
    }
    if (at_once) out.write(all, in.items(), 0);
}

}  // namespace lookback::cli
