// Replaces the global operator new; the array and nothrow forms of the standard library call these.

#include "new_bytes.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> handed_out{0};

void* counted(void* memory, std::size_t bytes) {
    if (memory == nullptr) throw std::bad_alloc();
    handed_out.fetch_add(bytes, std::memory_order_relaxed);
    return memory;
}

}  // namespace

std::size_t lookback::bench::new_bytes() { return handed_out.load(std::memory_order_relaxed); }

void* operator new(std::size_t bytes) {
    return counted(std::malloc(bytes == 0 ? 1 : bytes), bytes);
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const auto to = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(to, (bytes + to - 1) / to * to), bytes);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
