/// \file
/// All cells of one type of keys, with values or without.
#pragma once

#include <cub/device/device_radix_sort.cuh>
#include <string>
#include <vector>

#include "sort_check.cuh"

namespace lookback::bench {

inline constexpr std::uint64_t largest_sort_for_host = std::uint64_t{1} << 16;

/// One input, its sorts, and what is wrong with them. Keys and values lie in one array, one behind
/// the other: a copy of it is a copy of as many bytes.
template <class Key, class Value, bool descending>
class sort_contest {
    static constexpr bool has_values = !std::is_same_v<Value, no_array>;
    using arrays = sorted_arrays<Key, Value>;

 public:
    static constexpr int item_bytes =
        static_cast<int>(sizeof(Key) + (has_values ? sizeof(Value) : 0));

    sort_contest(session& s, const sort_case& of) : s_(s), of_(of), n_(of.items) {}

    /// From the beginning of an array to the end of what lies in it.
    std::uint64_t bytes() const { return whole(n_ + off()) * item_bytes; }

    arrays in() const { return arrays_in(s_.in()); }
    arrays out() const { return arrays_in(s_.out()); }

    void fill() const {
        const arrays to = in();
        fill_kernel<<<check_blocks(n_), check_threads, 0, s_.stream()>>>(to.keys, to.values, n_,
                                                                         of_.data);
        check(cudaGetLastError(), "launching a fill");
    }

    implementation ours() const {
        return {"ours", [*this] { sort(in(), out()); }};
    }
    implementation cub() const {
        return cub_call(s_, "cub", cub_slot, [*this](void* memory, std::size_t& bytes) {
            return call_cub(memory, bytes);
        });
    }
    /// Sorting over the own input and beside it, after a copy that restores the input.
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

    /// Runs the call on a poisoned output, or in place on a copy of the input. Returns what is
    /// wrong, or nothing.
    std::string judge(const implementation& one) const {
        check(cudaMemsetAsync(s_.out(), 0xa5, bytes(), s_.stream()), "poisoning");
        one.call();
        const std::string wrong = what_is_wrong();
        return wrong.empty() ? "" : one.name + wrong;
    }
    /// Changes a right result and sees whether that is found.
    std::string judge_itself() const {
        Key* const place = out().keys + n_ / 2;
        unsigned char bytes[sizeof(Key)];
        check(cudaMemcpy(bytes, place, sizeof(Key), cudaMemcpyDeviceToHost), "spoiling");
        bytes[0] = static_cast<unsigned char>(bytes[0] ^ 1);
        check(cudaMemcpy(place, bytes, sizeof(Key), cudaMemcpyHostToDevice), "spoiling");
        return what_is_wrong().empty() ? "the check does not see a wrong key" : "";
    }

 private:
    // Items that take whole vectors, whatever their type.
    static std::uint64_t whole(std::uint64_t items) { return (items + 15) / 16 * 16; }
    std::uint64_t off() const { return static_cast<std::uint64_t>(of_.off); }

    arrays arrays_in(void* at) const {
        Key* const keys = static_cast<Key*>(at);
        Value* values = nullptr;
        if constexpr (has_values)
            values = reinterpret_cast<Value*>(keys + whole(n_ + off())) + off();
        return {keys + off(), values};
    }

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
        const std::uint64_t items = n_;  // with 32 bits it takes a sixth longer
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

    std::string what_is_wrong() const {
        auto* const difference =
            static_cast<unsigned long long*>(s_.scratch(counts_slot, sizeof(unsigned long long)));
        check(cudaMemsetAsync(difference, 0, sizeof(*difference), s_.stream()), "preparing");
        const std::uint64_t wrong = first_wrong_item(s_, [&](unsigned long long* first) {
            check_kernel<<<check_blocks(n_), check_threads, 0, s_.stream()>>>(
                in(), out(), n_, order(), first, difference);
        });
        if (wrong != none_wrong) return " is wrong, first at item " + std::to_string(wrong);
        unsigned long long differ = 0;
        check(cudaMemcpy(&differ, difference, sizeof(differ), cudaMemcpyDeviceToHost), "fetching");
        return differ == 0 ? "" : " has other keys than the input";
    }

    session& s_;
    sort_case of_;
    std::uint64_t n_;
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
            const std::string wrong = contest.judge(contest.ours());  // still, after all these
            c.checked = wrong.empty();
            c.trouble += wrong;
        }
        tell.end(c);
    }
}

}  // namespace lookback::bench
