#include "lookback/detail/cpu/scratch.hpp"

#include <sys/mman.h>

#include <new>

namespace lookback::detail {

namespace {

// For memory of at least several large pages. (This is the size of large pages on most machines.
// Where they have another size, or do not exist, the advice has no effect and does no harm.)
constexpr std::size_t large_page = std::size_t{2} << 20;

std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes >= 4 * large_page ? large_page : 64};
}

}  // namespace

void* allocate_scratch(std::size_t bytes) {
    void* const at = ::operator new(bytes, alignment_of(bytes));
#ifdef MADV_HUGEPAGE
    if (bytes >= 4 * large_page) {
        (void)madvise(at, bytes / large_page * large_page, MADV_HUGEPAGE);
    }
#endif
    return at;
}

void free_scratch(void* at, std::size_t bytes) { ::operator delete(at, alignment_of(bytes)); }

}  // namespace lookback::detail
