/// \file
/// The simulated GPU's memory that blocks share, in the place of the library's header of this name.
#pragma once

#include <cstdint>

#include "simulator/api.hpp"

namespace lookback::detail::device {

struct alignas(16) word16 {
    std::uint64_t low, high;
};
inline void store_relaxed(std::uint64_t* at, std::uint64_t word) {
    trial::atomic_store(at, 8, {word, 0}, trial::order::relaxed);
}
inline std::uint64_t load_relaxed(const std::uint64_t* at) {
    return trial::atomic_load(at, 8, trial::order::relaxed).low;
}
inline void store_relaxed(std::uint32_t* at, std::uint32_t word) {
    trial::atomic_store(at, 4, {word, 0}, trial::order::relaxed);
}
inline void store_relaxed(std::uint8_t* at, std::uint8_t value) {
    trial::atomic_store(at, 1, {value, 0}, trial::order::relaxed);
}
inline void store_relaxed(word16* at, word16 word) {
    trial::atomic_store(at, 16, {word.low, word.high}, trial::order::relaxed);
}
inline word16 load_relaxed(const word16* at) {
    const trial::atomic_word word = trial::atomic_load(at, 16, trial::order::relaxed);
    return {word.low, word.high};
}
inline std::uint64_t load_settled(const std::uint64_t* at) { return load_relaxed(at); }
inline std::uint64_t load_relaxed_if(bool wanted, const std::uint64_t* at, std::uint64_t instead) {
    return wanted ? load_relaxed(at) : instead;
}
inline word16 load_relaxed_if(bool wanted, const word16* at, word16 instead) {
    return wanted ? load_relaxed(at) : instead;
}
inline void store_release(std::uint32_t* at, std::uint32_t word) {
    trial::atomic_store(at, 4, {word, 0}, trial::order::synchronises);
}
inline std::uint32_t load_acquire(const std::uint32_t* at) {
    return static_cast<std::uint32_t>(trial::atomic_load(at, 4, trial::order::synchronises).low);
}
inline void fence() { trial::fence_all(); }
inline std::uint64_t fetch_add(std::uint64_t* at, std::uint64_t value) {
    return trial::atomic_update(at, 8, trial::update::add, value, 0);
}
inline std::uint32_t fetch_add(std::uint32_t* at, std::uint32_t value) {
    return static_cast<std::uint32_t>(trial::atomic_update(at, 4, trial::update::add, value, 0));
}
inline std::uint64_t compare_exchange(std::uint64_t* at, std::uint64_t expected,
                                      std::uint64_t value) {
    return trial::atomic_update(at, 8, trial::update::exchange_if, value, expected);
}
inline void add(std::uint64_t* at, std::uint64_t value) {
    trial::atomic_update(at, 8, trial::update::add, value, 0);
}
inline void add(std::uint32_t* at, std::uint32_t value) {
    trial::atomic_update(at, 4, trial::update::add, value, 0);
}
struct racing_reads {
    racing_reads() { trial::speculate(true); }
    ~racing_reads() { trial::speculate(false); }
};
inline std::uint64_t launch_number() { return trial::number_of_launch(); }

}  // namespace lookback::detail::device
