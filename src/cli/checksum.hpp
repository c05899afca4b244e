/// \file
/// The checksum of a whole (zlib's crc32) of which pieces come in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>

namespace lookback::cli {

class pieces_checksum {
 public:
    /// These are the bytes from `offset` on. Pieces that follow on each other are one.
    void add(std::uint64_t offset, std::span<const std::byte> bytes);

    /// Of the first `size` bytes. Those that were not added are asked for: missing(begin, end).
    std::uint32_t of(
        std::uint64_t size,
        const std::function<std::span<const std::byte>(std::uint64_t begin, std::uint64_t end)>&
            missing) const;

 private:
    struct piece {
        std::uint64_t end;
        unsigned long sum;
    };
    std::map<std::uint64_t, piece> pieces_;  // by where they begin
    piece* last_ = nullptr;  // that was added to; it stays where it is when the map is moved
};

}  // namespace lookback::cli
