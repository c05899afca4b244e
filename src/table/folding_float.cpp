#include "table/folding_of_type.hpp"

namespace lookback::table {

template <>
const folding& typed_folding<float>(operation op) {
    return folding_of_type<float>::any(op);
}
template <>
const folding& typed_folding<double>(operation op) {
    return folding_of_type<double>::any(op);
}

}  // namespace lookback::table
