/// \file
/// The library's version.
#pragma once

namespace lookback {

inline constexpr const char* version = "0.1.0";

}  // namespace lookback
