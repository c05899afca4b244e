/// \file
/// A strategy's type with its name.
#pragma once

namespace lookback::strategies {

template <class Strategy>
struct named {
    using strategy = Strategy;
    const char* name;
};

}  // namespace lookback::strategies
