/// \file
/// What --where says, for numbers whose type is known at run time.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "dtype.hpp"
#include "table/table.hpp"

namespace lookback::cli {

class number_set {
 public:
    template <class Condition>
    explicit number_set(const Condition& c) : intervals_(c.intervals.size()), has_nan_(c.has_nan) {
        const std::span bytes = std::as_bytes(std::span(c.intervals));
        ends_.assign(bytes.begin(), bytes.end());
    }

    wanted get() const { return {ends_.data(), intervals_, has_nan_}; }

 private:
    std::vector<std::byte> ends_;
    std::size_t intervals_;
    bool has_nan_;
};

struct parsed_condition {
    number_set holds;
    number_set fails;
};

/// `text` has the syntax of condition_parser.hpp. Throws `error`, where `option` is for the
/// message.
parsed_condition parse_condition(std::string_view text, std::string_view option, dtype type);

}  // namespace lookback::cli
