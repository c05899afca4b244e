#include "segmented_scan.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "segments.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

template <number T>
void scan_segments_of(const scan_plan& plan, const array_input& in, const segments_input& segments,
                      array_output& out, progress& bar) {
    const kernels<T>& kernel = kernels_of<T>(plan.op);
    const std::size_t key_size = segments.has_keys ? size_of(segments.in.type()) : 0;
    std::size_t window =
        window_items(plan.window_bytes, std::max(sizeof(T), key_size), kernel.scan_segments_tile);
    if (out.is_sequential() && plan.is_backward) window = std::max(window, in.items());
    const head_finder find_heads =
        segments.has_keys ? heads_by_key(segments.in, window, plan.is_backward, plan.threads)
                          : heads_by_offset(segments.in, plan.window_bytes, plan.is_backward);
    std::vector<std::uint8_t> heads(std::min(window, in.items()));
    const std::optional<T> seed = seed_of<T>(plan);
    std::optional<T> carry;
    input_windows windows(in, window, plan.is_backward);
    while (windows.next()) {
        const std::size_t items = windows.items();
        T* const to = out.room<T>(items);
        find_heads(windows.first(), items, heads.data());
        kernel.scan_segments(windows.load(to), items, heads.data(), to, seed, carry,
                             plan.is_exclusive, plan.threads);
        if (plan.is_backward) std::reverse(to, to + items);
        out.write(std::span<const T>(to, items), windows.first());
        bar.advance(items * (size_of(in.type()) + key_size + sizeof(T)));
    }
}

}  // namespace

void segmented_scan(const scan_plan& plan, dtype accumulator, const array_input& in,
                    const segments_input& segments, array_output& out, progress& bar) {
    with_type(accumulator, [&]<class T>(std::type_identity<T>) {
        scan_segments_of<T>(plan, in, segments, out, bar);
    });
}

}  // namespace lookback::cli
