/// \file
/// The types of numbers that files hold, and the operators: those of the table.
#pragma once

#include "table/numbers.hpp"

namespace lookback::cli {

using namespace lookback::table;

}  // namespace lookback::cli
