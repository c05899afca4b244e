/// \file
/// What a file has besides its data: owner, group, mode, access control list, extended attributes.
#pragma once

#include <sys/stat.h>

#include <string>

namespace lookback::cli {

/// Gives the open file `to` what the file at `from`, of this `status`, has: whoever may read or
/// write the one, and nobody else, may do so with the other. False, with errno, where an attribute
/// cannot be kept.
///
/// Who may not give files away keeps the owner and the group that a new file gets. Rights that were
/// meant for the old group are then not passed on to another, nor what others may and that group
/// may not. Attributes that only the system sets ("security.", such as a label) may get lost.
bool keep_attributes(const std::string& from, const struct stat& status, int to);

}  // namespace lookback::cli
