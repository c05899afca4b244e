/// \file
/// Arrays that are members of NumPy's .npz files. A path that ends in .npz names the only array of
/// such a file; FILE.npz:NAME names the array whose member is called NAME.npy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "zip.hpp"

namespace lookback::cli {

struct npz_name {
    std::string file;
    std::string array;  ///< empty if the path names none
};

/// Nothing if `path` is not in a .npz file.
std::optional<npz_name> npz_of(std::string_view path);

/// The file that a path names. An array may be only a part of it.
std::string file_of(const std::string& path);

/// The name of an array in a new archive; `before` arrays come before it. If it has no name, it is
/// called as numpy.savez would call it.
std::string name_in_npz(const npz_name& name, std::size_t before);

/// A member, and where its packed bytes begin.
struct npz_member : zip_member {
    std::uint64_t data_offset = 0;
};

/// Finds a member of the archive with these bytes. Throws `error`, which names the arrays that
/// there are, if the archive does not have it.
npz_member find_in_npz(std::string_view archive, const npz_name& name);

}  // namespace lookback::cli
