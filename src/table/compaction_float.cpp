#include "table/compaction_of_type.hpp"

namespace lookback::table {

template <>
const compaction& typed_compaction<float>() {
    return compaction_of_type<float>::all;
}
template <>
const compaction& typed_compaction<double>() {
    return compaction_of_type<double>::all;
}

}  // namespace lookback::table
