/// \file
/// The fold of each run of equal keys, window by window: by an operator, or the mean, the count,
/// the first or the last of the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "array_input.hpp"
#include "element.hpp"
#include "windows.hpp"
#include "workplace.hpp"

namespace lookback::cli {

enum class fold_kind { by_operator, mean, count, first, last };

struct fold {
    fold_kind kind = fold_kind::by_operator;
    operation op = operation::sum;

    /// The type in which the fold is computed, if it is written as `type`.
    dtype computed_in(dtype type) const;
};

/// --op; sum by default.
fold parse_fold(const std::optional<std::string>& text);

/// The type in which the fold is written: --out-dtype, or the default of its operator
/// (arguments.hpp). The default for means is float64; counts are int64.
element choose_fold_type(const fold& of, const std::optional<std::string>& out_dtype,
                         bool is_promoted, const array_input& in, const std::string& path);

/// A run that is open at the end of a window goes on in the next window, from its fold so far. On
/// the CPU, windows are whole tiles of the library's reduction by key, so the bits are those of one
/// reduction of everything. Where windows of a stream end as the input pauses, they are not whole
/// tiles: then sums and products of floats are folded one value after the other (`is_one_by_one`),
/// as by a plain loop.
class run_folds {
 public:
    run_folds(const fold& of, dtype type, const workplace& where, bool is_one_by_one = false)
        : of_(of), type_(type), where_(&where), is_one_by_one_(is_one_by_one) {}

    /// From here on folds have this type.
    void become(dtype type);

    /// Takes the values of the current window, where runs begin at the items whose `heads` are not
    /// 0. Writes the folds of the runs that end before the window's last item to `out`, which has
    /// room for one fold more than there are values. Returns how many it has written.
    std::size_t next(const input_windows& values, const std::uint8_t* heads, std::byte* out);
    /// At the end: writes the fold of the open run, if there is one.
    bool finish(std::byte* out) const;

 private:
    std::size_t count_next(std::size_t items, const std::uint8_t* heads, std::int64_t* out);
    void put_mean(double sum, std::int64_t count, std::byte* out) const;
    std::size_t next_means(const input_windows& values, const std::uint8_t* heads, std::byte* out);
    std::size_t next_lasts(const input_windows& values, const std::uint8_t* heads, std::byte* out);

    std::size_t next_firsts(const input_windows& values, const std::uint8_t* heads, std::byte* out);
    std::size_t reduce(dtype type, operation op, const void* in, std::size_t items,
                       const std::uint8_t* heads, void* out, std::optional<scalar>& open) const;

    fold of_;
    dtype type_;
    const workplace* where_;
    bool is_one_by_one_;
    std::optional<scalar> open_;        // the fold of the last run
    std::optional<scalar> open_count_;  // for a mean
    std::vector<double> sums_;
    std::vector<std::int64_t> counts_;
    std::vector<std::byte> shifted_;
};

}  // namespace lookback::cli
