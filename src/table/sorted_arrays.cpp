#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>

#include "lookback/detail/cpu/shares.hpp"
#include "table/arrays.hpp"
#include "table/sorting.hpp"

namespace lookback::table {
namespace {

word_kind kind_of(bool is_descending) {
    return is_descending ? word_kind::descending : word_kind::ascending;
}

template <class Sort>
void for_each_row(std::size_t rows, std::size_t width, int threads, const Sort& sort) {
    constexpr std::size_t items_of_one_thread = 1 << 15;
    if (width >= items_of_one_thread) {
        for (std::size_t row = 0; row < rows; ++row) sort(row, threads);
        return;
    }
    const std::size_t share = std::max<std::size_t>(1, (1 << 14) / std::max<std::size_t>(width, 1));
    detail::for_shares(cpu{.threads = threads}, rows, share,
                       [&](std::size_t begin, std::size_t end) {
                           for (std::size_t row = begin; row < end; ++row) sort(row, 1);
                       });
}

// Memory for words, allocated as numbers of 8 bytes: this aligns it for words of any size.
struct words {
    words(std::size_t items, std::size_t bytes)
        : memory(std::make_unique_for_overwrite<std::uint64_t[]>((items * bytes + 7) / 8)) {}
    void* at() const { return memory.get(); }
    std::unique_ptr<std::uint64_t[]> memory;
};

}  // namespace

void sort_rows(dtype type, const void* in, std::size_t rows, std::size_t width, void* out,
               bool is_descending, int threads) {
    const std::size_t bytes = size_of(type);
    const word_kind kind = kind_of(is_descending);
    for_each_row(rows, width, threads, [&](std::size_t row, int row_threads) {
        auto* const to = static_cast<std::byte*>(out) + row * width * bytes;
        make_words(type, static_cast<const std::byte*>(in) + row * width * bytes, width, kind,
                   bytes, to, row_threads);
        sort_words({.threads = row_threads}, bytes, to, 0, nullptr, width);
        make_numbers(bytes, to, width, kind, type, to, row_threads);
    });
}

void sort_order_rows(dtype type, const void* in, std::size_t rows, std::size_t width,
                     std::int64_t* order, bool is_descending, int threads) {
    const std::size_t key_bytes = std::max<std::size_t>(size_of(type), 4);
    const bool is_short = width <= std::numeric_limits<std::uint32_t>::max();
    for_each_row(rows, width, threads, [&](std::size_t row, int row_threads) {
        const words keys(width, key_bytes);
        make_words(type, static_cast<const std::byte*>(in) + row * width * size_of(type), width,
                   kind_of(is_descending), key_bytes, keys.at(), row_threads);
        std::int64_t* const to = order + row * width;
        const machine where{.threads = row_threads};
        if (is_short) {
            const words numbers(width, 4);
            count_up(0, width, 4, numbers.at(), row_threads);
            sort_words(where, key_bytes, keys.at(), 4, numbers.at(), width);
            make_words(dtype::uint32, numbers.at(), width, word_kind::bits, 8, to, row_threads);
        } else {
            count_up(0, width, 8, to, row_threads);
            sort_words(where, key_bytes, keys.at(), 8, to, width);
        }
    });
}

void sort_pairs(dtype keys, const void* in, dtype values, const void* values_in, std::size_t items,
                void* out, void* values_out, bool is_descending, int threads) {
    const std::size_t key_bytes = std::max<std::size_t>(size_of(keys), 4);
    const std::size_t value_bytes = std::max<std::size_t>(size_of(values), 4);
    const bool keys_fit = key_bytes == size_of(keys);
    const bool values_fit = value_bytes == size_of(values);
    const words wider_keys(keys_fit ? 0 : items, key_bytes);
    const words wider_values(values_fit ? 0 : items, value_bytes);
    void* const key_words = keys_fit ? out : wider_keys.at();
    void* const value_words = values_fit ? values_out : wider_values.at();
    const word_kind kind = kind_of(is_descending);
    make_words(keys, in, items, kind, key_bytes, key_words, threads);
    make_words(values, values_in, items, word_kind::bits, value_bytes, value_words, threads);
    sort_words({.threads = threads}, key_bytes, key_words, value_bytes, value_words, items);
    make_numbers(key_bytes, key_words, items, kind, keys, out, threads);
    make_numbers(value_bytes, value_words, items, word_kind::bits, values, values_out, threads);
}

}  // namespace lookback::table
