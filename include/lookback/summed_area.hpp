/// \file
/// Summed-area tables: each entry is the sum of all items above it and to its left, itself
/// included.
///
///     summed_area_table(image, image_extents{height, width}, table);
///     summed_area_table(where, image.begin(), image_extents{height, width}, table.begin());
///     exclusive_summed_area_table(image, image_extents{height, width}, table);
///
/// The input is one image or a stack of images, with rows at any pitch. Items are numbers, pixels
/// of 1 to 4 channels (pixel.hpp), or of any type that has + and converts to the accumulator. The
/// accumulator A is the output's item type: bytes are summed into `std::uint32_t`, floats into
/// `double`, pixel<std::uint8_t, 4> into pixel<std::uint32_t, 4>. Each item is first converted to
/// A. A{} is the zero of exclusive tables.
///
/// Integers are exact modulo 2^bits, so that a difference of entries is right wherever the true
/// result fits in the type. Sums of floats have the same bits in every run: on CPUs for any number
/// of threads, in the order of detail/table_order.hpp, and on GPUs for any number of blocks, in the
/// order of detail/device/table_order.hpp. An image that is larger than memory is summed strip by
/// strip, each strip below the last row of the one before. Strips of a multiple of 64 rows on CPUs,
/// of 512 rows on GPUs, give the bits of a single call:
///
///     summed_area_table(where, strip, image_extents{512, width}, table, table_above{last_row});
///
/// Work O(n). Each item is read from memory once, and each entry is written once. (If two tables
/// are made of an image that is too narrow or too low for bands side by side, each item is read
/// twice.) Extra memory on the CPU is a row and a column of accumulators for each image, or 1/32 of
/// the accumulators' memory. Input may be any random-access iterator or range; iterators are
/// dereferenced up to twice for each table, from several threads at once. The output may be the
/// input if their items have the same size and their rows the same pitch, except in calls that
/// write two tables. Any other overlap of rows is refused where both are contiguous. If + throws,
/// the exception reaches the caller, and the outputs are partly written.
///
/// On a GPU: one launch, and one more for the zeros of each exclusive table. Each item is read
/// once, and each entry is written once. (Two tables whose entries together have more than 32 bytes
/// take two passes.) Accumulators are trivially copyable and have at most 32 bytes; in a tile that
/// the image's edge cuts off, A{} is also added. Input in memory is copied by words: of 16 bytes if
/// all rows begin and end on boundaries of 16 bytes, otherwise of fewer bytes, which is slower.
/// Other iterators are read item by item, and so are items four times as wide as their
/// accumulators. Extra memory: 5 % of the accumulators' memory for accumulators of 4 bytes, 7 % for
/// 8 and 12 bytes, 23 % for 16 bytes and more.
///
/// Errors: std::invalid_argument for a pitch that is smaller than a row, extents whose product does
/// not fit in 64 bits, ranges that are shorter than their extents, a null pointer with items,
/// memory that overlaps, or a negative number of threads; on a GPU as in scan.hpp.
///
/// Source: Crow 1984, "Summed-area tables for texture mapping"; by two look-backs in one pass after
/// Kasagi, Nakano & Ito 2014, "Parallel algorithms for the summed area table".
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "lookback/counts.hpp"
#include "lookback/cpu.hpp"
#include "lookback/detail/algorithm.hpp"
#include "lookback/detail/call.hpp"
#include "lookback/detail/image_shape.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/detail/table_order.hpp"
#include "lookback/pixel.hpp"

namespace lookback {

/// The last row of the table that lies above: `width` accumulators for each image of a stack, one
/// image after another.
template <std::random_access_iterator Row>
struct table_above {
    Row row;
};
template <class Row>
table_above(Row) -> table_above<Row>;

namespace detail {

/// Items that can be summed into accumulators of type `A`.
template <class In, class A>
concept summed_input =
    std::random_access_iterator<In> && std::constructible_from<A, std::iter_reference_t<In>> &&
    std::default_initializable<A> && std::copyable<A> && adds<A>;
template <class In, class Out>
concept summable =
    summed_input<In, std::iter_value_t<Out>> && indexed_output<Out, std::iter_value_t<Out>>;
template <class In, class Out>
concept squarable = summable<In, Out> && multiplied<std::iter_value_t<Out>>;

/// How an execution makes tables: specialised in detail/cpu/summed_area.hpp and
/// detail/device/summed_area.hpp, with
///
///     template <bool bordered, class In, class Out, class Squares, class Above>
///     static void run(where, In, const table_shape&, Out, Squares, Above);
///
/// where `Squares` is the output of squares or no_array, and `Above` is an iterator or no_array. In
/// bordered tables `run` writes the row and column of zeros as well, and their images may be empty.
template <class Execution>
struct summed_areas_on;

template <bool bordered, class Where, class In, class Out, class Squares, class Above>
Out make_tables(Where& execution, const In& in, const image_extents& extents, const Out& out,
                const Squares& squares, const Above& above) {
    auto&& where = execution_of(execution);
    using on = execution_type<Where>;
    [[maybe_unused]] const auto whole = calls_on<on>::begin(where);
    const image_rows from = detail::input_rows(extents);
    const image_rows to = detail::table_rows(extents, bordered);
    if (to.empty()) return out;
    constexpr bool alone = std::same_as<Squares, no_array>;
    detail::check_image_memory(in, from, "input", out, to,
                               alone ? in_place::allowed : in_place::refused);
    if constexpr (!alone) {
        detail::check_image_memory(in, from, "input", squares, to, in_place::refused);
        detail::check_image_memory(out, to, "table of sums", squares, to, in_place::refused);
    }
    if constexpr (!std::same_as<Above, no_array>) {
        detail::check_apart(above, from.images * from.width, "row above", out, to.span());
    }
    summed_areas_on<on>::template run<bordered>(where, in, detail::shape_of(from, to, bordered),
                                                out, squares, above);
    return out + static_cast<std::iter_difference_t<Out>>(to.span());
}

/// The form for ranges, whose sizes are checked.
template <class Form, bool bordered>
struct table_algorithm : algorithm<Form, takes::nothing, 1, 1> {
    using algorithm<Form, takes::nothing, 1, 1>::operator();

    template <class Where = cpu, class In, class Out, class... Rest,
              class = std::enable_if_t<execution<Where> && sized_input<In> && sized_output<Out> &&
                                       ((!std::ranges::range<Rest> || sized_output<Rest>)&&...)>>
    auto operator()(Where&& where, In&& in, image_extents extents, Out&& out, Rest&&... rest) const
        -> std::invoke_result_t<
            const Form&, Where&, iterator_of<In>, image_extents, iterator_of<Out>,
            decltype(detail::beginning<role::output>(std::declval<Rest>()))...> {
        detail::check_image_items("input", detail::input_rows(extents), detail::size_of(in));
        const image_rows to = detail::table_rows(extents, bordered);
        detail::check_image_items("output", to, detail::size_of(out));
        [[maybe_unused]] const auto check_other = [&]<class A>(A& other) {
            if constexpr (std::ranges::range<A>) {
                detail::check_image_items("output of squares", to, detail::size_of(other));
            }
        };
        (check_other(rest), ...);
        return Form{}(where, std::ranges::begin(in), extents, std::ranges::begin(out),
                      detail::beginning<role::output>(std::forward<Rest>(rest))...);
    }
};

template <bool bordered>
struct summed_area_table_form : table_algorithm<summed_area_table_form<bordered>, bordered> {
    using table_algorithm<summed_area_table_form<bordered>, bordered>::operator();

    template <execution Where = cpu, class First, class Out, class In = std::remove_cvref_t<First>>
        requires summable<In, Out>
    Out operator()(Where&& where, First&& first, image_extents extents, Out out) const {
        return detail::make_tables<bordered, std::remove_reference_t<Where>, In>(
            where, first, extents, out, no_array{}, no_array{});
    }

    template <execution Where = cpu, class First, class Out, class Row,
              class In = std::remove_cvref_t<First>>
        requires(!bordered && summable<In, Out> && summed_input<Row, std::iter_value_t<Out>>)
    Out operator()(Where&& where, First&& first, image_extents extents, Out out,
                   table_above<Row> above) const {
        return detail::make_tables<false, std::remove_reference_t<Where>, In>(
            where, first, extents, out, no_array{}, above.row);
    }
};

template <bool bordered>
struct summed_area_tables_form : table_algorithm<summed_area_tables_form<bordered>, bordered> {
    using table_algorithm<summed_area_tables_form<bordered>, bordered>::operator();

    template <execution Where = cpu, class First, class Out, class Squares,
              class In = std::remove_cvref_t<First>>
        requires summable<In, Out> && squarable<In, Squares>
    Out operator()(Where&& where, First&& first, image_extents extents, Out out,
                   Squares out_of_squares) const {
        return detail::make_tables<bordered, std::remove_reference_t<Where>, In>(
            where, first, extents, out, out_of_squares, no_array{});
    }
};

}  // namespace detail

/// The table of each image, with the image's height and width. Returns the end of its last row.
///
///     summed_area_table(where, in, extents, out)
///     summed_area_table(where, in, extents, out, table_above{row})   below another table
///
/// where `in` and `out` are iterators, or ranges that have room for what the extents cover.
inline constexpr detail::summed_area_table_form<false> summed_area_table;

/// The table whose entries sum the items above and to the left, without the entry's own row and
/// column. It has one row and one column more than the image, and the first row and column are
/// zeros, as in OpenCV's `integral`. out_pitch is the table's pitch; 0 means rows of width + 1
/// items without gaps.
///
///     exclusive_summed_area_table(where, in, extents, out)
inline constexpr detail::summed_area_table_form<true> exclusive_summed_area_table;

/// The table of sums and, in the same pass, the table of squares, each computed in the item type of
/// its own output: item a counts as A(a) in the first and as A(a) * A(a) in the second. Both tables
/// have the pitch out_pitch.
///
///     summed_area_tables(where, in, extents, out, out_of_squares)
inline constexpr detail::summed_area_tables_form<false> summed_area_tables;

/// The same two tables, with a row and a column of zeros.
///
///     exclusive_summed_area_tables(where, in, extents, out, out_of_squares)
inline constexpr detail::summed_area_tables_form<true> exclusive_summed_area_tables;

}  // namespace lookback

#include "lookback/detail/cpu/summed_area.hpp"
#if LOOKBACK_GPU
#include "lookback/detail/device/summed_area.hpp"
#endif
