/// \file
/// Text in parts, each of which a thread reads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lookback::cli {

/// At most so many parts of about the same size, one behind the other, which are all of the text.
/// Every one but the last ends behind a character for which `may_end` holds. Only the first may be
/// empty.
template <class MayEnd>
std::vector<std::string_view> cut_in_parts(std::string_view text, std::size_t most,
                                           const MayEnd& may_end) {
    constexpr std::size_t few = std::size_t{1} << 15;  // to wake a thread takes longer
    const std::size_t count = std::clamp<std::size_t>(text.size() / few, 1, most);
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t i = 1; i < count; ++i) {
        std::size_t end = std::max(begin, text.size() / count * i);
        while (end < text.size() && !may_end(text[end])) ++end;
        if (end + 1 >= text.size()) break;
        parts.push_back(text.substr(begin, end + 1 - begin));
        begin = end + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

}  // namespace lookback::cli
