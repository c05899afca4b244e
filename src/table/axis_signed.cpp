#include "table/axis_of_type.hpp"

namespace lookback::table {

template <>
axis_function axis_of<std::int8_t>(operation op) {
    return axis_of_type<std::int8_t>::ordered(op);
}
template <>
axis_function axis_of<std::int16_t>(operation op) {
    return axis_of_type<std::int16_t>::ordered(op);
}
template <>
axis_function axis_of<std::int32_t>(operation op) {
    return axis_of_type<std::int32_t>::ordered(op);
}
template <>
axis_function axis_of<std::int64_t>(operation op) {
    return axis_of_type<std::int64_t>::ordered(op);
}

}  // namespace lookback::table
