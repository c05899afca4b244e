#include "lookback/select.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class U>
void select_words(gpu& where, const void* from, std::size_t items, const std::uint8_t* flags,
                  void* to, std::int64_t* count) {
    const auto* const in = static_cast<const U*>(from);
    lookback::select_flagged(where, in, in + items, flags, static_cast<U*>(to), count_to{count});
}

// Tiles are loaded in bulk if items and flags begin on boundaries of 16 bytes.
constexpr std::uintptr_t boundary = 16;
std::uintptr_t behind_boundary(const void* at) {
    return reinterpret_cast<std::uintptr_t>(at) % boundary;
}

constexpr unsigned threads = 256;

// Sets out[i] to flags[i - before], or to 0 for i < before. A thread makes 8 of them, from aligned
// words that each have at least one of the flags.
__global__ void shift_flags(const std::uint8_t* flags, std::size_t items, std::size_t before,
                            std::uint8_t* out) {
    constexpr std::size_t bytes = 8;
    const std::size_t group = std::size_t{blockIdx.x} * threads + threadIdx.x;
    const std::size_t first = group * bytes;
    if (first >= items + before) return;
    if (first >= before && first + bytes <= items + before) {
        const auto at = reinterpret_cast<std::uintptr_t>(flags + (first - before));
        const auto* const words = reinterpret_cast<const std::uint64_t*>(at & ~(bytes - 1));
        const auto bits = static_cast<unsigned>(8 * (at % bytes));
        std::uint64_t word = words[0] >> bits;
        if (bits != 0) word |= words[1] << (64 - bits);
        reinterpret_cast<std::uint64_t*>(out)[group] = word;
        return;
    }
    for (std::size_t i = first; i < first + bytes && i < items + before; ++i) {
        out[i] = i < before ? std::uint8_t{0} : flags[i - before];
    }
}

}  // namespace

std::size_t select_room(std::size_t item_bytes, const void* in, std::size_t items,
                        const std::uint8_t* flags) {
    constexpr std::size_t few = std::size_t{1} << 18;  // so few items are not loaded in bulk anyway
    if (items < few || (behind_boundary(in) == 0 && behind_boundary(flags) == 0)) return 0;
    return items + behind_boundary(in) / item_bytes + boundary;
}

// Items that do not begin on a boundary are selected from that boundary on; what lies before the
// items has flags of 0. It lies in the same 16 bytes, and so in the same allocation.
void select_flagged(const place& where, std::size_t item_bytes, const void* in, std::size_t items,
                    const std::uint8_t* flags, void* out, std::int64_t* count, void* room) {
    const auto select = [&] {
        switch (item_bytes) {
            case 1: return select_words<std::uint8_t>;
            case 2: return select_words<std::uint16_t>;
            case 4: return select_words<std::uint32_t>;
            case 8: return select_words<std::uint64_t>;
            default: refuse_bytes("selection", item_bytes);
        }
    }();
    const call here(where);
    const std::uintptr_t bytes = behind_boundary(in);
    const auto* const from = static_cast<const std::byte*>(in) - bytes;
    // Not in place, nor where the output overlaps the bytes before the items.
    const bool apart = out > in || static_cast<std::byte*>(out) + items * item_bytes <= from;
    const std::size_t room_bytes = apart ? select_room(item_bytes, in, items, flags) : 0;
    if (room_bytes == 0) return select(here, in, items, flags, out, count);
    const call_room own(here, room, room_bytes);
    const std::size_t before = bytes / item_bytes;
    auto* const shifted =
        static_cast<std::uint8_t*>(own.get()) + (boundary - behind_boundary(own.get())) % boundary;
    const unsigned blocks = blocks_for((items + before + 7) / 8, threads);
    shift_flags<<<blocks, threads, 0, static_cast<gpu&>(here).stream()>>>(flags, items, before,
                                                                          shifted);
    detail::device::check(cudaGetLastError(), "launching a kernel");
    select(here, from, items + before, shifted, out, count);
}

}  // namespace lookback::on_device
