#include "table/keeping_of_type.hpp"

namespace lookback::table {

template <>
const keeping& typed_keeping<std::uint8_t>() {
    return keeping_of_type<std::uint8_t>::all;
}
template <>
const keeping& typed_keeping<std::uint16_t>() {
    return keeping_of_type<std::uint16_t>::all;
}
template <>
const keeping& typed_keeping<std::uint32_t>() {
    return keeping_of_type<std::uint32_t>::all;
}
template <>
const keeping& typed_keeping<std::uint64_t>() {
    return keeping_of_type<std::uint64_t>::all;
}

}  // namespace lookback::table
