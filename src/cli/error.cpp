#include "error.hpp"

#include <cerrno>
#include <system_error>

namespace lookback::cli {

void fail_with_errno(std::string_view path, std::string_view action) {
    const int code = errno;
    fail("{}: cannot {}: {}", path, action, std::generic_category().message(code));
}

std::string printable(std::string_view text) {
    std::string shown;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
        if (c == '\n' || c == '\r') {
            shown += ' ';
        } else if (c < ' ' || c == 0x7f) {
            shown += fmt::format("\\x{:02x}", c);
        } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {  // more control characters, in UTF-8
            shown += fmt::format("\\x{:02x}\\x{:02x}", c, next);
            ++i;
        } else {
            shown += text[i];
        }
    }
    return shown;
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
