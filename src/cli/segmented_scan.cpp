#include "segmented_scan.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu_numbers.hpp"
#include "segments.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

// As kernels<T>::scan_segments.
template <number T>
void scan_on_gpu(const scan_plan& plan, const T* in, std::size_t items, const std::uint8_t* heads,
                 T* out, const std::optional<T>& seed, std::optional<T>& carry) {
    using U = on_gpu_as<T>;
    std::optional<U> before = carry;
    on_gpu::segments_window<U>::scan(*plan.where.memory, array_of<U>(in), items, heads,
                                     array_of<U>(out), on_gpu_operation<T>(plan.op),
                                     std::optional<U>(seed), before, plan.is_exclusive);
    carry = before;
}

template <number T>
void scan_segments_of(const scan_plan& plan, const array_input& in, const segments_input& segments,
                      array_output& out, progress& bar) {
    const workplace& where = plan.where;
    const kernels<T>& kernel = kernels_of<T>(plan.op);
    const std::size_t key_size = segments.has_keys ? size_of(segments.in.type()) : 0;
    const std::size_t window = window_items(where.window_bytes, std::max(sizeof(T), key_size),
                                            where.tile(kernel.scan_segments_tile));
    // Results that come from the end wait for the first.
    const bool at_once = out.is_sequential() && plan.is_backward && in.items() > 0;
    T* const all = at_once ? out.room<T>(in.items()) : nullptr;
    const head_finder find_heads =
        segments.has_keys ? heads_by_key(segments.in, window, plan.is_backward, where.threads)
                          : heads_by_offset(segments.in, where.window_bytes, plan.is_backward);
    std::vector<std::uint8_t> heads(std::min(window, in.items()));
    const std::optional<T> seed = seed_of<T>(plan);
    std::optional<T> carry;
    input_windows windows(in, window, plan.is_backward);
    while (windows.next()) {
        const std::size_t items = windows.items();
        T* const to = at_once ? all + windows.first() : out.room<T>(items);
        find_heads(windows.first(), items, heads.data());
        const T* const from = windows.load(to);
        if (where.memory) {
            scan_on_gpu(plan, from, items, heads.data(), to, seed, carry);
        } else {
            kernel.scan_segments(from, items, heads.data(), to, seed, carry, plan.is_exclusive,
                                 where.threads);
        }
        if (plan.is_backward) std::reverse(to, to + items);
        if (!at_once) out.write(std::span<const T>(to, items), windows.first());
        bar.advance(items * (size_of(in.type()) + key_size + sizeof(T)));
    }
    if (at_once) out.write(std::span<const T>(all, in.items()), 0);
}

}  // namespace

void segmented_scan(const scan_plan& plan, dtype accumulator, const array_input& in,
                    const segments_input& segments, array_output& out, progress& bar) {
    with_type(accumulator, [&]<class T>(std::type_identity<T>) {
        scan_segments_of<T>(plan, in, segments, out, bar);
    });
}

}  // namespace lookback::cli
