// The sorts that several tests check, compiled once.
#include "support/sorting.hpp"

namespace lookback::test {

template struct sort_checks<std::uint8_t>;
template struct sort_checks<std::int8_t>;
template struct sort_checks<std::uint16_t>;
template struct sort_checks<std::int16_t>;
template struct sort_checks<std::uint32_t>;
template struct sort_checks<std::int32_t>;
template struct sort_checks<std::uint64_t>;
template struct sort_checks<std::int64_t>;
template struct sort_checks<detail::int128>;
template struct sort_checks<float>;
template struct sort_checks<double>;
#ifdef __FLT16_MANT_DIG__
template struct sort_checks<_Float16>;
#endif

}  // namespace lookback::test
