#include "checksum.hpp"

#include <zlib.h>

#include <algorithm>
#include <iterator>

namespace lookback::cli {
namespace {

unsigned long with(unsigned long sum, std::span<const std::byte> bytes) {
    return crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

void pieces_checksum::add(std::uint64_t offset, std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    const std::uint64_t end = offset + bytes.size();
    if (last_ != nullptr && last_->end == offset) {
        *last_ = {end, with(last_->sum, bytes)};
        return;
    }
    const auto behind = pieces_.upper_bound(offset);
    // These bytes were added before.
    if (behind != pieces_.begin() && std::prev(behind)->second.end >= end) return;
    last_ = &pieces_.insert_or_assign(offset, piece{end, with(0, bytes)}).first->second;
}

std::uint32_t pieces_checksum::of(
    std::uint64_t size,
    const std::function<std::span<const std::byte>(std::uint64_t begin, std::uint64_t end)>&
        missing) const {
    unsigned long sum = 0;
    for (std::uint64_t at = 0; at < size;) {
        const auto next = pieces_.lower_bound(at);
        if (next != pieces_.end() && next->first == at && next->second.end <= size) {
            const auto bytes = static_cast<z_off_t>(next->second.end - at);
            sum = crc32_combine(sum, next->second.sum, bytes);
            at = next->second.end;
            continue;
        }
        const std::uint64_t end =
            next == pieces_.end() || next->first == at ? size : std::min(next->first, size);
        sum = with(sum, missing(at, end));
        at = end;
    }
    return static_cast<std::uint32_t>(sum);
}

}  // namespace lookback::cli
