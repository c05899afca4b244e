#include "whole_array.hpp"

#include <fmt/ranges.h>

#include "error.hpp"

namespace lookback::cli {

void check_line(const array_input& in, const std::string& path) {
    if (in.shape().size() == 1) return;
    fail("{}: has shape ({}); expected one dimension", path, fmt::join(in.shape(), ", "));
}

std::uint64_t finish(const array_input& in, std::initializer_list<array_output*> outputs) {
    in.check_complete();
    return array_output::finish(outputs);
}

}  // namespace lookback::cli
