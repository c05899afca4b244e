#include "npz.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "error.hpp"

namespace lookback::cli {
namespace {

constexpr std::string_view suffix = ".npy";

// At most 20 of the names: enough to find one among them.
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 20;
    std::vector<std::string> some;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        some.push_back(quoted(std::string_view(names[i])));
    if (names.size() > most) some.push_back(fmt::format("{} more", names.size() - most));
    return fmt::format("{}", fmt::join(some, ", "));
}

}  // namespace

std::optional<npz_name> npz_of(std::string_view path) {
    constexpr std::string_view end = ".npz";
    if (const std::size_t at = path.find(".npz:"); at != path.npos) {
        return npz_name{std::string(path.substr(0, at + end.size())),
                        std::string(path.substr(at + end.size() + 1))};
    }
    if (path.ends_with(end)) return npz_name{std::string(path), ""};
    return std::nullopt;
}

std::string file_of(const std::string& path) {
    const auto name = npz_of(path);
    return name ? name->file : path;
}

std::string name_in_npz(const npz_name& name, std::size_t before) {
    return name.array.empty() ? fmt::format("arr_{}", before) : name.array;
}

npz_member find_in_npz(std::string_view archive, const npz_name& name) {
    const std::vector<zip_member> members = read_zip_directory(archive, name.file);
    std::vector<std::string> arrays;
    const zip_member* found = nullptr;
    bool is_exact = false;  // found by the member's whole name, which NumPy tries first
    for (const zip_member& member : members) {
        if (!member.name.ends_with(suffix)) continue;
        arrays.push_back(member.name.substr(0, member.name.size() - suffix.size()));
        const bool is_member = name.array == member.name;
        // If several members have this name, the one written last is taken, as NumPy does.
        if (is_member || (!is_exact && (name.array.empty() || name.array == arrays.back()))) {
            found = &member;
            is_exact = is_member;
        }
    }
    if (arrays.empty()) fail("{}: holds no arrays", name.file);
    if (name.array.empty() && arrays.size() > 1) {
        fail("{}: holds {} arrays; expected {}:NAME with one of {}", name.file, arrays.size(),
             name.file, listed(arrays));
    }
    if (found == nullptr) {
        fail("{}: holds no array {}; expected {}", name.file, quoted(std::string_view(name.array)),
             listed(arrays));
    }
    return {*found, zip_data_offset(archive, *found, name.file)};
}

}  // namespace lookback::cli
