/// \file
/// Scans on CUDA GPUs, for programs compiled by nvcc. The contract is that of scan.hpp, with these
/// differences:
///
/// - iterators point to device memory, or compute their values there; arrays may have any
///   alignment: results differ in speed, not in bits;
/// - element, accumulator and output types are trivially copyable, accumulators of up to 64 bytes
///   and an alignment of up to 16; the operator can be called on the device; where the output lies
///   over what an iterator computes its values from, those may be computed from results, too, even
///   half written ones: they are not used, and the operator does not see them;
/// - calls are asynchronous (gpu/execution.hpp), on the device that the lookback::gpu was made
/// for;
/// - the initial value, and the number of items, may lie in device memory;
/// - the tree of a float sum is another than on the CPU; it, too, depends on the type and the
///   number of items alone (docs/design.md, "The tree").
///
/// An inclusive scan without an initial value cannot take a bare extended `__device__` lambda: the
/// host does not see what it returns. Wrap it in cuda::proclaim_return_type.
///
/// Errors: those of scan.hpp; std::invalid_argument where another device is current, and for more
/// items than 2^31 tiles have, which are of a few thousand items each, as of scans of numbers of 4
/// bytes 10,880; cuda_error where a call of CUDA's fails. Other headers for CUDA likewise.
///
/// Bytes moved: each item read once, each result written once. One kernel launch.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "lookback/detail/arguments.hpp"
#include "lookback/detail/ranges.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/gpu/execution.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/scan_problem.hpp"
#include "lookback/operators.hpp"
#include "lookback/scan.hpp"

namespace lookback {

/// An initial value in device memory, read when the scan runs. It may not lie in the output.
template <class T>
struct device_value {
    const T* at;
};

/// A number of items in device memory, read when the scan runs, in the place of the input's end:
/// the scan covers the smaller of it and `at_most`. It may not lie in the output. (The tree of a
/// float sum goes by `at_most`.) N is an integer of 4 or 8 bytes, not negative.
template <std::integral N>
    requires(sizeof(N) == 4 || sizeof(N) == 8)
struct device_count {
    const N* at;
    std::size_t at_most;
};

namespace detail::device {

template <class Last, class In>
inline constexpr bool ends = std::same_as<Last, In>;
template <class N, class In>
inline constexpr bool ends<device_count<N>, In> = true;

template <class Op>
inline constexpr bool hides_its_result =
#ifdef __CUDACC_EXTENDED_LAMBDA__
    __nv_is_extended_device_lambda_closure_type(Op) &&
    !__nv_is_extended_device_lambda_with_preserved_return_type(Op);
#else
    false;
#endif

template <class Op, class A>
concept device_operator = hides_its_result<Op> || associative_operator<Op, A>;

template <class A>
concept device_accumulator = std::is_trivially_copyable_v<A> && std::default_initializable<A> &&
                                 sizeof(A) <= 64 &&
                             alignof(A) <= 16;

template <class Init>
struct init_type {
    using type = Init;
    static initial_value<Init> make(const Init& value) { return {value, nullptr, true}; }
};
template <class T>
struct init_type<device_value<T>> {
    using type = T;
    static initial_value<T> make(const device_value<T>& value) {
        if (value.at == nullptr) {
            throw std::invalid_argument("lookback: device_value.at is a null pointer");
        }
        return {{}, value.at, true};
    }
};

/// The initial value of a scan of `In`.
template <class In, class Init>
auto begin_with(const Init& init) {
    static_assert(scan_init<typename init_type<Init>::type, In>,
                  "the initial value cannot hold all values of the items; write one of the items' "
                  "type, such as std::uint64_t{0}");
    return init_type<Init>::make(init);
}

template <class In>
item_count count_items(const In& first, const In& last) {
    return {checked_count(first, last)};
}
template <class In, class N>
item_count count_items(const In&, const device_count<N>& count) {
    if (count.at == nullptr) {
        throw std::invalid_argument("lookback: device_count.at is a null pointer");
    }
    return {count.at_most, count.at, sizeof(N)};
}

template <class T>
bool on_vector_boundary(const T* first, int step) {
    return reinterpret_cast<std::uintptr_t>(step > 0 ? first : first + 1) % 16 == 0;
}

template <bool exclusive, class A, class In, class Last, class Out, class Op>
Out scan(gpu& where, const In& first, const Last& last, const Out& out, const initial_value<A>& init,
         const Op& op) {
    const item_count count = count_items(first, last);
    const auto whole = access::begin_call(where);
    const Out end = out + static_cast<std::iter_difference_t<Out>>(count.at_most);
    if (count.at_most == 0) return end;
    check_memory(first, out, count.at_most);
    auto from = forward<In>::start(first);
    auto to = forward<Out>::start(out);
    constexpr int step = forward<In>::step;
    static_assert(step == forward<Out>::step, "scan both forward, or both by reverse iterators");
    using problem_type = scan_problem<exclusive, decltype(from), decltype(to), A, Op, step>;
    bool in_place = true;  // nobody knows what an iterator reads
    bool aligned = false;
    if constexpr (std::is_pointer_v<decltype(from)> && std::is_pointer_v<decltype(to)>) {
        in_place = static_cast<const void*>(from) == static_cast<const void*>(to);
        aligned = problem_type::can_be_aligned && on_vector_boundary(from, step) &&
                  on_vector_boundary(to, step);
    }
    launch_scan(where, problem_type{from, to, op, init, count, in_place, aligned});
    return end;
}

}  // namespace detail::device

/// Inclusive scan of [first, last) to `out`; `last` may be a device_count. Returns the end of the
/// output, at the largest count that there may be.
template <std::random_access_iterator In, class Last, class Out, class Op = plus<>>
    requires(detail::device::ends<Last, In> && !detail::device::hides_its_result<Op>)
Out inclusive_scan(gpu& where, In first, Last last, Out out, Op op = {}) {
    using A = scan_accumulator<In, Op>;
    static_assert(detail::device::device_operator<Op, A> && detail::device::device_accumulator<A>);
    return detail::device::scan<false, A>(where, first, last, out, detail::device::initial_value<A>{}, op);
}

/// Inclusive scan with a value before the first item, on the host or a device_value.
template <std::random_access_iterator In, class Last, class Out, class Op, class Init>
    requires detail::device::ends<Last, In> Out inclusive_scan(gpu& where, In first, Last last, Out out,
                                                            Op op, Init init) {
        using A = typename detail::device::init_type<Init>::type;
        static_assert(detail::device::device_operator<Op, A> && detail::device::device_accumulator<A>);
        return detail::device::scan<false, A>(where, first, last, out, detail::device::begin_with<In>(init),
                                           op);
    }

/// Exclusive scan of [first, last) to `out`, from a value on the host or a device_value, or else
/// from zero.
template <std::random_access_iterator In, class Last, class Out,
          class Init = scan_accumulator<In, plus<>>, class Op = plus<>>
    requires detail::device::ends<Last, In> Out exclusive_scan(gpu& where, In first, Last last, Out out,
                                                            Init init = Init{}, Op op = {}) {
        using A = typename detail::device::init_type<Init>::type;
        static_assert(detail::device::device_operator<Op, A> && detail::device::device_accumulator<A>);
        return detail::device::scan<true, A>(where, first, last, out, detail::device::begin_with<In>(init),
                                          op);
    }

/// Inclusive scan of a range of device memory, to the beginning of one that is at least as long.
template <detail::sized_input In, detail::sized_output Out, class Op = plus<>>
auto inclusive_scan(gpu& where, In&& in, Out&& out, Op op = {}) {
    detail::check_room(in, out);
    return lookback::inclusive_scan(where, std::ranges::begin(in), detail::end_of(in),
                                    std::ranges::begin(out), op);
}

/// Inclusive scan of a range with a value before the first item.
template <detail::sized_input In, detail::sized_output Out, class Op, class Init>
auto inclusive_scan(gpu& where, In&& in, Out&& out, Op op, Init init) {
    detail::check_room(in, out);
    return lookback::inclusive_scan(where, std::ranges::begin(in), detail::end_of(in),
                                    std::ranges::begin(out), op, init);
}

/// Exclusive scan of a range, to the beginning of one that is at least as long.
template <detail::sized_input In, detail::sized_output Out,
          class Init = scan_accumulator<detail::iterator_of<In>, plus<>>, class Op = plus<>>
auto exclusive_scan(gpu& where, In&& in, Out&& out, Init init = Init{}, Op op = {}) {
    detail::check_room(in, out);
    return lookback::exclusive_scan(where, std::ranges::begin(in), detail::end_of(in),
                                    std::ranges::begin(out), init, op);
}

}  // namespace lookback
