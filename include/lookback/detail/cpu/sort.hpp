/// \file
/// Sorting on the CPU.
#pragma once

#include <cstddef>

#include "lookback/detail/cpu/call.hpp"
#include "lookback/sort.hpp"

namespace lookback::detail {

template <>
struct sorts_on<cpu> {
    template <class Key, class In, class KeysOut, class Values, class ValuesOut>
    static void run(const cpu& where, const item_count& count, const In& keys,
                    const KeysOut& keys_out, const Values& values, const ValuesOut& values_out,
                    const sort_by& by);
    template <class Key, class Value>
    static std::size_t scratch_bytes(const cpu& where, std::size_t items, bool keys_too);
};

}  // namespace lookback::detail
