#include "segments_window-inl.hpp"

namespace lookback::on_gpu {

template struct segments_window<double>;

}  // namespace lookback::on_gpu
