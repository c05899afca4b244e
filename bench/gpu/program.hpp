/// \file
/// What the benchmark programs share: from the command line to the result file.
///   PROGRAM OUT.json [--filter REGEX] [NAME...]
///       measures the groups of these names, by default all; of their cells, those whose names have
///       a part that REGEX (ECMAScript's) matches: 'random 2\^(20|28)$'
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "session.hpp"

namespace lookback::bench {

/// Says which cells are wanted. It is told of each cell before it is measured, so that a run that
/// hangs shows where, and after.
struct observer {
    std::function<bool(const cell&)> wants;
    std::function<void(const cell&)> begin;
    std::function<void(const cell&)> end;
};

/// Cells that are measured together.
struct group {
    std::string name;
    void (*measure)(session&, const observer&);
};

struct program {
    std::string name;
    std::vector<group> groups;
    std::uint64_t array_bytes = 0;  ///< of each of the session's arrays
    int arrays = 0;
    std::string method;  ///< how times are taken
    int name_width = 0;
    std::string columns;  ///< the table's head
    void (*print_figures)(const cell&) = nullptr;
    std::vector<goal> (*goals)(const std::vector<cell>&) = nullptr;
};

void print(std::optional<double> number, int width, int digits = 2);

/// Returns main's status: 0; 1 if a result was wrong, or CUDA failed (then the results until then
/// are written); 2 for a wrong command line; 77 if there is no device.
int run(const program& what, int argc, char** argv);

}  // namespace lookback::bench
