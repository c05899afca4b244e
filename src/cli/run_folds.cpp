#include "run_folds.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "arguments.hpp"
#include "error.hpp"
#include "table/convert.hpp"
#include "table/flags.hpp"
#include "table/table.hpp"

namespace lookback::cli {

// In the order of fold_kind, after by_operator.
static constexpr std::array<std::string_view, 4> more_folds{"mean", "count", "first", "last"};

fold parse_fold(const std::optional<std::string>& text) {
    if (!text) return {};
    for (std::size_t i = 0; i < more_folds.size(); ++i) {
        if (*text == more_folds[i]) return {.kind = static_cast<fold_kind>(i + 1)};
    }
    const auto* const at = std::find(operation_names.begin(), operation_names.end(), *text);
    if (at == operation_names.end()) {
        fail("--op {}: unknown operator; expected one of {}, {}", *text,
             fmt::join(operation_names, ", "), fmt::join(more_folds, ", "));
    }
    return {.op = parse_operation(text)};
}

dtype fold::computed_in(dtype type) const {
    if (kind == fold_kind::mean) return dtype::float64;
    return kind == fold_kind::count ? dtype::int64 : type;
}

element choose_fold_type(const fold& of, const std::optional<std::string>& out_dtype,
                         bool is_promoted, const array_input& in, const std::string& path) {
    if (of.kind == fold_kind::by_operator) {
        return choose_accumulator(out_dtype, is_promoted, of.op, in, path);
    }
    if (of.kind == fold_kind::count) {
        if (out_dtype) fail("--out-dtype: cannot be used with --op count, which is int64");
        return dtype::int64;
    }
    if (of.kind != fold_kind::mean) {
        return choose_accumulator(out_dtype, is_promoted, operation::max, in, path);
    }
    const element type = parse_dtype(out_dtype, "--out-dtype").value_or(dtype::float64);
    if (!is_float(type.computed)) {
        fail("--out-dtype {}: cannot be used with --op mean; expected a type of floats",
             name(type));
    }
    return type;
}

// Folds in the order of the values. `out` may be `in`.
template <class T>
static std::size_t fold_one_by_one(bool is_product, const T* in, std::size_t items,
                                   const std::uint8_t* heads, T* out, std::optional<scalar>& open) {
    std::size_t known = 0;
    T folded = open ? open->as<T>() : T{};
    for (std::size_t i = 0; i < items; ++i) {
        const T value = in[i];
        if (heads[i] == 0) {
            folded = is_product ? folded * value : folded + value;
            continue;
        }
        if (open || i > 0) out[known++] = folded;
        folded = value;
    }
    open = scalar(folded);
    return known;
}

std::size_t run_folds::next(const input_windows& values, const std::uint8_t* heads,
                            std::byte* out) {
    const std::size_t items = values.items();
    switch (of_.kind) {
        case fold_kind::by_operator: break;
        case fold_kind::mean: return next_means(values, heads, out);
        case fold_kind::count:
            return count_next(items, heads, reinterpret_cast<std::int64_t*>(out));
        case fold_kind::first: return next_firsts(values, heads, out);
        case fold_kind::last: return next_lasts(values, heads, out);
    }
    return reduce(type_, of_.op, values.load(type_, out), items, heads, out, open_);
}

std::size_t run_folds::reduce(dtype type, operation op, const void* in, std::size_t items,
                              const std::uint8_t* heads, void* out,
                              std::optional<scalar>& open) const {
    const bool is_sum = op == operation::sum || op == operation::product;
    if (!is_one_by_one_ || !is_float(type) || !is_sum) {
        return reduce_segments(where_->on(), type, op, in, items, heads, out, open);
    }
    return with_type(type, [&]<class T>(std::type_identity<T>) -> std::size_t {
        if constexpr (std::is_floating_point_v<T>) {
            return fold_one_by_one(op == operation::product, static_cast<const T*>(in), items,
                                   heads, static_cast<T*>(out), open);
        }
        return 0;
    });
}

void run_folds::become(dtype type) {
    const dtype before = std::exchange(type_, type);
    const bool is_of_values = of_.kind != fold_kind::mean && of_.kind != fold_kind::count;
    if (open_ && is_of_values) open_ = convert(before, *open_, type);
}

std::size_t run_folds::count_next(std::size_t items, const std::uint8_t* heads, std::int64_t* out) {
    std::fill_n(out, items, std::int64_t{1});
    return reduce_segments(where_->on(), dtype::int64, operation::sum, out, items, heads, out,
                           of_.kind == fold_kind::mean ? open_count_ : open_);
}

std::size_t run_folds::next_means(const input_windows& values, const std::uint8_t* heads,
                                  std::byte* out) {
    const std::size_t items = values.items();
    sums_.resize(items + 1);
    counts_.resize(items + 1);
    const std::size_t closed =
        reduce(dtype::float64, operation::sum, values.load(dtype::float64, sums_.data()), items,
               heads, sums_.data(), open_);
    count_next(items, heads, counts_.data());
    for (std::size_t i = 0; i < closed; ++i) {
        put_mean(sums_[i], counts_[i], out + i * size_of(type_));
    }
    return closed;
}

void run_folds::put_mean(double sum, std::int64_t count, std::byte* out) const {
    const double mean = sum / static_cast<double>(count);
    convert(dtype::float64, &mean, 1, type_, out);
}

// If a run goes on from the window before, its first value is in that window or an earlier one.
std::size_t run_folds::next_firsts(const input_windows& values, const std::uint8_t* heads,
                                   std::byte* out) {
    const std::size_t items = values.items(), size = size_of(type_);
    shifted_.resize(items * size);
    const std::size_t before = open_ ? 1 : 0;
    if (open_) open_->put(type_, out);
    const std::size_t known =
        before + select_flagged(size, values.load(type_, shifted_.data()), items, heads,
                                out + before * size, where_->threads);
    open_ = scalar(type_, out + (known - 1) * size);
    return known - 1;
}

// The last value of a run comes just before a head. Before the window's first item comes the last
// item of the window before.
std::size_t run_folds::next_lasts(const input_windows& values, const std::uint8_t* heads,
                                  std::byte* out) {
    const std::size_t items = values.items(), size = size_of(type_);
    shifted_.resize((items + 1) * size);
    std::byte* const here = shifted_.data() + size;
    const void* const at = values.load(type_, here);
    if (at != here) std::memcpy(here, at, items * size);
    const bool has_before = open_.has_value();
    if (has_before) open_->put(type_, shifted_.data());
    open_ = scalar(type_, here + (items - 1) * size);
    const std::size_t skipped = has_before ? 0 : 1;
    return select_flagged(size, shifted_.data() + skipped * size, items - skipped, heads + skipped,
                          out, where_->threads);
}

bool run_folds::finish(std::byte* out) const {
    if (!open_) return false;
    if (of_.kind == fold_kind::mean) {
        put_mean(open_->as<double>(), open_count_->as<std::int64_t>(), out);
    } else {
        open_->put(type_, out);
    }
    return true;
}

}  // namespace lookback::cli
