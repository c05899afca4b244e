/// \file
/// ZIP archives, as far as NumPy's .npz files need them: members that are stored or deflated, and
/// their directory at the end. This code works on bytes: it unpacks nothing and opens no file.
///
/// Sizes have 64 bits. An archive is always written with the records of ZIP64, so that room can be
/// left for a member's header before its size is known. (Source: PKWARE, APPNOTE.TXT 6.3.9, section
/// 4.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lookback::cli {

struct zip_member {
    std::string name;
    bool is_deflated = false;
    std::uint32_t crc = 0;           ///< of the unpacked bytes, as zlib's crc32
    std::uint64_t packed_bytes = 0;  ///< in the archive
    std::uint64_t bytes = 0;
    std::uint64_t header_offset = 0;
};

/// The members of the archive with these bytes. Throws `error` for an archive that is broken,
/// encrypted, or packed by another method; `path` is for the message.
std::vector<zip_member> read_zip_directory(std::string_view archive, std::string_view path);

/// Where a member's packed bytes begin. Throws `error` unless all of them are there.
std::uint64_t zip_data_offset(std::string_view archive, const zip_member& member,
                              std::string_view path);

/// The header before the data of a stored member. It has `zip_header_bytes` bytes, plus those of
/// the member's name.
std::string format_zip_header(const zip_member& member);
inline constexpr std::size_t zip_header_bytes = 50;

/// The end of an archive of stored members, which comes after `offset` bytes.
std::string format_zip_directory(std::span<const zip_member> members, std::uint64_t offset);

}  // namespace lookback::cli
