#include "table/keeping_of_type.hpp"

namespace lookback::table {

template <>
const keeping& typed_keeping<float>() {
    return keeping_of_type<float>::all;
}
template <>
const keeping& typed_keeping<double>() {
    return keeping_of_type<double>::all;
}

}  // namespace lookback::table
