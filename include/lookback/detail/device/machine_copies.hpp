/// \file
/// The machine's asynchronous copies between global and shared memory, and the barriers in shared
/// memory that count what has arrived. The rest of the machine is in machine.hpp and
/// machine_memory.hpp.
///
/// Bulk copies and these barriers exist from compute capability 9.0 on. The copies of copy_later
/// exist from 8.0 on; before, the thread itself copies.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

namespace lookback::detail::device {

__device__ inline std::uint32_t shared_address(const void* p) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// A barrier in shared memory with phases. Each phase completes after `arrivals` arrivals and after
/// all the bytes announced for it have arrived.
class phase_barrier {
 public:
    __device__ void init(int arrivals) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&state_)),
                     "r"(arrivals)
                     : "memory");
    }
    __device__ void arrive() {
        asm volatile(
            "mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(&state_))
            : "memory");
    }
    /// Announces `bytes` bytes of bulk copies for this phase. It does not arrive: the thread must
    /// still do so.
    __device__ void expect(std::uint32_t bytes) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(
                         shared_address(&state_)),
                     "r"(bytes)
                     : "memory");
    }
    /// Waits for the phase with this number, counted from 0, to complete. The phase before it must
    /// have completed already, and the phase after it must not: the hardware knows only a phase's
    /// parity.
    __device__ void wait(std::uint32_t phase) {
        asm volatile(
            "{ .reg .pred done;\n"
            "again: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1;\n"
            "@!done bra again; }" ::"r"(shared_address(&state_)),
            "r"(phase & 1)
            : "memory");
    }
    /// Whether that phase has completed, without waiting. The same conditions hold as for `wait`.
    __device__ bool has_passed(std::uint32_t phase) {
        std::uint32_t done;
        asm volatile(
            "{ .reg .pred done;\n"
            "mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 done, [%1], %2;\n"
            "selp.u32 %0, 1, 0, done; }"
            : "=r"(done)
            : "r"(shared_address(&state_)), "r"(phase & 1)
            : "memory");
        return done != 0;
    }
    /// The same as `wait`, for a phase that is completed by data from other blocks of the cluster.
    __device__ void wait_for_others(std::uint32_t phase) {
        asm volatile(
            "{ .reg .pred done;\n"
            "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
            "@!done bra again; }" ::"r"(shared_address(&state_)),
            "r"(phase & 1)
            : "memory");
    }
    /// Arrives once all copies that this thread has started by copy_later have landed.
    __device__ void arrive_after_copies() {
        asm volatile(
            "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(&state_))
            : "memory");
    }
    __device__ std::uint64_t* raw() { return &state_; }

 private:
    std::uint64_t state_;
};

/// Starts writing `value`, of 4, 8 or 16 bytes, to the block of this cluster with number `block`,
/// which may be this block: to the place in its shared memory where this block has `mine`. The
/// receiver's barrier, at the place where this block has `there`, counts the bytes. The receiving
/// block must have begun, and must not end before the bytes have arrived. The cluster must have at
/// least two blocks.
template <class T>
__device__ void send_to_block(T* mine, unsigned block, const T& value, phase_barrier& there) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
    std::uint32_t word[4] = {};
    std::memcpy(word, &value, sizeof(T));
    std::uint32_t to, on;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared_address(mine)), "r"(block));
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(on)
        : "r"(shared_address(there.raw())), "r"(block));
    if constexpr (sizeof(T) == 4) {
        asm volatile(
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
                to),
            "r"(word[0]), "r"(on)
            : "memory");
    } else if constexpr (sizeof(T) == 8) {
        asm volatile(
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, "
            "[%3];" ::"r"(to),
            "r"(word[0]), "r"(word[1]), "r"(on)
            : "memory");
    } else {
        asm volatile(
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, "
            "%4}, [%5];" ::"r"(to),
            "r"(word[0]), "r"(word[1]), "r"(word[2]), "r"(word[3]), "r"(on)
            : "memory");
    }
}

/// Makes initialised barriers visible to bulk copies. A barrier of the block must follow.
__device__ inline void publish_barriers() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Starts copying 4, 8 or 16 bytes from global to shared memory. Both addresses are multiples of
/// that size.
template <int bytes>
__device__ void copy_later(void* to, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    memcpy(__builtin_assume_aligned(to, bytes), __builtin_assume_aligned(from, bytes), bytes);
#else
    if constexpr (bytes == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)),
                     "l"(from)
                     : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(to)),
                     "l"(from), "n"(bytes)
                     : "memory");
    }
#endif
}

/// Starts copying the first `used` bytes, 1 to 4, of an aligned word of 4 bytes to a word of shared
/// memory.
__device__ inline void copy_word_later(void* to, const void* from, int used) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    memcpy(to, from, used);
#else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(to)),
                 "l"(from), "r"(used)
                 : "memory");
#endif
}

/// Waits until all copies that this thread has started by copy_later have landed.
__device__ inline void wait_copies() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Starts copying `bytes` bytes from global to shared memory; `done` counts them. Both addresses
/// and the size are multiples of 16.
__device__ inline void bulk_load(void* to, const void* from, std::uint32_t bytes,
                                 phase_barrier& done) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(done.raw()))
        : "memory");
}

/// Starts copying `bytes` bytes from shared to global memory, as a group of its own. Both addresses
/// and the size are multiples of 16.
__device__ inline void bulk_store(void* to, const void* from, std::uint32_t bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Waits until the copies of all of this thread's groups have read their shared memory.
__device__ inline void wait_bulk_stores_read() {
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
/// Waits until the copies of all of this thread's groups have written their global memory.
__device__ inline void wait_bulk_stores() {
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
/// Makes this thread's ordinary writes to shared memory visible to bulk copies that are started
/// after a barrier. (GPUs before compute capability 9.0 have no bulk copies.)
__device__ inline void show_to_bulk_copies() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

}  // namespace lookback::detail::device
