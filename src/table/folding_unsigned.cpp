#include "table/folding_of_type.hpp"

namespace lookback::table {

template <>
const folding& typed_folding<std::uint8_t>(operation op) {
    return folding_of_type<std::uint8_t>::any(op);
}
template <>
const folding& typed_folding<std::uint16_t>(operation op) {
    return folding_of_type<std::uint16_t>::any(op);
}
template <>
const folding& typed_folding<std::uint32_t>(operation op) {
    return folding_of_type<std::uint32_t>::any(op);
}
template <>
const folding& typed_folding<std::uint64_t>(operation op) {
    return folding_of_type<std::uint64_t>::any(op);
}

}  // namespace lookback::table
