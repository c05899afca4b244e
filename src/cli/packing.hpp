/// \file
/// Files that are compressed as a whole: gzip, by zlib, and Zstandard, by libzstd. Both may be
/// several such files, one behind the other; zeros may follow on gzip's, as they do on tapes. And
/// deflated members of .npz files.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "byte_buffer.hpp"
#include "zip.hpp"

namespace lookback::cli {

enum class packing { gzip, zstd };

/// By the end of a name, .gz or .zst.
std::optional<packing> packing_of(std::string_view path);
/// The name without that.
std::string_view unpacked_name(std::string_view path);
/// By the first bytes, of which 4 are enough. No text, and no .npy file, begins in this way.
std::optional<packing> packing_of_bytes(std::string_view beginning);

/// Unpacks what comes in pieces.
class unpacker {
 public:
    virtual ~unpacker() = default;

    /// Unpacks from the front of `in`, of which it takes away what it has read, to the front of
    /// `room`; returns how much. Where that is less than fits into `room`, it has taken all of
    /// `in`. Throws `error`.
    virtual std::size_t unpack(std::span<const std::byte>& in, std::span<std::byte> room) = 0;
    /// True where the input may end.
    virtual bool is_complete() const = 0;
};

/// `name` is for messages.
std::unique_ptr<unpacker> make_unpacker(packing as, const std::string& name);
/// Of a deflated member of an archive, whose size and checksum are checked.
std::unique_ptr<unpacker> make_unpacker(const zip_member& member, const std::string& name);

/// Packs what comes in pieces.
class packer {
 public:
    virtual ~packer() = default;

    /// Appends what the data become, or some of it. At the end of all data, with none, the rest.
    virtual void pack(std::span<const std::byte> data, bool is_end, byte_buffer& to) = 0;
};

std::unique_ptr<packer> make_packer(packing as);

}  // namespace lookback::cli
