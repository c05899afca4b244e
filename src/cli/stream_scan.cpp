#include "stream_scan.hpp"

#include <cstddef>
#include <optional>

#include "table/convert.hpp"
#include "table/table.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

// True if every grouping gives the same bits.
bool is_exact(dtype type, operation op) {
    return !is_float(type) || op == operation::min || op == operation::max;
}

}  // namespace

void stream_scan(const scan_plan& plan, const std::function<element()>& written_as,
                 const array_input& in, array_output& out) {
    dtype type = out.type();
    std::optional<scalar> carry = seed_of(plan, type);
    input_windows windows(in, 1);
    while (windows.next()) {
        const element wanted = written_as();
        out.become(wanted);
        if (carry && wanted.computed != type) carry = convert(type, *carry, wanted.computed);
        type = wanted.computed;
        const std::size_t items = windows.items(), size = size_of(type);
        // An exclusive scan is the carry followed by the inclusive scan.
        std::byte* const slots = out.room(items + 1);
        std::byte* const to = slots + (plan.is_exclusive ? size : 0);
        const void* const from = windows.load(type, to);
        if (plan.is_exclusive) carry->put(type, slots);
        if (is_exact(type, plan.op)) {
            scan(type, plan.op, false, from, items, to, carry, plan.where.threads);
            carry = scalar(type, to + (items - 1) * size);
        } else {
            std::byte last[8];
            if (carry) carry->put(type, last);
            scan_columns(type, plan.op, false, false, from, {items, 1}, to, last,
                         carry.has_value());
            carry = scalar(type, last);
        }
        out.append(slots, items);
    }
}

}  // namespace lookback::cli
