/// \file
/// The ceiling of every scan: a copy that reads each byte once and writes each byte once.
#pragma once

#include <cstddef>

namespace lookback::bench {

/// Copies on all threads, with stores that neither read the output first nor fill the caches.
void nontemporal_copy_all_threads(const void* in, void* out, std::size_t bytes);

}  // namespace lookback::bench
