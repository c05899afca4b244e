/// \file
/// A cell of the table of sorts: one operation on keys of one kind, on the same arrays for all
/// implementations.
///
/// Before anything in the cell is timed, each implementation runs once, over poisoned outputs, and
/// every result is compared with the only right one; a wrong one ends the program. If there are few
/// keys, they are a part of a larger array, and each call sorts the next part: a processor learns
/// the branches of a sort that it sees again and again.
#pragma once

#include <fmt/core.h>
#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "open_cell.hpp"
#include "sort_peers.hpp"
#include "sort_workloads.hpp"

namespace lookback::bench::sorting {

template <class Implementation>
inline constexpr bool is_copy = requires { &Implementation::template copy<std::uint32_t>; };

/// Whether this implementation is measured with so many items.
template <class Implementation>
constexpr bool can_sort(std::size_t items) {
    if constexpr (requires { Implementation::most_items; }) {
        return items <= Implementation::most_items;
    }
    return true;
}

template <class Operation, class... Implementations>
class cell : public any_cell {
    using key = typename Operation::key;

 public:
    cell(std::size_t items, keys_are data)
        : items_(items), parts_(std::max<std::size_t>(1, least_items / items)), data_(data) {
        all_.items = items;
    }

    std::string name() const {
        return fmt::format("{}/{}/{}", Operation::name(), names_of_data[static_cast<int>(data_)],
                           items_);
    }
    std::size_t items() const { return items_; }

    void next_part() { now_ = (now_ + 1) % parts_; }

    /// To be called before each run of an implementation that sorts in place.
    template <class Implementation>
    void restore() {
        const arrays<key> a = all_.part(now_);
        if constexpr (std::same_as<Operation, pairs> && Implementation::packed) {
            memcpy_all_threads(a.pairs, a.pairs_out, items_ * sizeof(pair));
        } else {
            memcpy_all::copy(a, Operation::to_keys, Operation::to_places);
        }
    }

    template <class Implementation>
    void run() {
        const arrays<key> a = all_.part(now_);
        if constexpr (is_copy<Implementation>) {
            Implementation::copy(a, true, Operation::to_places);
        } else {
            Implementation::run(Operation{}, a);
        }
    }

 private:
    static constexpr std::size_t least_items = std::size_t{1} << 18;

    void prepare() override {
        const auto begin = std::chrono::steady_clock::now();
        const std::size_t n = items_ * parts_;
        keys_ = make_array<key>(2 * n);
        places_ = make_array<place>(2 * n);
        all_.in = keys_.get();
        all_.out = keys_.get() + n;
        all_.places = places_.get();
        all_.places_out = places_.get() + n;
        if constexpr (std::same_as<Operation, pairs>) {
            pairs_ = make_array<pair>(2 * n);
            all_.pairs = pairs_.get();
            all_.pairs_out = pairs_.get() + n;
        }
        fill(all_.in, n,
             [&](std::size_t i) { return make_key<key>(i % items_, items_, i, data_); });
        fill(all_.places, n, [&](std::size_t i) { return static_cast<place>(i % items_); });
        if (all_.pairs != nullptr) {
            fill(all_.pairs, n, [&](std::size_t i) { return pair_at(i); });
        }
        find_expected();
        (check<Implementations>(), ...);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        fmt::print(stderr, "{:<44} checked in {:.1f} s\n", name(), took.count());
    }

    void release() override {
        keys_.reset();
        places_.reset();
        pairs_.reset();
        expected_keys_ = {};
        expected_places_ = {};
    }

    pair pair_at(std::size_t i) const {
        if constexpr (std::same_as<key, std::uint32_t>) {
            return {all_.places[i], all_.in[i]};
        } else {
            return {};
        }
    }

    // By Highway's sort, of words made of each key's word with its place behind it, so that no two
    // are equal.
    void find_expected() {
        using word = detail::key_word<key>;
        using both = std::conditional_t<sizeof(key) == 4, std::uint64_t, hwy::uint128_t>;
        expected_keys_.resize(items_ * parts_);
        expected_places_.resize(items_ * parts_);
        const auto sorted = make_array<both>(items_);
        for (std::size_t part = 0; part < parts_; ++part) {
            const key* const in = all_.part(part).in;
            fill(sorted.get(), items_, [&](std::size_t i) -> both {
                const std::uint64_t w = detail::word_of_key<key>(in[i]);
                if constexpr (sizeof(key) == 4) {
                    return w << 32 | i;
                } else {
                    return {i, w};
                }
            });
            hwy::Sorter()(sorted.get(), items_, hwy::SortAscending());
            for (std::size_t i = 0; i < items_; ++i) {
                const both& one = sorted[i];
                std::uint64_t w, at;
                if constexpr (sizeof(key) == 4) {
                    w = one >> 32;
                    at = one;
                } else {
                    w = one.hi;
                    at = one.lo;
                }
                expected_keys_[part * items_ + i] = detail::key_of_word<key>(static_cast<word>(w));
                expected_places_[part * items_ + i] = static_cast<place>(at);
            }
        }
    }

    void poison() {
        const std::size_t n = items_ * parts_;
        std::memset(all_.out, 0xA5, n * sizeof(key));
        std::memset(all_.places_out, 0xA5, n * sizeof(place));
        if (all_.pairs != nullptr) {
            std::memset(static_cast<void*>(all_.pairs_out), 0xA5, n * sizeof(pair));
        }
    }

    template <class Implementation>
    void check() {
        if constexpr (!is_copy<Implementation>) {
            if (!can_sort<Implementation>(items_)) return;
            poison();
            for (now_ = 0; now_ < parts_; ++now_) {
                if constexpr (Implementation::in_place) restore<Implementation>();
                run<Implementation>();
                if (is_right<Implementation>()) continue;
                fmt::print(stderr, "{}: {} is wrong; nothing more was measured\n", name(),
                           Implementation::name);
                std::exit(2);
            }
            now_ = 0;
        }
    }

    // Checks all keys and, if the sort is stable, all places. If it is not stable, each place must
    // have the right key, and the sum of the places shows that no place is there twice.
    template <class Implementation>
    bool is_right() const {
        const arrays<key> a = all_.part(now_);
        const key* const want_keys = expected_keys_.data() + now_ * items_;
        const place* const want = expected_places_.data() + now_ * items_;
        constexpr bool packed = std::same_as<Operation, pairs> && Implementation::packed;
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < items_; ++i) {
            const key right = want_keys[i];
            if constexpr (Operation::to_keys) {
                if constexpr (packed) {
                    if (a.pairs_out[i].key != right) return false;
                } else if (a.out[i] != right) {
                    return false;
                }
            }
            if constexpr (Operation::to_places) {
                const place got = packed ? a.pairs_out[i].value : a.places_out[i];
                sum += got;
                if (Implementation::stable ? got != want[i] : got >= items_ || a.in[got] != right) {
                    return false;
                }
            }
        }
        return !Operation::to_places || sum == std::uint64_t{items_} * (items_ - 1) / 2;
    }

    std::size_t items_, parts_;
    keys_are data_;
    std::size_t now_ = 0;
    arrays<key> all_;
    std::unique_ptr<key[]> keys_;
    std::unique_ptr<place[]> places_;
    std::unique_ptr<pair[]> pairs_;
    std::vector<key> expected_keys_;
    std::vector<place> expected_places_;
};

}  // namespace lookback::bench::sorting
