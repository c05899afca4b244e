/// \file
/// The meaning of --where, for numbers whose type is known at run time.
#pragma once

#include <optional>
#include <string_view>

#include "element.hpp"
#include "table/flags.hpp"

namespace lookback::cli {

struct parsed_condition {
    number_set holds;
    number_set fails;
    std::optional<flag_test> test;  ///< if set, it replaces the sets, which then are not enough
};

/// `text` has the syntax of condition_parser.hpp. Throws `error`; `option` is for the message.
parsed_condition parse_condition(std::string_view text, std::string_view option, element type);

}  // namespace lookback::cli
