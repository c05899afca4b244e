#include "error.hpp"

#include <cerrno>
#include <system_error>

namespace lookback::cli {

void fail_with_errno(std::string_view path, std::string_view action) {
    const int code = errno;
    fail("{}: cannot {}: {}", path, action, std::generic_category().message(code));
}

std::string quoted(std::string_view bytes) {
    constexpr std::size_t longest = 40;
    std::string shown = "'";
    for (const char c : bytes.substr(0, longest)) {
        if (c >= ' ' && c <= '~') {
            shown += c;
        } else {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
    }
    return shown + (bytes.size() > longest ? "'..." : "'");
}

}  // namespace lookback::cli
