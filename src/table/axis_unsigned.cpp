#include "table/axis_of_type.hpp"

namespace lookback::table {

template <>
axis_function axis_of<std::uint8_t>(operation op) {
    return axis_of_type<std::uint8_t>::any(op);
}
template <>
axis_function axis_of<std::uint16_t>(operation op) {
    return axis_of_type<std::uint16_t>::any(op);
}
template <>
axis_function axis_of<std::uint32_t>(operation op) {
    return axis_of_type<std::uint32_t>::any(op);
}
template <>
axis_function axis_of<std::uint64_t>(operation op) {
    return axis_of_type<std::uint64_t>::any(op);
}

}  // namespace lookback::table
