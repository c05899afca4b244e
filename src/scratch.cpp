#include "lookback/detail/cpu/scratch.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <utility>

#include "lookback/cpu.hpp"

namespace lookback {
namespace detail {
namespace {

// For memory of at least several large pages. (This is the size of large pages on most machines.
// Where they have another size, or do not exist, the advice has no effect and does no harm.)
constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::size_t is_large = 4 * large_page;

std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes >= is_large ? large_page : 64};
}
void give_back(const scratch_block& b) {
    if (b.at != nullptr) ::operator delete(b.at, alignment_of(b.bytes));
}
/// Lets the system take the pages of a block when it needs memory; until then they stay, and do not
/// have to be cleared again. Returns whether it can.
bool lend([[maybe_unused]] const scratch_block& b) {
#ifdef MADV_FREE
    return madvise(b.at, b.bytes / large_page * large_page, MADV_FREE) == 0;
#else
    return false;
#endif
}

// Large blocks that calls have freed, for later calls. To clear new pages may take the system as
// long as half of a sort.
class free_blocks {
 public:
    /// The smallest block that has room; none if all are too small.
    scratch_block take(std::size_t bytes) {
        const std::lock_guard<std::mutex> alone(lock_);
        scratch_block* best = nullptr;
        for (scratch_block& b : blocks_) {
            if (b.bytes >= bytes && (best == nullptr || b.bytes < best->bytes)) best = &b;
        }
        return best == nullptr ? scratch_block{} : std::exchange(*best, {});
    }
    /// Keeps a block, and returns the smallest of all if there are too many; then it has to be
    /// given back.
    scratch_block keep(const scratch_block& freed) {
        const std::lock_guard<std::mutex> alone(lock_);
        scratch_block& least = *std::min_element(
            blocks_.begin(), blocks_.end(),
            [](const scratch_block& a, const scratch_block& b) { return a.bytes < b.bytes; });
        return least.bytes < freed.bytes ? std::exchange(least, freed) : freed;
    }

 private:
    std::mutex lock_;
    std::array<scratch_block, 4> blocks_;  // the most that one call has
};

// It is never destroyed: calls may come from the destructors of other objects.
free_blocks& kept() {
    static auto* const blocks = new free_blocks;
    return *blocks;
}

}  // namespace

scratch_block allocate_scratch(std::size_t bytes) {
    if (bytes >= is_large) {
        const scratch_block b = kept().take(bytes);
        if (b.at != nullptr) return b;
    }
    void* const at = ::operator new(bytes, alignment_of(bytes));
#ifdef MADV_HUGEPAGE
    if (bytes >= is_large) {
        (void)madvise(at, bytes / large_page * large_page, MADV_HUGEPAGE);
    }
#endif
    return {at, bytes};
}

void free_scratch(const scratch_block& b) {
    give_back(b.bytes >= is_large && lend(b) ? kept().keep(b) : b);
}

}  // namespace detail

void release_scratch() {
    for (;;) {
        const detail::scratch_block b = detail::kept().take(1);
        if (b.at == nullptr) return;
        detail::give_back(b);
    }
}

}  // namespace lookback
