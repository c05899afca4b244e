/// \file
/// The ceiling of every scan: a copy that reads each byte once and writes each byte once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lookback::bench {

/// Copies on all threads, with stores that neither read the output first nor fill the caches.
void nontemporal_copy_all_threads(const void* in, void* out, std::size_t bytes);

/// The same, of items that change their type: the ceiling of what is streamed where results are
/// wider than items. (Memory may take what is written at half the speed of what is read, so a copy
/// of as many bytes is no ceiling for these.)
void nontemporal_convert_all_threads(const std::uint8_t* in, std::int32_t* out, std::size_t items);
void nontemporal_convert_all_threads(const float* in, double* out, std::size_t items);

}  // namespace lookback::bench
