/// \file
/// What the machine's functions, which kernels call, ask of the simulation. Each of these functions
/// takes its return address, and so knows the place in the kernel that called it. Reports name that
/// place, and experiments that weaken one operation (weakening.hpp) choose it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/gpu.hpp"

namespace lookback::trial {

// ---- warps and blocks
enum class exchange_kind { up, down, across, from, all, ballot };
std::uint32_t exchange_words(exchange_kind kind, std::uint32_t word, int argument);
void meet_warp();
enum class meeting_kind { plain, count, any, all };
int meet_block(meeting_kind kind, bool x);
void meet_threads(int barrier, int threads);
/// The block's object that belongs to `type`.
void* shared_object(const void* type, std::size_t bytes, std::size_t alignment);
void* dynamic_shared();

// ---- clusters
unsigned block_in_cluster();
unsigned blocks_in_cluster();
void send_to_block(void* mine, unsigned block, const void* value, std::size_t bytes, void* there);
void arrive_in_cluster();
void wait_for_cluster();

// ---- kernels
void wait_for_launch_before();
std::uint64_t number_of_launch();
std::uint64_t clock_cycles();
/// Between speculate(true) and speculate(false), this thread reads what others may overwrite, and
/// drops what was overwritten.
void speculate(bool yes);

// ---- atomic operations
struct atomic_word {
    std::uint64_t low = 0, high = 0;
};
enum class order { relaxed, synchronises };
atomic_word atomic_load(const void* at, std::size_t bytes, order o);
void atomic_store(void* at, std::size_t bytes, atomic_word word, order o);
enum class update { add, lowest, exchange_if };
std::uint64_t atomic_update(void* at, std::size_t bytes, update how, std::uint64_t value,
                            std::uint64_t expected);
void fence_all();

// ---- barriers with phases, and copies
void phase_init(void* at, int arrivals);
void phase_arrive(void* at);
void phase_expect(void* at, std::uint32_t bytes);
void phase_wait(void* at, std::uint32_t phase);
bool phase_has_passed(void* at, std::uint32_t phase);
void phase_arrive_after_copies(void* at);
void publish_phases();
/// Copies the first `bytes` bytes of a word of `word` bytes.
void copy_small(void* to, const void* from, std::size_t bytes, std::size_t word);
void copy_in(void* to, const void* from, std::size_t bytes, void* phase);
void copy_out(void* to, const void* from, std::size_t bytes);
void wait_for_small_copies();
void wait_for_copies(bool until_written);
void show_writes();

}  // namespace lookback::trial
