// The message of a refused call.
#pragma once

#include <stdexcept>
#include <string>

namespace lookback::test {

template <class F>
std::string message_of(F&& call) {
    try {
        call();
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return "no std::invalid_argument";
}

}  // namespace lookback::test
