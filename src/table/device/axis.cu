#include "table/device/axis_loops.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

axis_loop find_loop(item_type in, operation op, item_type out) {
    switch (op) {
        case operation::product: return find_products(in, out);
        case operation::min: return in == out ? find_minima(in) : nullptr;
        case operation::max: return in == out ? find_maxima(in) : nullptr;
        case operation::sum: break;
        default: return nullptr;
    }
    const axis_loop of_integers = find_integer_sums(in, out);
    return of_integers != nullptr ? of_integers : find_float_sums(in, out);
}

}  // namespace

bool can_scan(item_type in, operation op, item_type out) {
    return find_loop(in, op, out) != nullptr;
}

void scan_axis(const place& where, item_type in_type, operation op, const void* in,
               const axis_extents& extents, item_type out_type, void* out) {
    const axis_loop loop = find_loop(in_type, op, out_type);
    if (loop == nullptr) refuse("such scan", in_type);
    loop(call(where), in, extents, out);
}

}  // namespace lookback::on_device
