#include "parsed_condition.hpp"

#include "condition_parser.hpp"

namespace lookback::cli {

parsed_condition parse_condition(std::string_view text, std::string_view option, element type) {
    return with_type(type.computed, [&]<class T>(std::type_identity<T>) -> parsed_condition {
        static_assert(sizeof(interval<T>) == 2 * sizeof(T));
        const bool is_half = type.stored == encoding::half;
        const meaning<T> is = parse_condition<T>(text, option, is_half);
        return {number_set(is.plain), number_set(complement(is.plain)), is.test};
    });
}

}  // namespace lookback::cli
