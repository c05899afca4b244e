/// \file
/// Text in memory, for `parse_text`.
#pragma once

#include <cstring>
#include <string_view>

#include "text.hpp"

namespace lookback::cli {

inline text_numbers parse_text(std::string_view text, const text_kind& of, int threads = 1) {
    const auto more = [left = text](byte_buffer& to) mutable {
        const std::string_view some = left.substr(0, 1'000'003);  // not all, and no even part
        if (!some.empty()) std::memcpy(to.room(some.size()), some.data(), some.size());
        to.grow(some.size());
        left.remove_prefix(some.size());
        return !left.empty();
    };
    return parse_text(text_source(more), of, threads);
}

}  // namespace lookback::cli
