// Calls that must not compile, by number. Each has the reason that the compiler must name first, or
// words of its static assertion. Case 0 compiles. first_lines.py compiles them one by one.
#include <cstdint>
#include <list>
#include <vector>

#include "lookback/lookback.hpp"

struct no_number {};
struct only_written {
    using difference_type = std::ptrdiff_t;
    struct place {
        void operator=(int) const {}
    };
    place operator[](std::ptrdiff_t) const { return {}; }
    only_written operator+(std::ptrdiff_t) const { return {}; }
};

int main() {
    using lookback::cpu;
    std::vector<int> in(3), out(3);
    std::vector<double> floats(3);
    std::vector<std::uint64_t> wide(3);
    const std::vector<int> fixed(3);
    const auto takes_one = [](int a) { return a; };
    const lookback::axis_extents extents{1, 1, 3};
#if CASE == 0
    lookback::inclusive_scan(
        cpu{}, in, out, [](int a, int b) { return a + b; }, 0);
    lookback::exclusive_scan(wide, wide, std::uint64_t{0});
    lookback::exclusive_scan(floats, floats);
    lookback::select_if(in, out, takes_one);
    lookback::select_if(in.begin(), in.end(), only_written{}, [](int) mutable { return true; });
    lookback::inclusive_segmented_scan(in, lookback::head_flags{in.begin()}, out);
    lookback::inclusive_segmented_scan(in, lookback::segment_offsets{in.begin(), in.end()}, out);
    lookback::reduce_by_key(in, in, out, wide);
    lookback::inclusive_scan(in, extents, floats);
    lookback::sort_keys(in, out, takes_one, lookback::sort_by{.descending = true});
    lookback::sort_pairs(cpu{}, floats, in, floats, out);
    lookback::sort_order(cpu{}, in.begin(), in.end(), out.begin());
#elif CASE == 1   // operator_must_take_two_accumulators_and_return_one
    lookback::inclusive_scan(cpu{}, in.begin(), in.end(), out.begin(), takes_one, 0);
#elif CASE == 2   // operator_must_take_two_accumulators_and_return_one
    lookback::inclusive_scan(in, out, takes_one);
#elif CASE == 3   // operator_must_take_two_accumulators_and_return_one
    lookback::exclusive_scan(in, extents, out, 0, takes_one);
#elif CASE == 4   // operator_must_take_two_accumulators_and_return_one
    lookback::reduce_by_key(in, in, out, out, takes_one);
#elif CASE == 5   // operator_must_take_two_accumulators_and_return_one
    lookback::inclusive_segmented_scan(in, lookback::head_flags{in.begin()}, out, 0, takes_one);
#elif CASE == 6   // operator_must_take_two_accumulators_and_return_one
    std::vector<no_number> none;
    lookback::inclusive_scan(none, none);
#elif CASE == 7   // initial_value_must_hold_any_item_write_one_of_type<long unsigned int>
    lookback::exclusive_scan(wide, wide, 0);
#elif CASE == 8   // initial_value_must_hold_any_item_write_one_of_type<double>
    lookback::exclusive_scan(cpu{}, floats.begin(), floats.end(), floats.begin(), 0);
#elif CASE == 9   // initial_value_must_hold_any_item_write_one_of_type<double>
    lookback::exclusive_scan_by_key(in, floats, floats, 0);
#elif CASE == 10  // output_is_a_temporary_and_would_be_lost
    lookback::inclusive_scan(in, std::vector<int>(3));
#elif CASE == 11  // output_is_a_temporary_and_would_be_lost
    lookback::unique_by_key(in, in, out, std::vector<int>(3));
#elif CASE == 12  // output_is_read_only_or_its_items_share_memory
    lookback::select_flagged(in, fixed, fixed);
#elif CASE == 13  // output_is_read_only_or_its_items_share_memory
    std::vector<bool> bits(3);
    lookback::exclusive_scan(in, bits);
#elif CASE == 14  // output_must_take_what_the_operator_returns
    std::vector<no_number> none;
    lookback::inclusive_scan(in, none);
#elif CASE == 15  // input_must_be_random_access_and_know_its_size
    std::list<int> list;
    lookback::partition_if(list, out, takes_one);
#elif CASE == 16  // predicate_must_take_an_item_and_return_bool
    lookback::partition_if(in, out, out, [](no_number) { return true; });
#elif CASE == 17  // predicate_must_take_an_item_and_return_bool
    lookback::select_if(cpu{}, in.begin(), in.end(), out.begin(), lookback::plus<>{});
#elif CASE == 18  // equality_must_take_two_items_and_return_bool
    lookback::run_length_encode(in, out, out, takes_one);
#elif CASE == 19  // no_form_of_this_function_takes_such_arguments
    lookback::inclusive_scan(in.begin(), in.cend(), out.begin());
#elif CASE == 20  // initial_value_must_hold_any_item_write_one_of_type<unsigned int>
    lookback::exclusive_scan(std::vector<unsigned>(3), out, 0);
#elif CASE == 21  // keys_must_be_integers_enumerations_or_floats_of_4_or_8_bytes
    std::vector<no_number> none;
    lookback::sort_keys(none, none);
#elif CASE == 22  // keys_must_be_integers_enumerations_or_floats_of_4_or_8_bytes
    std::vector<long double> precise;
    lookback::sort_pairs(cpu{}, precise, in, precise, out, lookback::sort_by{.descending = true});
#elif CASE == 23  // projection_must_take_an_item_and_return_a_key
    lookback::sort_order(in, out, [](int) { return no_number{}; });
#elif CASE == 24  // projection_must_take_an_item_and_return_a_key
    lookback::sort_keys(in.begin(), in.end(), out.begin(), lookback::plus<>{});
#elif CASE == 25  // output_is_a_temporary_and_would_be_lost
    lookback::sort_keys(in, std::vector<int>(3), lookback::sort_by{});
#elif CASE == 26  // input_must_be_random_access_and_know_its_size
    std::list<int> list;
    lookback::sort_keys(list, out);
#elif CASE == 27  // no_form_of_this_function_takes_such_arguments
    lookback::sort_order(in, floats);
#elif CASE == 28  // the one output of a partition is read again
    lookback::partition_if(in.begin(), in.end(), only_written{}, takes_one);
#endif
}
