/// \file
/// The simulated GPU's asynchronous copies, and the barriers that count what has arrived, in the
/// place of the library's header of this name.
#pragma once

#include <cstdint>

#include "simulator/api.hpp"

namespace lookback::detail::device {

class phase_barrier {
 public:
    void init(int arrivals) { trial::phase_init(&state_, arrivals); }
    void arrive() { trial::phase_arrive(&state_); }
    void expect(std::uint32_t bytes) { trial::phase_expect(&state_, bytes); }
    void wait(std::uint32_t phase) { trial::phase_wait(&state_, phase); }
    bool has_passed(std::uint32_t phase) { return trial::phase_has_passed(&state_, phase); }
    void wait_for_others(std::uint32_t phase) { trial::phase_wait(&state_, phase); }
    void arrive_after_copies() { trial::phase_arrive_after_copies(&state_); }
    std::uint64_t* raw() { return &state_; }

 private:
    std::uint64_t state_;
};
template <class T>
void send_to_block(T* mine, unsigned block, const T& value, phase_barrier& there) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
    const T sent = value;
    trial::send_to_block(mine, block, &sent, sizeof(T), there.raw());
}
inline void publish_barriers() { trial::publish_phases(); }
template <int bytes>
void copy_later(void* to, const void* from) {
    trial::copy_small(to, from, bytes, bytes);
}
inline void copy_word_later(void* to, const void* from, int used) {
    trial::copy_small(to, from, static_cast<std::size_t>(used), 4);
}
inline void wait_copies() { trial::wait_for_small_copies(); }
inline void bulk_load(void* to, const void* from, std::uint32_t bytes, phase_barrier& done) {
    trial::copy_in(to, from, bytes, done.raw());
}
inline void bulk_store(void* to, const void* from, std::uint32_t bytes) {
    trial::copy_out(to, from, bytes);
}
inline void wait_bulk_stores_read() { trial::wait_for_copies(false); }
inline void wait_bulk_stores() { trial::wait_for_copies(true); }
inline void show_to_bulk_copies() { trial::show_writes(); }

}  // namespace lookback::detail::device
