/// \file
/// The one macro: marks a function that runs on the host and on the device.
#pragma once

#ifdef __CUDACC__
#define LOOKBACK_HD __host__ __device__
#else
#define LOOKBACK_HD
#endif
