#include "compaction_window-inl.hpp"
#include "segments_window-inl.hpp"

namespace lookback::on_gpu {

template struct compaction_window<std::uint32_t>;
template struct segments_window<std::uint32_t>;

}  // namespace lookback::on_gpu
