/// \file
/// The library's primitives on one window of numbers, on a GPU, for code that nvcc does not
/// compile. A call copies the window to the GPU, runs one primitive, and copies the results back,
/// which are there when it returns. What goes on from window to window is the caller's to keep.
///
/// All throw std::runtime_error where the GPU has no memory left, or has failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "numbers.hpp"

namespace lookback::on_gpu {

/// The GPU's memory for windows, which grows as calls need it: up to three arrays.
class window_memory {
 public:
    /// On the current device. Throws where this build has no code for it.
    window_memory();
    ~window_memory();
    window_memory(const window_memory&) = delete;
    window_memory& operator=(const window_memory&) = delete;

    struct state;
    state& get() { return *state_; }

 private:
    std::unique_ptr<state> state_;
};

/// Numbers from ends[0] to ends[1], from ends[2] to ends[3], ...: `count` intervals, which rise;
/// and NaN or not.
template <class U>
struct wanted_numbers {
    const U* ends;
    std::size_t count;
    bool has_nan;
    number_kind kind;
};

/// Primitives that keep numbers as they are: they are given by their bits, U is an unsigned
/// integer. There is room for as many results as there are items, of which there is one or more;
/// the functions return how many there are.
template <class U>
struct kept_window {
    static std::size_t select(window_memory& memory, const U* in, std::size_t items, U* out,
                              const wanted_numbers<U>& wanted);
    /// The others to `rest`.
    static std::size_t partition(window_memory& memory, const U* in, std::size_t items, U* out,
                                 U* rest, const wanted_numbers<U>& wanted);
    static std::size_t unique(window_memory& memory, const U* in, std::size_t items, U* out,
                              number_kind kind);
    static std::size_t run_length_encode(window_memory& memory, const U* in, std::size_t items,
                                         U* out, std::int64_t* lengths, number_kind kind);
};

/// Primitives that compute with the numbers of segments. A segment begins wherever `heads` is not
/// 0; the first one may have begun earlier: `carry` is then the fold of what came before. It is
/// brought up to date. T: an unsigned integer, float or double.
template <class T>
struct segments_window {
    /// Scan of each segment, after `seed` where there is one (an exclusive scan needs one), which
    /// is no part of the carry.
    static void scan(window_memory& memory, const T* in, std::size_t items,
                     const std::uint8_t* heads, T* out, operation op, const std::optional<T>& seed,
                     std::optional<T>& carry, bool is_exclusive);

    /// The fold of each segment but the last one, which may go on behind these items: its fold is
    /// the new carry. Returns how many are written; there is room for one more than there are
    /// items.
    static std::size_t reduce(window_memory& memory, const T* in, std::size_t items,
                              const std::uint8_t* heads, T* out, operation op,
                              std::optional<T>& carry);
};

}  // namespace lookback::on_gpu
