/// \file
/// Arrays that are members of NumPy's .npz files. A path that ends in .npz names the only array of
/// such a file; FILE.npz:NAME names one of them, whose member is called NAME.npy.
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
    std::string array;  ///< empty where none is named
};

/// Nothing where `path` is another file.
std::optional<npz_name> npz_of(std::string_view path);

/// The file that a path names, of which an array may be a part.
std::string file_of(const std::string& path);

/// The name of the array number `before`, from 0 on, that an archive is made of: as numpy.savez
/// calls it where it is not named.
std::string name_in_npz(const npz_name& name, std::size_t before);

/// A member, and where its packed bytes begin.
struct npz_member : zip_member {
    std::uint64_t data_offset = 0;
};

/// The member of the archive with these bytes. Throws `error`, which names the arrays that are
/// there.
npz_member find_in_npz(std::string_view archive, const npz_name& name);

}  // namespace lookback::cli
