/// \file
/// The memory of the simulated GPU, and its race detector.
///
/// Device arrays and the shared memory of blocks lie in one range of addresses. Each byte has a
/// shadow, which says who wrote the byte last and who has read it since. Two accesses to a byte, of
/// which at least one is a write, race unless the actor of the later access knows of the earlier
/// one (clock.hpp), or both are atomic. Bulk copies see memory through a proxy of their own. So an
/// actor may know different things of what threads have done and of what bulk copies have done:
/// `accessor` holds both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/clock.hpp"
#include "simulator/failure.hpp"

namespace lookback::trial {

struct accessor {
    actor who;
    epoch now;
    stamp_view of_threads;  ///< what it may rely on of the work of threads
    stamp_view of_copies;   ///< and of the work of bulk copies
    code_place place;
    /// An asynchronous copy: an actor that knows of its end need not know what the copy knew.
    bool is_copy = false;
};
struct access_kind {
    bool writes;
    bool is_atomic = false;
    bool is_bulk = false;  ///< by a bulk copy
};

class memory {
 public:
    memory();
    ~memory();
    memory(const memory&) = delete;
    memory& operator=(const memory&) = delete;

    /// Whether this is memory of the GPU.
    bool holds(const void* at) const { return offset_of(at) < capacity; }

    /// Returns poisoned memory on a page boundary, with guard bytes around it; nullptr if there is
    /// no room.
    std::byte* allocate(std::size_t bytes);
    void free(std::byte* at);
    std::size_t size_of(const std::byte* at) const;

    /// Records an access. Fails unless all its bytes are allocated and the access does not race.
    void access(const accessor& by, const void* at, std::size_t bytes, access_kind kind);
    /// Fails unless all its bytes are allocated.
    void check_bounds(const void* at, std::size_t bytes, code_place place) const;

    /// Allows or forbids the use of a part of allocated memory.
    void allow(const std::byte* at, std::size_t bytes, bool yes);

    /// Forgets earlier accesses, as for the shared memory of a block that begins.
    void forget(const std::byte* at, std::size_t bytes);
    void forget_all();
    /// Frees everything.
    void clear();

 private:
    static constexpr std::size_t capacity = std::size_t{256} << 20;
    static constexpr std::size_t page = 4096;
    static constexpr std::size_t guard = 256;

    struct touch {
        actor who;
        epoch when = 0;  ///< 0: never
        code_place place = 0;
    };
    struct shadow {
        std::uint32_t generation;
        touch write;
        touch read;
        std::uint32_t more;  ///< 1 + the number of the list of further accesses; 0: none
        bool split : 1;      ///< in the first byte of a word: each byte has its own shadow
        bool atomic_write : 1, bulk_write : 1, atomic_read : 1, bulk_read : 1;
        bool list_has_writes : 1;
    };
    struct one_more {
        touch what;
        bool is_atomic, is_bulk, writes;
    };
    struct block {
        std::size_t begin, bytes;
        bool is_free;
    };

    std::size_t offset_of(const void* at) const {
        return static_cast<std::size_t>(static_cast<const std::byte*>(at) - bytes_);
    }
    shadow* word_at(std::size_t word, bool whole);
    void access_byte(const accessor& by, shadow& s, std::size_t offset, access_kind kind);
    void remember_read(const accessor& by, shadow& s, access_kind kind);
    void remember(shadow& s, const one_more& m);
    static bool comes_after(const accessor& by, const touch& earlier, bool was_bulk);
    [[noreturn]] void report(const accessor& by, const touch& earlier, bool earlier_writes,
                             bool was_bulk, std::size_t offset, access_kind kind) const;

    std::byte* bytes_;
    std::uint8_t* allocated_;
    shadow* shadows_;
    std::vector<std::uint32_t> generation_;  // of each page
    std::uint32_t last_generation_ = 0;
    std::vector<std::vector<one_more>> lists_;
    std::vector<std::uint32_t> free_lists_;
    std::vector<block> blocks_;
    std::size_t used_ = guard;
    std::size_t live_ = 0;
};

/// A program has one GPU memory.
extern memory the_memory;
inline memory& gpu_memory() { return the_memory; }

}  // namespace lookback::trial
