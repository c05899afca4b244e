/// \file
/// The machine that kernels run on when they are on trial: the simulated GPU. Like the library's,
/// it is three headers, this one, machine_memory.hpp and machine_copies.hpp. The library's header
/// of the same name says what each function does for a kernel; docs/trial.md says how it is
/// simulated.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simulator/api.hpp"

namespace lookback::detail::device {

inline constexpr int warp_lanes = 32;
inline constexpr unsigned all_lanes = 0xffffffffU;
inline constexpr int multiprocessor_threads = 1536;
inline constexpr bool for_hopper = true;

// ---- where a thread stands

inline int thread_in_block() { return static_cast<int>(trial::here->thread); }
inline int lane() { return thread_in_block() % warp_lanes; }
inline int warp() { return thread_in_block() / warp_lanes; }
inline unsigned block_in_grid() { return trial::here->block; }
inline unsigned blocks_in_grid() { return trial::here->blocks; }
inline std::uint64_t thread_in_grid() {
    return std::uint64_t{trial::here->block} * trial::here->threads + trial::here->thread;
}
inline std::uint64_t threads_in_grid() {
    return std::uint64_t{trial::here->blocks} * trial::here->threads;
}
inline bool in_rows_of_whole_warps() { return trial::here->threads % warp_lanes == 0; }

// ---- shared memory

template <class T>
inline constexpr char type_of_object = 0;
template <class T>
T& shared_memory() {
    return *static_cast<T*>(trial::shared_object(&type_of_object<T>, sizeof(T), alignof(T)));
}
inline unsigned char* dynamic_shared_memory() {
    return static_cast<unsigned char*>(trial::dynamic_shared());
}

// ---- between the lanes of a warp

inline std::uint32_t shuffle_up(std::uint32_t word, int distance) {
    return trial::exchange_words(trial::exchange_kind::up, word, distance);
}
inline std::uint32_t shuffle_down(std::uint32_t word, int distance) {
    return trial::exchange_words(trial::exchange_kind::down, word, distance);
}
inline std::uint32_t shuffle_xor(std::uint32_t word, int distance) {
    return trial::exchange_words(trial::exchange_kind::across, word, distance);
}
inline std::uint32_t shuffle(std::uint32_t word, int source) {
    return trial::exchange_words(trial::exchange_kind::from, word, source);
}
inline std::uint32_t plus_lane_below(std::uint32_t word, int distance) {
    const std::uint32_t below = shuffle_up(word, distance);
    return lane() >= distance ? word + below : word;
}
inline std::uint32_t sum_of_lanes(std::uint32_t word) {
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
        word += shuffle_xor(word, distance);
    }
    return word;
}
inline bool in_all_lanes(bool x) {
    return trial::exchange_words(trial::exchange_kind::all, x ? 1 : 0, 0) != 0;
}
inline unsigned ballot(bool x) {
    return trial::exchange_words(trial::exchange_kind::ballot, x ? 1 : 0, 0);
}
inline unsigned lanes_agreeing(std::uint32_t word, std::uint32_t bit) {
    const bool one = (word & bit) != 0;
    const unsigned ones = ballot(one);
    return one ? ones : ~ones;
}
inline unsigned common_bits(unsigned a, unsigned b, unsigned c) { return a & b & c; }
inline unsigned lane_mask_lt() { return (1U << lane()) - 1; }
inline unsigned lane_mask_gt() { return ~lane_mask_lt() & ~(1U << lane()); }
inline std::uint32_t count_bits(std::uint64_t x) {
    return static_cast<std::uint32_t>(std::popcount(x));
}
inline unsigned dot4(unsigned a, unsigned b, unsigned sum) {
    for (int i = 0; i < 32; i += 8) sum += (a >> i & 255) * (b >> i & 255);
    return sum;
}
inline unsigned dot2(unsigned a, unsigned b, unsigned sum) {
    return sum + (a & 65535) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}
template <bool is_signed>
using number_of_pair = std::conditional_t<is_signed, std::int16_t, std::uint16_t>;
template <class Number, class Choose>
std::uint32_t choose_in_pairs(std::uint32_t a, std::uint32_t b, const Choose& choose) {
    const auto chosen = [&](int shift) {
        const auto number =
            choose(static_cast<Number>(a >> shift), static_cast<Number>(b >> shift));
        return std::uint32_t{static_cast<std::uint16_t>(number)} << shift;
    };
    return chosen(16) | chosen(0);
}
template <bool is_signed>
std::uint32_t least_pairs(std::uint32_t a, std::uint32_t b) {
    return choose_in_pairs<number_of_pair<is_signed>>(a, b, std::ranges::min);
}
template <bool is_signed>
std::uint32_t greatest_pairs(std::uint32_t a, std::uint32_t b) {
    return choose_in_pairs<number_of_pair<is_signed>>(a, b, std::ranges::max);
}
inline std::uint32_t pick_bytes_or_signs(std::uint32_t low, std::uint32_t high,
                                         std::uint32_t which) {
    const std::uint64_t both = std::uint64_t{high} << 32 | low;
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t digit = which >> 4 * i & 15;
        const auto byte = static_cast<std::uint32_t>(both >> digit % 8 * 8 & 255);
        const std::uint32_t signs = byte >= 128 ? 255 : 0;
        word |= (digit < 8 ? byte : signs) << 8 * i;
    }
    return word;
}
inline std::uint32_t pick_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t which) {
    return pick_bytes_or_signs(low, high, which & 0x7777);
}
inline std::uint32_t word_between(std::uint32_t low, std::uint32_t high, unsigned bytes) {
    return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> (8 * bytes));
}
inline int lowest_bit(unsigned x) { return std::countr_zero(x); }
inline int highest_lane(unsigned lanes) { return 31 - std::countl_zero(lanes); }
inline std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int highest_bit(std::uint64_t x) { return x == 0 ? 0 : 63 - std::countl_zero(x); }
inline void sync_warp() { trial::meet_warp(); }

// ---- between the threads of a block

inline void sync_block() { trial::meet_block(trial::meeting_kind::plain, false); }
inline int sync_block_count(bool x) { return trial::meet_block(trial::meeting_kind::count, x); }
inline bool sync_block_or(bool x) { return trial::meet_block(trial::meeting_kind::any, x) != 0; }
inline bool sync_block_and(bool x) { return trial::meet_block(trial::meeting_kind::all, x) != 0; }
inline void set_to_lowest(std::uint32_t* at, std::uint32_t value) {
    trial::atomic_update(at, 4, trial::update::lowest, value, 0);
}
inline std::uint32_t fetch_add_in_block(std::uint32_t* at, std::uint32_t value) {
    return static_cast<std::uint32_t>(trial::atomic_update(at, 4, trial::update::add, value, 0));
}
inline void add_in_block(std::uint32_t* at, std::uint32_t value) {
    trial::atomic_update(at, 4, trial::update::add, value, 0);
}
inline void set_flag(std::uint8_t* at) {
    trial::atomic_store(at, 1, {1, 0}, trial::order::relaxed);
}
template <int barrier, int threads>
void sync_threads() {
    trial::meet_threads(barrier, threads);
}

// ---- between the blocks of a cluster

inline unsigned block_in_cluster() { return trial::block_in_cluster(); }
inline unsigned blocks_in_cluster() { return trial::blocks_in_cluster(); }
inline void arrive_in_cluster() { trial::arrive_in_cluster(); }
inline void wait_for_cluster() { trial::wait_for_cluster(); }

// ---- between the kernels of a stream

inline void wait_for_previous_kernel() { trial::wait_for_launch_before(); }

// ---- instructions that the compiler would choose otherwise

inline void store_global16(void* at, const uint4& v) { *static_cast<uint4*>(at) = v; }
inline std::uint32_t same_word(std::uint32_t word) { return word; }
inline int anew(int number) { return number; }
template <class T>
T multiply_rounded(T a, T b) {
    return a * b;
}
inline long long cycles() { return static_cast<long long>(trial::clock_cycles()); }

}  // namespace lookback::detail::device
