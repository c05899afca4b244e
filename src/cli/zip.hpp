/// \file
/// ZIP archives, as far as NumPy's .npz files need them: members that are stored or deflated, and
/// their directory, which is at the end. Bytes only: nothing is unpacked here, no file is opened.
///
/// Sizes have 64 bits: what is written always has the records of ZIP64, so that room can be left
/// for a member's header before its size is known. (Source: PKWARE, APPNOTE.TXT 6.3.9, section 4.)
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
    std::uint32_t crc = 0;           ///< of the bytes, as zlib's crc32
    std::uint64_t packed_bytes = 0;  ///< in the archive
    std::uint64_t bytes = 0;
    std::uint64_t header_offset = 0;
};

/// The members of the archive with these bytes. Throws `error` for what is broken, encrypted or
/// packed in another way; `path` is for the message.
std::vector<zip_member> read_zip_directory(std::string_view archive, std::string_view path);

/// Where a member's packed bytes begin; they are all there. Throws `error`.
std::uint64_t zip_data_offset(std::string_view archive, const zip_member& member,
                              std::string_view path);

/// What comes before the data of a stored member: it has as many bytes as its name, and
/// `zip_header_bytes`.
std::string format_zip_header(const zip_member& member);
inline constexpr std::size_t zip_header_bytes = 50;

/// What comes at the end of an archive of stored members, behind so many bytes.
std::string format_zip_directory(std::span<const zip_member> members, std::uint64_t offset);

}  // namespace lookback::cli
