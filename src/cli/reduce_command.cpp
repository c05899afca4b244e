// `lookback reduce-by-key`: the fold of the values of each run of equal keys.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "gpu_numbers.hpp"
#include "kept_kernels.hpp"
#include "kernels.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "segments.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

// Appends the key of each run that begins in the next window to `out`, and finds the heads there.
using key_reader = std::function<void(std::uint8_t* heads)>;

template <number K>
key_reader read_keys(const array_input& keys, std::size_t window, array_output& out,
                     const workplace& where) {
    return [windows = input_windows(keys, window), last = std::optional<K>{}, &out,
            &where](std::uint8_t* heads) mutable {
        windows.next();
        const std::size_t items = windows.items();
        K* const firsts = out.room<K>(items);
        const K* const all = windows.load(firsts);
        kept_kernels<K>::find_heads(all, items, last, heads, where.threads);
        last = all[items - 1];
        const std::size_t goes_on = heads[0] == 0 ? 1 : 0;
        const std::size_t runs = kept_kernels<K>::unique(all, items, firsts, where);
        out.append(std::span<const K>(firsts + goes_on, runs - goes_on));
    };
}

// As kernels<T>::reduce_segments.
template <number T>
std::size_t reduce_on_gpu(on_gpu::window_memory& memory, operation op, const T* in,
                          std::size_t items, const std::uint8_t* heads, T* out,
                          std::optional<T>& carry) {
    using U = on_gpu_as<T>;
    std::optional<U> open = carry;
    const std::size_t closed = on_gpu::segments_window<U>::reduce(
        memory, array_of<U>(in), items, heads, array_of<U>(out), on_gpu_operation<T>(op), open);
    carry = open;
    return closed;
}

// On the CPU, windows are whole tiles of the library's reduction by key, and each goes on with the
// fold of the run that is open where the one before it ends: the bits are those of one reduction of
// all.
template <number T>
void reduce(operation op, const array_input& keys, const array_input& values,
            array_output& keys_out, array_output& values_out, const workplace& where) {
    const kernels<T>& kernel = kernels_of<T>(op);
    const std::size_t window =
        window_items(where.window_bytes, std::max(sizeof(T), size_of(keys.type())),
                     where.tile(kernel.reduce_segments_tile));
    const key_reader read = with_type(keys.type(), [&]<class K>(std::type_identity<K>) {
        return read_keys<K>(keys, window, keys_out, where);
    });
    std::vector<std::uint8_t> heads(std::min(window, values.items()));
    std::optional<T> open;  // the fold of the last run of the windows before
    progress bar(keys.bytes() + values.bytes());
    input_windows windows(values, window);
    while (windows.next()) {
        const std::size_t items = windows.items();
        read(heads.data());
        T* const folds = values_out.room<T>(items + 1);
        const T* const from = windows.load(folds);
        const std::size_t closed =
            where.memory
                ? reduce_on_gpu(*where.memory, op, from, items, heads.data(), folds, open)
                : kernel.reduce_segments(from, items, heads.data(), folds, open, where.threads);
        values_out.append(std::span<const T>(folds, closed));
        bar.advance(items * (size_of(keys.type()) + size_of(values.type())));
    }
    if (open) values_out.append(*open);
}

}  // namespace

void run_reduce_by_key(const reduce_arguments& arguments) {
    const report done;
    const output_target keys_target =
        find_output(arguments.out, "-o", "OUT", std::nullopt, arguments.key_dtype.has_value());
    const output_target values_target = find_output(arguments.values_out, "--values", "OUT",
                                                    std::nullopt, arguments.dtype.has_value());
    check_distinct(keys_target, "-o", values_target, "--values");
    const operation op = parse_operation(arguments.op);
    workplace where = parse_workplace(arguments);
    check_inputs(arguments.keys, "KEYS", arguments.in, "VALUES");
    const array_input keys =
        open_input(arguments.keys, "KEYS", parse_dtype(arguments.key_dtype, "--key-dtype"));
    const array_input values =
        open_input(arguments.in, "VALUES", parse_dtype(arguments.dtype, "--dtype"));
    check_keys(keys, arguments.keys, values, arguments.in);
    const dtype type = choose_accumulator(arguments.out_dtype, op, values, arguments.in);
    where.take_gpu();

    array_output keys_out(keys_target, keys.type());
    array_output values_out(values_target, type);
    keys_out.begin_to_grow();
    values_out.begin_to_grow();
    with_type(type, [&]<class T>(std::type_identity<T>) {
        reduce<T>(op, keys, values, keys_out, values_out, where);
    });
    const std::uint64_t written = array_output::finish({&keys, &values}, {&keys_out, &values_out});
    if (!arguments.wants_json) return;
    done.print(fmt::format("\"n\": {}, \"runs\": {}, \"key_type\": \"{}\", \"type\": \"{}\", {}",
                           keys.items(), keys_out.appended(), name(keys.type()), name(type),
                           where.fields()),
               keys.bytes() + values.bytes() + written,
               is_standard_output(keys_target) || is_standard_output(values_target));
}

}  // namespace lookback::cli
