// Writes rows by non-temporal stores.
//
// Non-temporal stores need whole, aligned cache lines, but rows may have any alignment. So rows
// pass through a ring, in address order. The aligned line that begins in a row is stored `depth`
// rows later, so that no load from the ring has to wait for the stores that it overlaps.
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_LINE_WRITER_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_LINE_WRITER_INL_
#undef LOOKBACK_SRC_SIMD_LINE_WRITER_INL_
#else
#define LOOKBACK_SRC_SIMD_LINE_WRITER_INL_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The ring's memory. It is not in the writer, so that the writer stays in registers.
constexpr std::size_t ring_depth = 16;
struct line_ring {
    alignas(row_bytes) char bytes[(ring_depth + 1) * row_bytes];
};

template <bool backward, class T>
class line_writer {
 public:
    HWY_INLINE line_writer(T* out, line_ring& ring)
        : ring_(ring.bytes),
          end_(reinterpret_cast<char*>(out) + (backward ? sizeof(T) : 0)),
          skew_((backward ? 0 + address(end_) : 0 - address(end_)) % row_bytes),
          line_(backward ? end_ - skew_ : end_ + skew_) {}

    HWY_INLINE void put(const row<T>& r) {
        if (HWY_LIKELY(rows_ >= depth)) {
            leave(rows_ - depth);
        } else if (rows_ == 0) {
            put_in(slot(0), r);
            std::memcpy(backward ? end_ - skew_ : end_,
                        slot(0) + (backward ? row_bytes - skew_ : 0), skew_);
        }
        put_in(slot(rows_), r);
        // The line that begins in the ring's last row ends in its first row, so that row is stored
        // in both places.
        if (rows_ % depth == 0) put_in(backward ? ring_ : ring_ + depth * row_bytes, r);
        ++rows_;
    }

    // Empties the ring. Everything written is then visible to the next thread that synchronises
    // with this one.
    HWY_INLINE void finish() {
        const std::size_t lines = rows_ == 0 ? 0 : rows_ - (skew_ != 0);
        for (std::size_t r = rows_ > depth ? rows_ - depth : 0; r < lines; ++r) leave(r);
        if (lines < rows_) {
            const std::size_t rest = row_bytes - skew_;
            std::memcpy(backward ? line_ - rest : line_, slot(rows_ - 1) + (backward ? 0 : skew_),
                        rest);
        }
        hwy::FlushStream();
    }

 private:
    static constexpr std::size_t depth = ring_depth;

    HWY_INLINE static std::uintptr_t address(const char* p) {
        return reinterpret_cast<std::uintptr_t>(p);
    }

    HWY_INLINE char* slot(std::size_t r) {
        return ring_ + (backward ? depth - r % depth : r % depth) * row_bytes;
    }

    HWY_INLINE static void put_in(char* slot, const row<T>& r) {
        T* at = reinterpret_cast<T*>(slot);
        store<backward>(r, backward ? at + (row_items<T> - 1) : at);
    }

    HWY_INLINE void leave(std::size_t r) {
        const tag<std::uint8_t> d;
        const char* from = backward ? slot(r) - skew_ : slot(r) + skew_;
        if constexpr (backward) line_ -= row_bytes;
        for (std::size_t k = 0; k < row_bytes; k += vector_bytes) {
            hn::Stream(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(from) + k), d,
                       reinterpret_cast<std::uint8_t*>(line_) + k);
        }
        if constexpr (!backward) line_ += row_bytes;
    }

    char* ring_;
    char* end_;         // where the first row begins (backward: ends)
    std::size_t skew_;  // bytes of the first row that come before the first whole line
    char* line_;        // where the next line to store begins (backward: ends)
    std::size_t rows_ = 0;
};

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
