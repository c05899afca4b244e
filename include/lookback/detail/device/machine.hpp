/// \file
/// The machine: all that a kernel may ask of a GPU. It is three headers: this one,
/// machine_memory.hpp (memory that blocks share) and machine_copies.hpp (asynchronous copies and
/// their barriers). They give every instruction that has no name in C++ a function named after what
/// it does. No other kernel code in the library contains assembly or compiler intrinsics, or finds
/// out in another way which thread it is. So the kernels run wherever headers of these names have
/// these functions: a simulated GPU that tries to break the kernels has its own (docs/trial.md).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace lookback::detail::device {

inline constexpr int warp_lanes = 32;
inline constexpr unsigned all_lanes = 0xffffffffU;
/// Threads that each multiprocessor has room for, on every GPU that the code is compiled for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int multiprocessor_threads = 1024;
#else
inline constexpr int multiprocessor_threads = 1536;
#endif
/// Whether code is compiled for GPUs whose multiprocessors have as much shared memory, and room for
/// as many threads, as those of a Hopper.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1100)
inline constexpr bool for_hopper = false;
#else
inline constexpr bool for_hopper = true;
#endif

// ---- where a thread stands, in blocks and grids of one dimension

__device__ inline int thread_in_block() { return static_cast<int>(threadIdx.x); }
__device__ inline int lane() { return static_cast<int>(threadIdx.x % warp_lanes); }
__device__ inline int warp() { return static_cast<int>(threadIdx.x / warp_lanes); }
__device__ inline unsigned block_in_grid() { return blockIdx.x; }
__device__ inline unsigned blocks_in_grid() { return gridDim.x; }
__device__ inline std::uint64_t thread_in_grid() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ inline std::uint64_t threads_in_grid() { return std::uint64_t{gridDim.x} * blockDim.x; }
/// Whether block and grid have one dimension, and the block consists of whole warps.
__device__ inline bool in_rows_of_whole_warps() {
    return gridDim.y * gridDim.z * blockDim.y * blockDim.z == 1 && blockDim.x % warp_lanes == 0;
}

// ---- shared memory

/// The block's object of type T in static shared memory. It is uninitialised; each type has one.
template <class T>
__device__ T& shared_memory() {
    __shared__ alignas(alignof(T)) unsigned char bytes[sizeof(T)];
    return reinterpret_cast<T&>(bytes);
}
/// The dynamic shared memory of the launch.
__device__ inline unsigned char* dynamic_shared_memory() {
    extern __shared__ __align__(128) unsigned char lookback_dynamic_shared_memory[];
    return lookback_dynamic_shared_memory;
}

// ---- between the lanes of a warp

/// Each returns the word of another lane: of the lane `distance` below (shuffle_up) or above
/// (shuffle_down), or this lane's own word where there is no such lane; of the lane whose number
/// differs in the bit `distance` (shuffle_xor); of the lane `source` (shuffle).
__device__ inline std::uint32_t shuffle_up(std::uint32_t word, int distance) {
    return __shfl_up_sync(all_lanes, word, distance);
}
__device__ inline std::uint32_t shuffle_down(std::uint32_t word, int distance) {
    return __shfl_down_sync(all_lanes, word, distance);
}
__device__ inline std::uint32_t shuffle_xor(std::uint32_t word, int distance) {
    return __shfl_xor_sync(all_lanes, word, distance);
}
__device__ inline std::uint32_t shuffle(std::uint32_t word, int source) {
    return __shfl_sync(all_lanes, word, source);
}
/// `word` + the word of the lane `distance` below, or `word` where there is no such lane. By two
/// instructions, not three.
__device__ inline std::uint32_t plus_lane_below(std::uint32_t word, int distance) {
    std::uint32_t sum = word;
    asm volatile(
        "{ .reg .pred is_there;\n"
        ".reg .b32 below;\n"
        "shfl.sync.up.b32 below|is_there, %0, %1, 0, 0xffffffff;\n"
        "@is_there add.u32 %0, %0, below; }"
        : "+r"(sum)
        : "r"(distance));
    return sum;
}
/// The sum of all lanes' words.
__device__ inline std::uint32_t sum_of_lanes(std::uint32_t word) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
        word += shuffle_xor(word, distance);
    }
    return word;
#else
    return __reduce_add_sync(all_lanes, word);
#endif
}
__device__ inline bool in_all_lanes(bool x) { return __all_sync(all_lanes, x) != 0; }
/// The lanes where `x` holds, one bit for each.
__device__ inline unsigned ballot(bool x) { return __ballot_sync(all_lanes, x); }
/// The lanes below this one, and those above it, one bit for each. They are right in blocks of any
/// shape.
__device__ inline unsigned lane_mask_lt() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}
__device__ inline unsigned lane_mask_gt() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(mask));
    return mask;
}
/// Returns -1 in a way that the compiler cannot see. `minus_one() * x - 1`, which equals `~x`, then
/// compiles to a multiplication, and the multipliers are idle while the units for bits are busy.
__device__ inline std::uint32_t minus_one() {
    unsigned others;
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(others));
    return lane_mask_lt() | others;
}
/// The lanes whose word agrees with this lane's word in `bit`, a word with one bit set. It is a
/// ballot in as few instructions as possible, of which few use the units for bits.
__device__ inline unsigned lanes_agreeing(std::uint32_t word, std::uint32_t bit) {
    unsigned lanes;
    asm volatile(
        "{ .reg .pred one; .reg .b32 masked; and.b32 masked, %1, %2; setp.ne.u32 one, masked, 0;\n"
        "vote.sync.ballot.b32 %0, one, 0xffffffff; @!one mad.lo.u32 %0, %0, %3, %3; }"
        : "=&r"(lanes)
        : "r"(word), "r"(bit), "r"(minus_one()));
    return lanes;
}
/// The bits that are set in all three words, by one instruction.
__device__ inline unsigned common_bits(unsigned a, unsigned b, unsigned c) {
    unsigned bits;
    asm("lop3.b32 %0, %1, %2, %3, 0x80;" : "=r"(bits) : "r"(a), "r"(b), "r"(c));
    return bits;
}
__device__ inline std::uint32_t count_bits(std::uint64_t x) {
    return static_cast<std::uint32_t>(__popcll(x));
}
/// `sum` plus the products of the four pairs of bytes of `a` and `b`.
__device__ inline unsigned dot4(unsigned a, unsigned b, unsigned sum) { return __dp4a(a, b, sum); }
/// `sum` plus the products of the lower half of `a` and the lowest byte of `b`, and of the upper
/// half of `a` and the next byte of `b`.
__device__ inline unsigned dot2(unsigned a, unsigned b, unsigned sum) {
    return __dp2a_lo(a, b, sum);
}
/// Of the two numbers of 16 bits in `a`, and those in `b`, the smaller one of each place.
template <bool is_signed>
__device__ std::uint32_t least_pairs(std::uint32_t a, std::uint32_t b) {
    return is_signed ? __vmins2(a, b) : __vminu2(a, b);
}
/// The same, the larger ones.
template <bool is_signed>
__device__ std::uint32_t greatest_pairs(std::uint32_t a, std::uint32_t b) {
    return is_signed ? __vmaxs2(a, b) : __vmaxu2(a, b);
}
/// Byte i of the result is the byte whose number, from 0 for the lowest of `low` to 7 for the
/// highest of `high`, is the hexadecimal digit i of `which`, from the lowest.
__device__ inline std::uint32_t pick_bytes(std::uint32_t low, std::uint32_t high,
                                           std::uint32_t which) {
    return __byte_perm(low, high, which);
}
/// The same, but a digit may be 8 larger: then all bits of byte i are the sign of that byte.
__device__ inline std::uint32_t pick_bytes_or_signs(std::uint32_t low, std::uint32_t high,
                                                    std::uint32_t which) {
    std::uint32_t word;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(word) : "r"(low), "r"(high), "r"(which));
    return word;
}
/// The four bytes that begin `bytes` bytes (at most 4) into the eight bytes of `low` and then
/// `high`.
__device__ inline std::uint32_t word_between(std::uint32_t low, std::uint32_t high,
                                             unsigned bytes) {
    return pick_bytes(low, high, 0x3210U + 0x1111U * bytes);
}
/// The number of the lowest bit that is set. At least one bit must be set.
__device__ inline int lowest_bit(unsigned x) { return __ffs(static_cast<int>(x)) - 1; }
/// The highest of these lanes. There must be at least one.
__device__ inline int highest_lane(unsigned lanes) { return 31 - __clz(static_cast<int>(lanes)); }
/// The rounded product: the compiler does not fuse it with an addition.
__device__ inline float multiply_rounded(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double multiply_rounded(double a, double b) { return __dmul_rn(a, b); }
/// The upper 64 bits of a product.
__device__ inline std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
    return __umul64hi(a, b);
}
/// The number of the highest bit that is set, 0 if none is set.
__device__ inline int highest_bit(std::uint64_t x) {
    return x == 0 ? 0 : 63 - __clzll(static_cast<long long>(x));
}
__device__ inline void sync_warp() { __syncwarp(); }

// ---- between the threads of a block

__device__ inline void sync_block() { __syncthreads(); }
/// Barriers of the block that also return for how many threads `x` holds, whether it holds for any,
/// and whether it holds for all.
__device__ inline int sync_block_count(bool x) { return __syncthreads_count(x); }
__device__ inline bool sync_block_or(bool x) { return __syncthreads_or(x) != 0; }
__device__ inline bool sync_block_and(bool x) { return __syncthreads_and(x) != 0; }

/// Atomically lowers a word in shared memory to `value`, unless it is lower already. Orders nothing
/// else.
__device__ inline void set_to_lowest(std::uint32_t* at, std::uint32_t value) {
    atomicMin_block(at, value);
}

/// Atomically adds to a word in shared memory, and returns its old value. Orders nothing else.
__device__ inline std::uint32_t fetch_add_in_block(std::uint32_t* at, std::uint32_t value) {
    return atomicAdd_block(at, value);
}
/// The same, without the old value.
__device__ inline void add_in_block(std::uint32_t* at, std::uint32_t value) {
    atomicAdd_block(at, value);
}

/// Sets a byte in shared memory to 1; other threads of the block may do so at the same time. Orders
/// nothing else.
__device__ inline void set_flag(std::uint8_t* at) { *static_cast<volatile std::uint8_t*>(at) = 1; }

/// A barrier of `threads` threads, which are whole warps. There are 15 such barriers, numbered from
/// 1, beside the barrier of the block.
template <int barrier, int threads>
__device__ void sync_threads() {
    asm volatile("bar.sync %0, %1;" ::"n"(barrier), "n"(threads) : "memory");
}

// ---- between the blocks of a cluster (compute capability 9.0 and later)

/// This block's number in its cluster, and the cluster's number of blocks. All blocks of a cluster
/// run at once.
__device__ inline unsigned block_in_cluster() {
    unsigned number;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(number));
    return number;
}
__device__ inline unsigned blocks_in_cluster() {
    unsigned blocks;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    return blocks;
}
/// A barrier of all threads of the cluster, in two halves: each thread arrives, and later waits. A
/// thread that has waited sees every write, to any memory, that the other threads made before they
/// arrived. (machine_copies.hpp has what blocks send to each other, and the barriers that count
/// it.)
__device__ inline void arrive_in_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ inline void wait_for_cluster() {
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// ---- between the kernels of a stream (compute capability 9.0 and later)

/// Kernels are launched so that they may start before the previous kernel of their stream has ended
/// ("programmatic dependent launch"). This function waits until the previous kernel has ended and
/// its results are visible. A kernel must not read or write global memory before it. The next
/// kernel may start only after it, so at most two kernels of a stream are on the device, and
/// waiting for the last kernel is waiting for all of them.
__device__ inline void wait_for_previous_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// ---- instructions that the compiler would choose otherwise

/// Writes 16 bytes to global memory by one instruction. The compiler may make four stores of an
/// assignment, and then a warp writes four times as many sectors.
__device__ inline void store_global16(void* at, const uint4& v) {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(at)),
                 "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                 : "memory");
}

/// Returns `word` in a way that hides from the compiler how it was computed.
__device__ inline std::uint32_t same_word(std::uint32_t word) {
    asm("" : "+r"(word));
    return word;
}

/// Returns `number`, and hides from the compiler that it is the same number. So the compiler
/// computes what depends on it again, and does not keep earlier results in registers.
__device__ inline int anew(int number) {
    asm volatile("" : "+r"(number));
    return number;
}

/// Cycles of this multiprocessor's clock.
__device__ inline long long cycles() { return clock64(); }

}  // namespace lookback::detail::device
