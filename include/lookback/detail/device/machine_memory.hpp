/// \file
/// The machine's memory that blocks share: words in global memory that several blocks read and
/// write while a kernel runs, the order of these accesses, and the number that tells one launch
/// from another. The rest of the machine is in machine.hpp and machine_copies.hpp.
///
/// All of these operations have the scope of the device (`.gpu`).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace lookback::detail::device {

/// Loads and stores of a whole word, of 1 to 16 bytes, that all blocks see. They order nothing
/// else.
__device__ inline void store_relaxed(std::uint64_t* at, std::uint64_t word) {
    asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
}
__device__ inline std::uint64_t load_relaxed(const std::uint64_t* at) {
    std::uint64_t word;
    asm volatile("ld.relaxed.gpu.global.b64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
    return word;
}

/// Reads a word that earlier kernels have written and this one does not: from the L1, if it is
/// there.
__device__ inline std::uint64_t load_settled(const std::uint64_t* at) { return *at; }
__device__ inline void store_relaxed(std::uint32_t* at, std::uint32_t word) {
    asm volatile("st.relaxed.gpu.global.b32 [%0], %1;" ::"l"(at), "r"(word) : "memory");
}
__device__ inline void store_relaxed(std::uint8_t* at, std::uint8_t value) {
    asm volatile("st.relaxed.gpu.global.b8 [%0], %1;" ::"l"(at), "r"(std::uint32_t{value})
                 : "memory");
}

struct alignas(16) word16 {
    std::uint64_t low, high;
};
__device__ inline void store_relaxed(word16* at, word16 word) {
    asm volatile(
        "{ .reg .b128 w; mov.b128 w, {%1, %2}; st.relaxed.gpu.global.b128 [%0], w; }" ::"l"(at),
        "l"(word.low), "l"(word.high)
        : "memory");
}
__device__ inline word16 load_relaxed(const word16* at) {
    word16 word;
    asm volatile("{ .reg .b128 w; ld.relaxed.gpu.global.b128 w, [%2]; mov.b128 {%0, %1}, w; }"
                 : "=l"(word.low), "=l"(word.high)
                 : "l"(at)
                 : "memory");
    return word;
}

/// The word where `wanted`, otherwise `instead`. It has no branch, so that the reads of several
/// words do not wait for each other.
__device__ inline std::uint64_t load_relaxed_if(bool wanted, const std::uint64_t* at,
                                                std::uint64_t instead) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.relaxed.gpu.global.b64 %0, [%1]; }"
                 : "+l"(instead)
                 : "l"(at), "r"(std::uint32_t{wanted})
                 : "memory");
    return instead;
}
__device__ inline word16 load_relaxed_if(bool wanted, const word16* at, word16 instead) {
    asm volatile(
        "{ .reg .pred p; .reg .b128 w; mov.b128 w, {%0, %1}; setp.ne.u32 p, %3, 0;"
        " @p ld.relaxed.gpu.global.b128 w, [%2]; mov.b128 {%0, %1}, w; }"
        : "+l"(instead.low), "+l"(instead.high)
        : "l"(at), "r"(std::uint32_t{wanted})
        : "memory");
    return instead;
}

/// A release store and an acquire load: a thread whose load_acquire returns the value of a
/// store_release sees what the storing thread wrote before that store.
__device__ inline void store_release(std::uint32_t* at, std::uint32_t word) {
    asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(at), "r"(word) : "memory");
}
__device__ inline std::uint32_t load_acquire(const std::uint32_t* at) {
    std::uint32_t word;
    asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
    return word;
}
/// Orders this thread's accesses before the fence ahead of its accesses after it, as all blocks see
/// them: a sequentially consistent fence.
__device__ inline void fence() { __threadfence(); }

/// Atomically adds, and returns the old value. Orders nothing else.
__device__ inline std::uint64_t fetch_add(std::uint64_t* at, std::uint64_t value) {
    std::uint64_t old;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(at), "l"(value)
                 : "memory");
    return old;
}

__device__ inline std::uint32_t fetch_add(std::uint32_t* at, std::uint32_t value) {
    std::uint32_t old;
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(at), "r"(value)
                 : "memory");
    return old;
}
/// Atomically writes `value` if the word equals `expected`, and returns the old value. Orders
/// nothing else.
__device__ inline std::uint64_t compare_exchange(std::uint64_t* at, std::uint64_t expected,
                                                 std::uint64_t value) {
    std::uint64_t old;
    asm volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(old)
                 : "l"(at), "l"(expected), "l"(value)
                 : "memory");
    return old;
}

/// Atomically adds, and does not wait for the result. Orders nothing else.
__device__ inline void add(std::uint64_t* at, std::uint64_t value) {
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}
__device__ inline void add(std::uint32_t* at, std::uint32_t value) {
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

/// While it lives, other threads may overwrite what this thread reads or starts bulk copies of. The
/// thread must not use what it has read before it knows that it was not overwritten, unless it can
/// only be overwritten by the same value.
struct racing_reads {
    __device__ racing_reads() {}
};

/// A number that no other launch of the process has, and that is not 0.
__device__ inline std::uint64_t launch_number() {
    std::uint64_t number;
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(number));
    return number + 1;
}

}  // namespace lookback::detail::device
