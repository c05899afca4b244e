/// \file
/// Three macros. LOOKBACK_GPU: whether the code is compiled for GPUs, by nvcc or for the simulated
/// GPU. LOOKBACK_HD marks a function that runs on the host and on the device. LOOKBACK_CALLS_ANY
/// stands before a template that runs where the functions that it calls run: on the host, on the
/// device, or on both.
#pragma once

#ifndef LOOKBACK_GPU
#ifdef __CUDACC__
#define LOOKBACK_GPU 1
#else
#define LOOKBACK_GPU 0
#endif
#endif

#ifdef __CUDACC__
#define LOOKBACK_HD __host__ __device__
#define LOOKBACK_CALLS_ANY _Pragma("nv_exec_check_disable")
#else
#define LOOKBACK_HD
#define LOOKBACK_CALLS_ANY
#endif
