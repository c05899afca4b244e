/// \file
/// Compactions and runs, beside other libraries: what is compared, on which arrays.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program.hpp"

namespace lookback::bench {

/// Items, keys, values and lengths are all words of 4 bytes, in arrays of the session.
using word = std::uint32_t;
enum compaction_array : int {
    items_at,   ///< or keys
    out_at,     ///< the outputs
    values_at,  ///< or flags, of a byte each
    second_out_at,
    third_out_at,
    wanted_at,  ///< what the outputs have to be
    second_wanted_at,
    third_wanted_at,
    compaction_arrays
};
inline word* words(const session& s, compaction_array which) {
    return static_cast<word*>(s.array(which));
}

/// Where in device memory calls leave their counts, two at most.
std::uint64_t* counts_at(session& s);
using compaction_counts = std::array<std::uint64_t, 2>;

/// A call that writes to the outputs.
struct contestant {
    implementation run;
    bool rest_backwards = false;  ///< partitions into one output, with the rest in reverse order
    std::shared_ptr<std::uint64_t> count_on_host = nullptr;  ///< null if it is at counts_at
};

/// Our call in place: it turns `arrays` into what is wanted of the outputs. Two outputs at most.
struct in_place_call {
    std::function<void()> call;
    std::vector<compaction_array> arrays;
};

/// One primitive on an input that is ready.
struct contest {
    std::uint64_t read_bytes = 0;
    int counts = 0;
    /// How many items each output gets.
    std::function<std::vector<std::uint64_t>(const compaction_counts&)> lengths;
    /// Ours first, then the peer whose results count as right, then the others.
    std::vector<contestant> all;
    std::optional<in_place_call> in_place = std::nullopt;
};

/// Measures all sizes of one primitive on one kind of data. `make` fills the input with so many
/// items.
void measure(session& s, const observer& tell, const std::string& op, const std::string& data,
             const std::function<contest(std::uint64_t)>& make);
/// The same for some sizes, where each array begins 4 bytes behind a boundary.
void measure_off_boundaries(session& s, const observer& tell, const std::string& op,
                            const std::string& data,
                            const std::function<contest(std::uint64_t)>& make);

void measure_select_if(session& s, const observer& tell);
void measure_select_flagged(session& s, const observer& tell);
void measure_partition_if(session& s, const observer& tell);
void measure_unique(session& s, const observer& tell);
void measure_run_length_encode(session& s, const observer& tell);
void measure_reduce_by_key(session& s, const observer& tell);
void measure_scan_by_key(session& s, const observer& tell);
/// All of these but partitions, by other types than words.
void measure_other_types(session& s, const observer& tell);
/// Scans along rows and down columns of an array, beside the flat scan of as many items.
void measure_columns(session& s, const observer& tell);

}  // namespace lookback::bench
