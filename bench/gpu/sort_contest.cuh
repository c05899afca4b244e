/// \file
/// What all contests of sorts share: how their keys and values lie in the session's arrays, and how
/// a result is judged.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "sort_check.cuh"

namespace lookback::bench {

/// `items` keys, with values or without, that begin `off` items behind a boundary. Values lie
/// behind the keys in one array, so a copy of this array is a copy of as many bytes.
template <class Key, class Value>
class contest_of_sorts {
 protected:
    static constexpr bool has_values = !std::is_same_v<Value, no_array>;
    using arrays = sorted_arrays<Key, Value>;

 public:
    static constexpr int item_bytes =
        static_cast<int>(sizeof(Key) + (has_values ? sizeof(Value) : 0));

    contest_of_sorts(session& s, std::uint64_t items, int off)
        : s_(s), n_(items), off_(static_cast<std::uint64_t>(off)) {}
    virtual ~contest_of_sorts() = default;

    /// Bytes from the beginning of an array to the end of the items in it.
    std::uint64_t bytes() const { return whole(n_ + off_) * item_bytes; }

    arrays in() const { return arrays_in(s_.in()); }
    arrays out() const { return arrays_in(s_.out()); }

    void fill(keys_are data) const {
        const arrays to = in();
        fill_kernel<<<check_blocks(n_), check_threads, 0, s_.stream()>>>(to.keys, to.values, n_,
                                                                         data);
        check(cudaGetLastError(), "launching a fill");
    }

    /// Runs the call on a poisoned output, or in place on a copy of the input. Returns what is
    /// wrong, or nothing.
    std::string judge(const implementation& one) const {
        check(cudaMemsetAsync(s_.out(), 0xa5, bytes(), s_.stream()), "poisoning");
        one.call();
        const std::string wrong = what_is_wrong();
        return wrong.empty() ? "" : one.name + wrong;
    }
    /// Changes a right result, and checks that this is found.
    std::string judge_itself() const {
        Key* const place = out().keys + n_ / 2;
        unsigned char byte = 0;
        check(cudaMemcpy(&byte, place, 1, cudaMemcpyDeviceToHost), "spoiling");
        byte = static_cast<unsigned char>(byte ^ 1);
        check(cudaMemcpy(place, &byte, 1, cudaMemcpyHostToDevice), "spoiling");
        return what_is_wrong().empty() ? "the check does not see a wrong key" : "";
    }

 protected:
    /// launch(first_wrong, difference) starts a kernel that checks all items.
    template <class Launch>
    std::string what_is_wrong_by(const Launch& launch) const {
        auto* const difference =
            static_cast<unsigned long long*>(s_.scratch(counts_slot, sizeof(unsigned long long)));
        check(cudaMemsetAsync(difference, 0, sizeof(*difference), s_.stream()), "preparing");
        const std::uint64_t wrong =
            first_wrong_item(s_, [&](unsigned long long* first) { launch(first, difference); });
        if (wrong != none_wrong) return " is wrong, first at item " + std::to_string(wrong);
        unsigned long long differ = 0;
        check(cudaMemcpy(&differ, difference, sizeof(differ), cudaMemcpyDeviceToHost), "fetching");
        return differ == 0 ? "" : " has other keys than the input";
    }

    session& s_;
    std::uint64_t n_;

 private:
    virtual std::string what_is_wrong() const = 0;

    // Rounds up to a number of items that fill whole vectors, whatever their type.
    static std::uint64_t whole(std::uint64_t items) { return (items + 15) / 16 * 16; }
    arrays arrays_in(void* at) const {
        Key* const keys = static_cast<Key*>(at);
        Value* values = nullptr;
        if constexpr (has_values) values = reinterpret_cast<Value*>(keys + whole(n_ + off_)) + off_;
        return {keys + off_, values};
    }

    std::uint64_t off_;
};

}  // namespace lookback::bench
