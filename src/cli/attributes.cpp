#include "attributes.hpp"

#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <vector>

namespace lookback::cli {
namespace {

constexpr const char* access_list = "system.posix_acl_access";

// What a file system says if it has no such attributes, or not this one.
bool is_nothing_there() { return errno == ENOTSUP || errno == ENODATA || errno == ENOSYS; }

// Reads the bytes that get(where, size) gives; empty if there are none. False if it failed.
template <class Get>
bool read_bytes(const Get& get, std::vector<char>& bytes) {
    for (;;) {
        const ssize_t size = get(nullptr, 0);
        if (size < 0) return is_nothing_there();
        bytes.resize(static_cast<std::size_t>(size));
        if (size == 0) return true;
        const ssize_t got = get(bytes.data(), bytes.size());
        if (got >= 0) {
            bytes.resize(static_cast<std::size_t>(got));
            return true;
        }
        if (errno != ERANGE) return false;  // it has grown in between
    }
}

bool copy_attribute(const std::string& from, const char* name, int to) {
    std::vector<char> value;
    const auto get = [&](char* at, std::size_t size) {
        return getxattr(from.c_str(), name, at, size);
    };
    return read_bytes(get, value) && fsetxattr(to, name, value.data(), value.size(), 0) == 0;
}

}  // namespace

bool keep_attributes(const std::string& from, const struct stat& status, int to) {
    [[maybe_unused]] const int owner_kept = fchown(to, status.st_uid, static_cast<gid_t>(-1));
    const bool same_group = fchown(to, static_cast<uid_t>(-1), status.st_gid) == 0;
    const bool has_list = getxattr(from.c_str(), access_list, nullptr, 0) > 0;
    mode_t mode = status.st_mode & 0777U;
    // Until the access control list is there, only the owner has access. With a list, the group's
    // mode bits are the list's mask, so setting them now would give rights that the list refuses;
    // the list sets the bits of group and others itself. Without the old group, its members count
    // as others, and so do users that the list refuses. So others then get no more than the group
    // had, and nothing if there was a list.
    if (has_list) {
        mode &= 0700U;
    } else if (!same_group) {
        mode &= 0700U | ((mode & 0070U) >> 3);
    }
    // A new file may have a list from its directory. Under such a list, the mode's group bits would
    // be the mask of that list.
    if (fremovexattr(to, access_list) != 0 && !is_nothing_there()) return false;
    if (fchmod(to, mode) != 0) return false;
    std::vector<char> names;
    const auto list = [&](char* at, std::size_t size) { return listxattr(from.c_str(), at, size); };
    if (!read_bytes(list, names)) return false;
    for (std::size_t i = 0; i < names.size(); i += std::string_view(&names[i]).size() + 1) {
        const std::string_view name = &names[i];
        if (!same_group && name.starts_with("system.")) continue;
        if (!copy_attribute(from, name.data(), to) && !name.starts_with("security.")) return false;
    }
    return true;
}

}  // namespace lookback::cli
