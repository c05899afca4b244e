#include "table/compaction_of_type.hpp"

namespace lookback::table {

template <>
const compaction& typed_compaction<std::uint8_t>() {
    return compaction_of_type<std::uint8_t>::all;
}
template <>
const compaction& typed_compaction<std::uint16_t>() {
    return compaction_of_type<std::uint16_t>::all;
}
template <>
const compaction& typed_compaction<std::uint32_t>() {
    return compaction_of_type<std::uint32_t>::all;
}
template <>
const compaction& typed_compaction<std::uint64_t>() {
    return compaction_of_type<std::uint64_t>::all;
}

}  // namespace lookback::table
