/// \file
/// The fold of each run of equal keys, a window at a time: by an operator, or the mean, the number
/// of values, the first or the last of them.
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

    /// In which type it is computed that is written in `type`.
    dtype computed_in(dtype type) const;
};

/// --op; sum by default.
fold parse_fold(const std::optional<std::string>& text);

/// What it is written in: --out-dtype, or as an operator does (arguments.hpp), but for means, which
/// are float64, and numbers of values, int64.
element choose_fold_type(const fold& of, const std::optional<std::string>& out_dtype,
                         bool is_promoted, const array_input& in, const std::string& path);

/// Each window goes on with the fold of the run that is open where the one before it ends. On the
/// CPU, where windows are whole tiles of the library's reduction by key, the bits are those of one
/// reduction of all. Where they are not, as they come from a stream, sums and products of floats
/// are to be folded one value after the other, as by a plain loop.
class run_folds {
 public:
    run_folds(const fold& of, dtype type, const workplace& where, bool is_one_by_one = false)
        : of_(of), type_(type), where_(&where), is_one_by_one_(is_one_by_one) {}

    /// Folds have another type from here on.
    void become(dtype type);

    /// Of the values where `values` stands, which begin runs where `heads` is not 0: writes folds
    /// of the runs that end before the last of these to `out`, which has room for one more than
    /// there are values. Returns how many.
    std::size_t next(const input_windows& values, const std::uint8_t* heads, std::byte* out);
    /// At the end: the one that is not written yet, if there is one.
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
    std::optional<scalar> open_;        // fold of the last run
    std::optional<scalar> open_count_;  // of a mean
    std::vector<double> sums_;
    std::vector<std::int64_t> counts_;
    std::vector<std::byte> shifted_;
};

}  // namespace lookback::cli
