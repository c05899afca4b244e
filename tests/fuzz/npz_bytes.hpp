/// \file
/// An array of a .npz file in memory, for the fuzzer and the test of its corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "checksum.hpp"
#include "error.hpp"
#include "npz.hpp"
#include "packing.hpp"

namespace lookback::cli {

/// Unpacks a member, and returns its first megabyte. Throws `error`.
inline std::string read_from_npz(std::string_view archive, const npz_name& name) {
    constexpr std::size_t most = std::size_t{1} << 20;
    const npz_member member = find_in_npz(archive, name);
    const std::string_view packed = archive.substr(member.data_offset, member.packed_bytes);
    std::span<const std::byte> left = std::as_bytes(std::span(packed));
    if (!member.is_deflated) {
        const auto all = [&](std::uint64_t begin, std::uint64_t end) {
            return left.subspan(begin, end - begin);
        };
        if (pieces_checksum().of(left.size(), all) != member.crc) fail("x.npz: damaged");
        return std::string(packed);
    }
    const auto from = make_unpacker(member, "x.npz");
    std::string unpacked;
    std::byte room[1000];
    while (unpacked.size() < most) {
        const std::size_t made = from->unpack(left, room);
        if (made == 0) break;
        unpacked.append(reinterpret_cast<const char*>(room), made);
    }
    if (unpacked.size() < most && !from->is_complete()) fail("x.npz: truncated");
    return unpacked;
}

}  // namespace lookback::cli
