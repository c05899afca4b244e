/// \file
/// The library's primitives on one window of numbers, on a GPU, for code that nvcc does not
/// compile. A call copies the window to the GPU, runs one primitive, and copies the results back;
/// they are there when it returns. The caller keeps what is carried from window to window.
///
/// Every function throws std::runtime_error if the GPU has no memory left, or has failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "numbers.hpp"

namespace lookback::on_gpu {

/// Memory on the GPU for windows. It is made when a call first needs it, and grows as calls need
/// it, up to three arrays.
class window_memory {
 public:
    /// Uses the current device. Throws if this build has no code for it.
    window_memory();
    ~window_memory();
    window_memory(const window_memory&) = delete;
    window_memory& operator=(const window_memory&) = delete;

    struct state;
    state& get();

 private:
    std::unique_ptr<state> state_;
};

/// Numbers from ends[0] to ends[1], from ends[2] to ends[3], ...: `count` intervals in rising
/// order; and NaN if `has_nan`.
template <class U>
struct wanted_numbers {
    const U* ends;
    std::size_t count;
    bool has_nan;
    number_kind kind;
};

/// Primitives that keep numbers as they are. Numbers are given by their bits; U is an unsigned
/// integer. There is at least one item. The outputs have room for as many results as there are
/// items. The functions return how many results there are.
template <class U>
struct compaction_window {
    static std::size_t select(window_memory& memory, const U* in, std::size_t items, U* out,
                              const wanted_numbers<U>& wanted);
    /// The other numbers go to `rest`.
    static std::size_t partition(window_memory& memory, const U* in, std::size_t items, U* out,
                                 U* rest, const wanted_numbers<U>& wanted);
    static std::size_t unique(window_memory& memory, const U* in, std::size_t items, U* out,
                              number_kind kind);
    static std::size_t run_length_encode(window_memory& memory, const U* in, std::size_t items,
                                         U* out, std::int64_t* lengths, number_kind kind);
};

/// Primitives that compute with the numbers of segments. A segment begins wherever `heads` is not
/// 0. The first segment may have begun earlier: then `carry` is the fold of its items so far.
/// `carry` is updated. T: an unsigned integer, float or double.
template <class T>
struct segments_window {
    /// Scans each segment, from `seed` if it has a value (an exclusive scan needs one). The carry
    /// does not include the seed.
    static void scan(window_memory& memory, const T* in, std::size_t items,
                     const std::uint8_t* heads, T* out, operation op, const std::optional<T>& seed,
                     std::optional<T>& carry, bool is_exclusive);

    /// Writes the fold of each segment except the last one, which may go on after these items: its
    /// fold becomes the carry. Returns how many folds are written. `out` has room for one more than
    /// there are items.
    static std::size_t reduce(window_memory& memory, const T* in, std::size_t items,
                              const std::uint8_t* heads, T* out, operation op,
                              std::optional<T>& carry);
};

}  // namespace lookback::on_gpu
