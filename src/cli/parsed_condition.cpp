#include "parsed_condition.hpp"

#include "condition_parser.hpp"

namespace lookback::cli {

parsed_condition parse_condition(std::string_view text, std::string_view option, dtype type) {
    return with_type(type, [&]<class T>(std::type_identity<T>) -> parsed_condition {
        static_assert(sizeof(interval<T>) == 2 * sizeof(T));
        const condition<T> is = parse_condition<T>(text, option);
        return {number_set(is), number_set(complement(is))};
    });
}

}  // namespace lookback::cli
