#include "table/axis_of_type.hpp"

namespace lookback::table {

template <>
axis_function axis_of<float>(operation op) {
    return axis_of_type<float>::any(op);
}
template <>
axis_function axis_of<double>(operation op) {
    return axis_of_type<double>::any(op);
}

}  // namespace lookback::table
