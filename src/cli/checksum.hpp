/// \file
/// The checksum (zlib's crc32) of data whose pieces come in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>

namespace lookback::cli {

class pieces_checksum {
 public:
    /// Adds the bytes from `offset` on. Pieces that follow each other are joined.
    void add(std::uint64_t offset, std::span<const std::byte> bytes);

    /// The checksum of the first `size` bytes. Bytes that were not added are asked for by
    /// missing(begin, end).
    std::uint32_t of(
        std::uint64_t size,
        const std::function<std::span<const std::byte>(std::uint64_t begin, std::uint64_t end)>&
            missing) const;

 private:
    struct piece {
        std::uint64_t end;
        unsigned long sum;
    };
    std::map<std::uint64_t, piece> pieces_;  // by their first byte
    piece* last_ = nullptr;  // the piece added to last; stays where it is if the map moves
};

}  // namespace lookback::cli
