/// \file
/// What a file has besides its data: owner, group, mode, access control list, extended attributes.
#pragma once

#include <sys/stat.h>

#include <string>

namespace lookback::cli {

/// Gives the open file `to` the attributes of the file at `from`, which has this `status`: exactly
/// the users who may read or write the one may do so with the other. Returns false, with errno set,
/// where an attribute cannot be kept.
///
/// A user who may not give files away gets a new file with the user's own owner and group. Then the
/// rights of the old group are not given to the new group, and others get no right that the old
/// group did not have. Attributes that only the system sets ("security.", such as a label) may get
/// lost.
bool keep_attributes(const std::string& from, const struct stat& status, int to);

}  // namespace lookback::cli
