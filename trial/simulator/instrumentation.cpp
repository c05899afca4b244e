// The functions that g++ calls at each memory access of code compiled with -fsanitize=thread: our
// own runtime in the place of the sanitizer's. Accesses to other memory than the GPU's, such as a
// thread's own variables, are ignored.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "simulator/gpu.hpp"
#include "simulator/names.hpp"

namespace lookback::trial {

namespace {

inline void touch(const void* at, std::size_t bytes, bool writes, const void* return_address) {
    simulated_gpu& g = gpu();
    if (g.current == nullptr || !gpu_memory().holds(at)) return;
    const code_place place = place_of(return_address);
    if (g.current->speculates && !writes) return gpu_memory().check_bounds(at, bytes, place);
    gpu_memory().access(g.by_current(place), at, bytes, {writes});
    g.plain_step();
}

// Accesses of a GPU begin at multiples of their size, of 16 bytes at multiples of 8 at least.
template <std::size_t bytes>
void touch_aligned(const void* at, bool writes, const void* return_address) {
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(at) % (bytes < 8 ? bytes : 8) == 0;
    if (!is_aligned && gpu().current != nullptr && gpu_memory().holds(at)) {
        fail("an access of " + std::to_string(bytes) +
             " bytes does not begin at a multiple of them\n    at " +
             describe(place_of(return_address)));
    }
    touch(at, bytes, writes, return_address);
}

}  // namespace

}  // namespace lookback::trial

using lookback::trial::touch;
using lookback::trial::touch_aligned;

extern "C" {

#define LOOKBACK_ACCESS(bytes)                                        \
    void __tsan_read##bytes(void* at) {                               \
        touch_aligned<bytes>(at, false, __builtin_return_address(0)); \
    }                                                                 \
    void __tsan_write##bytes(void* at) {                              \
        touch_aligned<bytes>(at, true, __builtin_return_address(0));  \
    }                                                                 \
    void __tsan_unaligned_read##bytes(void* at) {                     \
        touch(at, bytes, false, __builtin_return_address(0));         \
    }                                                                 \
    void __tsan_unaligned_write##bytes(void* at) {                    \
        touch(at, bytes, true, __builtin_return_address(0));          \
    }
LOOKBACK_ACCESS(1)
LOOKBACK_ACCESS(2)
LOOKBACK_ACCESS(4)
LOOKBACK_ACCESS(8)
LOOKBACK_ACCESS(16)

void __tsan_read_range(void* at, std::size_t bytes) {
    touch(at, bytes, false, __builtin_return_address(0));
}
void __tsan_write_range(void* at, std::size_t bytes) {
    touch(at, bytes, true, __builtin_return_address(0));
}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_init() {}

// The tests' own atomic operations, on the host.
int __tsan_atomic32_fetch_add(volatile int* at, int value, int) {
    return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}
int __tsan_atomic32_load(const volatile int* at, int) {
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}
void __tsan_atomic32_store(volatile int* at, int value, int) {
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}
long __tsan_atomic64_fetch_add(volatile long* at, long value, int) {
    return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}
long __tsan_atomic64_load(const volatile long* at, int) {
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}
char __tsan_atomic8_load(const volatile char* at, int) {
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

// The memcpy of instrumented code (instrumented.hpp).
void* lookback_trial_memcpy(void* to, const void* from, std::size_t bytes) {
    touch(from, bytes, false, __builtin_return_address(0));
    touch(to, bytes, true, __builtin_return_address(0));
    return std::memcpy(to, from, bytes);
}
}
