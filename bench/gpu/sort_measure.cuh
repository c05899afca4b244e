/// \file
/// All cells of one type of keys, with values or without.
#pragma once

#include <cub/device/device_radix_sort.cuh>
#include <string>
#include <vector>

#include "sort_contest.cuh"

namespace lookback::bench {

inline constexpr std::uint64_t largest_sort_for_host = std::uint64_t{1} << 16;

/// One input, and its sorts.
template <class Key, class Value, bool descending>
class sort_contest : public contest_of_sorts<Key, Value> {
    using base = contest_of_sorts<Key, Value>;
    using base::has_values, base::s_, base::n_;
    using typename base::arrays;

 public:
    using base::in, base::out, base::bytes;

    sort_contest(session& s, const sort_case& of) : base(s, of.items, of.off), of_(of) {}

    void fill() const { base::fill(of_.data); }

    implementation ours() const {
        return {"ours", [*this] { sort(in(), out()); }};
    }
    implementation cub() const {
        return cub_call(s_, "cub", cub_slot, [*this](void* memory, std::size_t& bytes) {
            return call_cub(memory, bytes);
        });
    }
    /// Sorting in place and into another array, each after a copy that restores the input.
    std::vector<implementation> restored() const {
        return {{"restoring", [*this] { restore(); }},
                {"restored_in_place",
                 [*this] {
                     restore();
                     sort(out(), out());
                 }},
                {"restored_beside", [*this] {
                     restore();
                     sort(in(), out());
                 }}};
    }

 private:
    void restore() const { copy(s_, s_.in(), s_.out(), bytes()); }

    void sort(const arrays& from, const arrays& to) const {
        const sort_by by{descending, of_.first_bit, of_.last_bit};
        const Key* const keys = from.keys;
        if constexpr (has_values) {
            const Value* const values = from.values;
            sort_pairs(s_.gpu(), keys, keys + n_, values, to.keys, to.values, by);
        } else {
            sort_keys(s_.gpu(), keys, keys + n_, to.keys, by);
        }
    }

    cudaError_t call_cub(void* memory, std::size_t& bytes) const {
        const arrays from = in(), to = out();
        const Key* const keys = from.keys;
        const std::uint64_t items = n_;  // with 32 bits CUB takes a sixth longer
        const int first = of_.first_bit, last = last_bit();
        using cub_sort = cub::DeviceRadixSort;
        if constexpr (has_values) {
            const Value* const values = from.values;
            if constexpr (descending) {
                return cub_sort::SortPairsDescending(memory, bytes, keys, to.keys, values,
                                                     to.values, items, first, last, s_.stream());
            } else {
                return cub_sort::SortPairs(memory, bytes, keys, to.keys, values, to.values, items,
                                           first, last, s_.stream());
            }
        } else {
            return cub_sort::SortKeys(memory, bytes, keys, to.keys, items, first, last,
                                      s_.stream());
        }
    }

    int last_bit() const { return of_.last_bit < 0 ? 8 * int{sizeof(Key)} : of_.last_bit; }
    key_bits<Key> order() const {
        const auto below = [](int bit) {
            return bit == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bit) - 1;
        };
        return {static_cast<detail::key_word<Key>>(below(last_bit()) & ~below(of_.first_bit)),
                descending};
    }

    std::string what_is_wrong() const override {
        return this->what_is_wrong_by(
            [&](unsigned long long* first, unsigned long long* difference) {
                check_kernel<<<check_blocks(n_), check_threads, 0, s_.stream()>>>(
                    in(), out(), n_, order(), first, difference);
            });
    }

    sort_case of_;
};

template <class Contest>
std::string judge_all(const Contest& contest, const sort_case& of) {
    std::vector<implementation> all = {contest.cub(), contest.ours()};
    if (of.in_place) all.push_back(contest.restored()[1]);
    for (const implementation& one : all) {
        if (std::string wrong = contest.judge(one); !wrong.empty()) return wrong;
    }
    return contest.judge_itself();
}

template <class Key, class Value = no_array, bool descending = false>
void measure_sort(session& s, const observer& tell, const std::string& type,
                  const std::vector<sort_case>& cases) {
    for (const sort_case& of : cases) {
        const sort_contest<Key, Value, descending> contest(s, of);
        if (contest.bytes() > s.array_bytes()) continue;
        cell c;
        c.op = std::is_same_v<Value, no_array> ? "sort_keys" : "sort_pairs";
        c.type = type;
        c.data = of.text() + (descending ? ", descending" : "");
        c.items = of.items;
        c.item_bytes = contest.item_bytes;
        c.least_bytes = 2 * of.items * static_cast<std::uint64_t>(contest.item_bytes);
        if (!tell.wants(c)) continue;
        tell.begin(c);

        contest.fill();
        c.trouble = judge_all(contest, of);
        if (c.trouble.empty()) {
            std::vector<implementation> timed = {contest.ours(), contest.cub()};
            if (of.in_place) {
                for (implementation& one : contest.restored()) timed.push_back(one);
            }
            for (implementation& one : copies(s, contest.bytes())) timed.push_back(one);
            c.device_us = s.device_times(timed, c.trouble);
            if (of.items <= largest_sort_for_host) {
                c.host_us = s.host_times({contest.ours(), contest.cub(), empty_launch(s)});
            }
            const std::string wrong = contest.judge(contest.ours());  // still right after all these
            c.checked = wrong.empty();
            c.trouble += wrong;
        }
        tell.end(c);
    }
}

}  // namespace lookback::bench
