/// \file
/// How the CUDA toolkit's algorithms are called: as their users call them, with memory that exists
/// already.
#pragma once

#include <thrust/system/cuda/execution_policy.h>

#include <cstddef>
#include <string>
#include <utility>

#include "session.hpp"

namespace lookback::bench {

inline constexpr int cub_slot = 0;
inline constexpr int cub_narrow_slot = 1;
inline constexpr int thrust_slot = 2;
inline constexpr int counts_slot = 3;
inline constexpr int cub_environment_slot = 4;

/// `call(memory, bytes)` calls a function of CUB. If `memory` is null, CUB only says how much it
/// needs.
template <class Call>
implementation cub_call(session& s, std::string name, int slot, Call call) {
    std::size_t bytes = 0;
    check(call(nullptr, bytes), "asking CUB for its memory");
    void* const memory = s.scratch(slot, bytes);
    return {std::move(name), [=] {
                std::size_t size = bytes;
                check(call(memory, size), "calling CUB");
            }};
}

/// Gives Thrust the same memory at each call.
class thrust_memory {
 public:
    using value_type = char;
    explicit thrust_memory(session& s) : session_(&s) {}
    char* allocate(std::ptrdiff_t bytes) {
        return static_cast<char*>(session_->scratch(thrust_slot, static_cast<std::size_t>(bytes)));
    }
    void deallocate(char*, std::size_t) {}

 private:
    session* session_;
};

}  // namespace lookback::bench
