/// \file
/// What the GPU benchmark measured: one cell for each operator, type and number of items.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lookback::bench {

/// Times map the name of an implementation to microseconds of one call.
using times = std::map<std::string, double>;

struct cell {
    std::string op;
    std::string type;
    std::uint64_t items = 0;
    int item_bytes = 0;
    times device_us;  ///< on the device: calls in a graph, replayed
    times host_us;    ///< on the host: how long a plain, asynchronous call keeps the caller
    bool checked = false;
    std::string trouble;  ///< what went wrong, if anything

    std::string name() const;
    std::optional<double> device(const std::string& who) const;
    std::optional<double> host(const std::string& who) const;
    /// The better of cudaMemcpyAsync and the copy kernel.
    std::optional<double> copy_us() const;
    /// Our speed as a share of the copy's, and over CUB's.
    std::optional<double> ratio_to_copy() const;
    std::optional<double> speedup_over_cub() const;
    /// How much longer our call keeps the caller than the launch of an empty kernel.
    std::optional<double> host_above_launch() const;
};

/// Geometric mean and smallest of the speedups over CUB.
struct summary {
    double mean = 0;
    double worst = 0;
    std::string worst_cell;
};
std::optional<summary> over_cub(const std::vector<cell>& cells);

struct goal {
    std::string text;
    std::string shown;            ///< the figure, as text
    std::optional<bool> reached;  ///< nothing where it was not measured
};
/// What the project wants of its speed on an H200, and whether the cells reach it.
std::vector<goal> goals(const std::vector<cell>& cells);

/// Names and JSON values that describe the machine and what was measured on it.
using facts = std::vector<std::pair<std::string, std::string>>;
struct environment {
    facts hardware;
    facts versions;
    std::string date;
};

void write_json(const std::string& path, const environment& where, const std::vector<cell>& cells);

}  // namespace lookback::bench
