#include "table/folding_of_type.hpp"

namespace lookback::table {

template <>
const folding& typed_folding<std::int8_t>(operation op) {
    return folding_of_type<std::int8_t>::ordered(op);
}
template <>
const folding& typed_folding<std::int16_t>(operation op) {
    return folding_of_type<std::int16_t>::ordered(op);
}
template <>
const folding& typed_folding<std::int32_t>(operation op) {
    return folding_of_type<std::int32_t>::ordered(op);
}
template <>
const folding& typed_folding<std::int64_t>(operation op) {
    return folding_of_type<std::int64_t>::ordered(op);
}

}  // namespace lookback::table
