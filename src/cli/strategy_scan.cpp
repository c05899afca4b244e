#include "strategy_scan.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "error.hpp"
#include "progress.hpp"
#include "table/gpu/gpus.hpp"
#include "windows.hpp"

namespace lookback::cli {

using strategies::folding;
using strategies::item_type;
using strategies::strategy;

const strategy& find_strategy(const scan_arguments& arguments) {
    const std::string& name = *arguments.strategy;
    const strategy* const found = strategies::find_strategy(name);
    if (found == nullptr) {
        fail("--strategy {}: unknown strategy; expected a scan that lookback strategies lists",
             name);
    }
    const std::pair<const char*, bool> others[] = {
        {"--exclusive", arguments.is_exclusive},    {"--backward", arguments.is_backward},
        {"--init", arguments.init.has_value()},     {"--axis", arguments.axis.has_value()},
        {"--by-key", arguments.by_key.has_value()}, {"--segments", arguments.segments.has_value()},
        {"--device", arguments.device.has_value()}, {"--window", arguments.window.has_value()},
    };
    for (const auto& [option, is_given] : others) {
        if (is_given) {
            fail("{}: cannot be used with --strategy, which scans one line of numbers inclusively",
                 option);
        }
    }
    if (found->runs_on == strategies::backend::cuda) {
        if (const auto gpus = on_gpu::find_gpus(); gpus.gpus.empty()) {
            fail("--strategy {}: runs on a CUDA GPU; {}", name, gpus.why_none);
        }
    }
    return *found;
}

strategies::scan_call strategy_call(const scan_plan& plan, dtype type, const array_input& in) {
    strategies::scan_call call{.type = item_type::i32,
                               .op = folding::sum,
                               .in = nullptr,
                               .out = nullptr,
                               .items = in.items()};
    switch (type) {
        case dtype::int32: call.type = item_type::i32; break;
        case dtype::int64: call.type = item_type::i64; break;
        case dtype::float32: call.type = item_type::f32; break;
        case dtype::float64: call.type = item_type::f64; break;
        default:
            fail(
                "--strategy: scans int32, int64, float32 or float64, not {}; expected one of them "
                "with --out-dtype",
                name(type));
    }
    if (plan.op != operation::sum && plan.op != operation::max) {
        fail("--op {}: cannot be used with --strategy; expected sum or max", name(plan.op));
    }
    call.op = plan.op == operation::sum ? folding::sum : folding::maximum;
    return call;
}

void strategy_scan(const strategy& how, strategies::scan_call call, const scan_plan& plan,
                   dtype type, const array_input& in, array_output& out, progress& bar) {
    const std::size_t size = size_of(type);
    const auto numbers = std::make_unique_for_overwrite<std::byte[]>(call.items * size);
    const std::size_t window = window_items(usual_window, size);
    for (input_windows part(in, window); part.next();) {
        std::byte* const room = numbers.get() + part.first() * size;
        const void* const read = part.load(type, room);
        if (read != room) std::memcpy(room, read, part.items() * size);
        bar.advance(part.items() * in.item_bytes());
    }
    call.in = call.out = numbers.get();
    if (how.runs_on == strategies::backend::cuda) {
        strategies::run_on_gpu(how, call);
    } else {
        how.run(call, {.threads = plan.where.threads});
    }
    for (std::size_t i = 0; i < call.items; i += window) {
        const std::size_t count = std::min(window, call.items - i);
        std::byte* const room = out.room(count);
        std::memcpy(room, numbers.get() + i * size, count * size);
        out.write(room, count, i);
        bar.advance(count * size);
    }
}

void run_strategies() {
    std::string lines;
    const auto list = [&](const auto& all) {
        for (const auto& s : all) {
            lines += fmt::format("{:34} {:18} {}\n", s.name, s.moves, s.source);
        }
    };
    list(strategies::all_strategies());
    list(strategies::all_sort_strategies());
    list(strategies::all_table_strategies());
    print(lines);
}

}  // namespace lookback::cli
