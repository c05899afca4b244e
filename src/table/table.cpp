#include "table/table.hpp"

#include <type_traits>

#include "table/compaction.hpp"
#include "table/folding.hpp"

namespace lookback::table {
namespace {

bool is_ordered(operation op) { return op == operation::min || op == operation::max; }

on_gpu::operation on_gpu_operation(dtype type, operation op) {
    switch (op) {
        case operation::sum: break;
        case operation::product: return on_gpu::operation::product;
        case operation::min:
            return is_signed_integer(type) ? on_gpu::operation::signed_min : on_gpu::operation::min;
        case operation::max:
            return is_signed_integer(type) ? on_gpu::operation::signed_max : on_gpu::operation::max;
        case operation::bit_and: return on_gpu::operation::bit_and;
        case operation::bit_or: return on_gpu::operation::bit_or;
        case operation::bit_xor: return on_gpu::operation::bit_xor;
    }
    return on_gpu::operation::sum;
}

on_gpu::number_kind kind_of(dtype type) {
    return is_float(type)            ? on_gpu::number_kind::real
           : is_signed_integer(type) ? on_gpu::number_kind::signed_integer
                                     : on_gpu::number_kind::unsigned_integer;
}

// Calls `f` with the type that computes with these numbers: signed integers are computed as
// unsigned ones, except for their order.
template <class F>
decltype(auto) with_computing(dtype type, F&& f) {
    if (type == dtype::float32) return f(std::type_identity<float>{});
    if (type == dtype::float64) return f(std::type_identity<double>{});
    return with_bits(size_of(type), f);
}

template <class U>
on_gpu::wanted_numbers<U> on_gpu_wanted(dtype type, const wanted& which) {
    return {static_cast<const U*>(which.ends), which.intervals, which.has_nan, kind_of(type)};
}

}  // namespace

const folding& folding_of(dtype type, operation op) {
    const dtype same = is_ordered(op) ? type : without_sign(type);
    return with_type(same, [&]<class T>(std::type_identity<T>) -> const folding& {
        return typed_folding<T>(op);
    });
}

const compaction& compaction_of(dtype type) {
    return with_computing(type, []<class T>(std::type_identity<T>) -> const compaction& {
        return typed_compaction<T>();
    });
}

std::size_t scan_tile(dtype type) { return folding_of(type, operation::sum).scan_tile; }
std::size_t scan_segments_tile(dtype type, const machine& where) {
    return where.gpu ? 1 : folding_of(type, operation::sum).scan_segments_tile;
}
std::size_t reduce_segments_tile(dtype type, const machine& where) {
    return where.gpu ? 1 : folding_of(type, operation::sum).reduce_segments_tile;
}

scalar identity_of(dtype type, operation op) { return folding_of(type, op).identity; }

void scan(dtype type, operation op, bool is_backward, const void* in, std::size_t items, void* out,
          const std::optional<scalar>& seed, int threads) {
    folding_of(type, op).scan(in, items, out, seed, is_backward, threads);
}

void start_scan(on_gpu::window_scan& gpu, dtype type, operation op, bool is_backward,
                std::size_t items, const std::optional<scalar>& seed) {
    with_computing(type, [&]<class T>(std::type_identity<T>) {
        gpu.start(items, on_gpu_operation(type, op), is_backward, as<T>(seed));
    });
}

void scan_columns(dtype type, operation op, bool is_exclusive, bool is_backward, const void* in,
                  rows_shape shape, void* out, void* carry, bool has_carry) {
    folding_of(type, op).scan_columns(in, shape, out, carry, has_carry, is_exclusive, is_backward);
}

void scan_segments(const machine& where, dtype type, operation op, bool is_exclusive,
                   const void* in, std::size_t items, const std::uint8_t* heads, void* out,
                   const std::optional<scalar>& seed, std::optional<scalar>& carry) {
    if (where.gpu == nullptr) {
        return folding_of(type, op).scan_segments(in, items, heads, out, seed, carry, is_exclusive,
                                                  where.threads);
    }
    with_computing(type, [&]<class T>(std::type_identity<T>) {
        std::optional<T> open = as<T>(carry);
        on_gpu::segments_window<T>::scan(*where.gpu, static_cast<const T*>(in), items, heads,
                                         static_cast<T*>(out), on_gpu_operation(type, op),
                                         as<T>(seed), open, is_exclusive);
        carry = scalar_of(open);
    });
}

std::size_t reduce_segments(const machine& where, dtype type, operation op, const void* in,
                            std::size_t items, const std::uint8_t* heads, void* out,
                            std::optional<scalar>& carry) {
    if (where.gpu == nullptr) {
        return folding_of(type, op).reduce_segments(in, items, heads, out, carry, where.threads);
    }
    return with_computing(type, [&]<class T>(std::type_identity<T>) {
        std::optional<T> open = as<T>(carry);
        const std::size_t closed = on_gpu::segments_window<T>::reduce(
            *where.gpu, static_cast<const T*>(in), items, heads, static_cast<T*>(out),
            on_gpu_operation(type, op), open);
        carry = scalar_of(open);
        return closed;
    });
}

std::size_t select(const machine& where, dtype type, const void* in, std::size_t items, void* out,
                   const wanted& which) {
    if (where.gpu == nullptr) {
        return compaction_of(type).select(in, items, out, is_signed_integer(type), which,
                                          where.threads);
    }
    return with_bits(size_of(type), [&]<class U>(std::type_identity<U>) {
        return on_gpu::compaction_window<U>::select(*where.gpu, static_cast<const U*>(in), items,
                                                    static_cast<U*>(out),
                                                    on_gpu_wanted<U>(type, which));
    });
}

std::size_t partition(const machine& where, dtype type, const void* in, std::size_t items,
                      void* out, void* rest, const wanted& which) {
    if (where.gpu == nullptr) {
        return compaction_of(type).partition(in, items, out, rest, is_signed_integer(type), which,
                                             where.threads);
    }
    return with_bits(size_of(type), [&]<class U>(std::type_identity<U>) {
        return on_gpu::compaction_window<U>::partition(*where.gpu, static_cast<const U*>(in), items,
                                                       static_cast<U*>(out), static_cast<U*>(rest),
                                                       on_gpu_wanted<U>(type, which));
    });
}

std::size_t unique(const machine& where, dtype type, const void* in, std::size_t items, void* out) {
    if (where.gpu == nullptr) return compaction_of(type).unique(in, items, out, where.threads);
    return with_bits(size_of(type), [&]<class U>(std::type_identity<U>) {
        return on_gpu::compaction_window<U>::unique(*where.gpu, static_cast<const U*>(in), items,
                                                    static_cast<U*>(out), kind_of(type));
    });
}

std::size_t run_length_encode(const machine& where, dtype type, const void* in, std::size_t items,
                              void* out, std::int64_t* lengths) {
    if (where.gpu == nullptr) {
        return compaction_of(type).run_length_encode(in, items, out, lengths, where.threads);
    }
    return with_bits(size_of(type), [&]<class U>(std::type_identity<U>) {
        return on_gpu::compaction_window<U>::run_length_encode(
            *where.gpu, static_cast<const U*>(in), items, static_cast<U*>(out), lengths,
            kind_of(type));
    });
}

void find_heads(dtype type, const void* in, std::size_t items, const std::optional<scalar>& before,
                std::uint8_t* heads, int threads) {
    compaction_of(type).find_heads(in, items, before, heads, threads);
}

}  // namespace lookback::table
