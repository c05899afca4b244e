#include "segments_window-inl.hpp"

namespace lookback::on_gpu {

template struct segments_window<float>;

}  // namespace lookback::on_gpu
