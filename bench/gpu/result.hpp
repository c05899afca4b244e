/// \file
/// What a GPU benchmark measured: one cell for each operation, type, kind of data and number of
/// items.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lookback::bench {

/// Maps the name of an implementation to the microseconds of one call.
using times = std::map<std::string, double>;

struct cell {
    std::string op;
    std::string type;
    std::string data;  ///< what the items are like, if the time depends on it
    std::uint64_t items = 0;
    int item_bytes = 0;
    std::uint64_t least_bytes = 0;  ///< bytes that have to be read and written
    /// Bytes of the copies, read and written; 0: items of item_bytes, both ways.
    std::uint64_t copied_bytes = 0;
    std::optional<std::uint64_t> count;  ///< how many items were kept, if that is a result
    times device_us;                     ///< on the device: calls in a graph, replayed
    times host_us;  ///< on the host: how long a plain, asynchronous call keeps the caller
    bool checked = false;
    std::string trouble;  ///< what went wrong, if anything

    std::string name() const;
    std::optional<double> device(const std::string& who) const;
    std::optional<double> host(const std::string& who) const;
    /// Billions of items a second, of our call.
    std::optional<double> billions_a_second() const;
    /// The better of cudaMemcpyAsync and the copy kernel, for so many bytes.
    std::optional<double> copy_us() const;
    /// Our rate in terms of the least bytes, as a share of the copy's rate; our speed over CUB's.
    std::optional<double> ratio_to_copy() const;
    std::optional<double> speedup_over_cub() const;
    /// How much longer our call keeps the caller than the launch of an empty kernel does.
    std::optional<double> host_above_launch() const;
    /// The time of our call in place, divided by that of our call into another array. The time that
    /// it takes to restore the input first is subtracted from both.
    std::optional<double> in_place_ratio() const;
};

/// Geometric mean and smallest of the speedups over CUB.
struct summary {
    double mean = 0;
    double worst = 0;
    std::string worst_cell;
};
std::optional<summary> over_cub(const std::vector<cell>& cells);

/// What speed the project wants on an H200.
struct goal {
    std::string text;
    std::string shown;            ///< the figure, as text
    std::optional<bool> reached;  ///< nothing if it was not measured
};

/// Names and JSON values that describe the machine and what was measured on it.
using facts = std::vector<std::pair<std::string, std::string>>;
struct environment {
    facts hardware;
    facts versions;
    std::string date;
};

/// `method` says how times were taken.
void write_json(const std::string& path, const environment& where, const std::string& method,
                const std::vector<goal>& goals, const std::vector<cell>& cells);

}  // namespace lookback::bench
