/// \file
/// The memory of the simulated GPU, and the detector of races on it.
///
/// Device arrays and the shared memory of blocks lie in one range of addresses. Each byte has a
/// shadow: who wrote it last, who has read it since. Two accesses to a byte, one of them a write,
/// race unless the earlier is known to the actor of the later (clock.hpp), or both are atomic.
/// Threads, and bulk copies, which see memory through a proxy of their own, differ in what they
/// know of each other: `accessor` says both.
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
    const vector_clock* of_threads;  ///< what it may rely on that threads have done
    const vector_clock* of_copies;   ///< and bulk copies
    code_place place;
    bool is_copy = false;  ///< who knows that it is done need not know what it knew
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

    /// Poisoned, on a boundary of 256 bytes, with a guard around.
    std::byte* allocate(std::size_t bytes);
    void free(std::byte* at);
    std::size_t size_of(const std::byte* at) const;

    /// Fails unless all of it is allocated and nobody else is at it.
    void access(const accessor& by, const void* at, std::size_t bytes, access_kind kind);
    /// Fails unless all of it is allocated.
    void check_bounds(const void* at, std::size_t bytes, code_place place) const;

    /// Within what is allocated: whether it may be used.
    void allow(const std::byte* at, std::size_t bytes, bool yes);

    /// Who was there is forgotten: the memory of a block that begins.
    void forget(const std::byte* at, std::size_t bytes);
    void forget_all();
    /// Nothing is allocated any more.
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
        std::uint32_t more;  ///< 1 + the number of a list of others who were there, 0: none
        bool split : 1;      ///< of the first byte of a word: each byte has its own shadow
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

/// There is one GPU memory in a program.
extern memory the_memory;
inline memory& gpu_memory() { return the_memory; }

}  // namespace lookback::trial
