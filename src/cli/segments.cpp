#include "segments.hpp"

#include "error.hpp"
#include "whole_array.hpp"

namespace lookback::cli {

void check_inputs(const std::string& a, std::string_view name_a, const std::string& b,
                  std::string_view name_b) {
    if (a != "-" || b != "-") return;
    fail("{} and {}: both are standard input; expected a file for one of them", name_a, name_b);
}

void check_keys(const array_input& keys, const std::string& keys_path, const array_input& values,
                const std::string& values_path) {
    check_line(keys, keys_path);
    check_line(values, values_path);
    if (keys.items() == values.items()) return;
    fail("{}: {} keys for the {} numbers of {}; expected as many", keys_path, keys.items(),
         values.items(), values_path);
}

}  // namespace lookback::cli
