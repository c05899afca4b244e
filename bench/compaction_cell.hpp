/// \file
/// A cell of the table of selections and runs: one operation on one input, on the same arrays for
/// all implementations.
///
/// Before anything in the cell is timed, each implementation runs once, over poisoned outputs, and
/// every result is compared with that of the sequential code; a wrong one ends the program.
#pragma once

#include <fmt/core.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compaction_peers.hpp"
#include "compaction_workloads.hpp"
#include "memory.hpp"
#include "open_cell.hpp"

namespace lookback::bench::compaction {

template <class Implementation>
inline constexpr bool is_in_place = requires { Implementation::in_place; };

template <class Implementation>
inline constexpr bool is_yardstick = requires(const arrays& a) { Implementation::yardstick(a); };

template <class Operation, class... Implementations>
class cell : public any_cell {
 public:
    cell(const Operation& operation, std::size_t items) : operation_(operation) {
        arrays_.items = items;
    }

    std::string name() const {
        return fmt::format("{}/{}/{}", Operation::name, operation_.data.name(), arrays_.items);
    }
    std::size_t items() const { return arrays_.items; }
    std::size_t moved_bytes() const { return arrays_.moved_bytes; }

    /// Returns the number of results.
    template <class Implementation>
    std::size_t run() {
        if constexpr (is_yardstick<Implementation>) {
            Implementation::yardstick(arrays_);
            return results_;
        } else {
            arrays a = arrays_;
            if (is_in_place<Implementation>) {
                a.in = a.out;
                a.values = a.sums;
            }
            return Implementation::run(operation_, a);
        }
    }

    /// To be called before each run in place.
    void copy_input_to_output() {
        memcpy_all_threads(in_.get(), out_.get(), with_values ? 2 * array_bytes() : array_bytes());
    }

 private:
    static constexpr bool with_values = decltype(Operation::data)::with_values;
    static constexpr std::size_t item_bytes = sizeof(key);  // of any array
    static_assert(sizeof(float) == item_bytes);

    std::size_t array_bytes() const { return arrays_.items * item_bytes; }

    void prepare() override {
        const auto begin = std::chrono::steady_clock::now();
        allocate();
        operation_.data.fill(arrays_);
        if constexpr (Operation::by_offsets) find_segments();
        results_ = sequential::run(operation_, arrays_);
        arrays_.moved_bytes =
            Operation::bytes_an_item * arrays_.items + Operation::bytes_a_result * results_;
        expected_first_.assign(first_results().begin(), first_results().end());
        expected_second_.assign(second_results().begin(), second_results().end());
        (check<Implementations>(), ...);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        fmt::print(stderr, "{:<44} checked in {:.1f} s\n", name(), took.count());
    }

    void release() override {
        in_.reset();
        out_.reset();
        expected_first_ = {};
        expected_second_ = {};
        offsets_ = {};
    }

    void allocate() {
        in_ = make_array<std::byte>(2 * array_bytes());
        out_ = make_array<std::byte>(2 * array_bytes());
        std::byte* const second_in = in_.get() + array_bytes();
        std::byte* const second_out = out_.get() + array_bytes();
        arrays_.in = reinterpret_cast<key*>(in_.get());
        arrays_.values = reinterpret_cast<float*>(second_in);
        arrays_.out = reinterpret_cast<key*>(out_.get());
        arrays_.lengths = reinterpret_cast<std::uint32_t*>(second_out);
        arrays_.sums = reinterpret_cast<float*>(second_out);
        poison();  // this also touches the pages
    }

    void poison() {
        in_pieces(2 * array_bytes(), fill_grain, [&](std::size_t first, std::size_t count) {
            std::memset(out_.get() + first, 0xA5, count);
        });
    }

    void find_segments() {
        for (std::size_t i = 0; i < arrays_.items; ++i) {
            if (i == 0 || arrays_.in[i] != arrays_.in[i - 1]) {
                offsets_.push_back(static_cast<std::uint32_t>(i));
            }
        }
        arrays_.segments = offsets_.size();
        offsets_.push_back(static_cast<std::uint32_t>(arrays_.items));
        arrays_.offsets = offsets_.data();
    }

    // The results in either output, as bytes; empty if the operation writes none there.
    std::span<const std::byte> first_results() const {
        return {out_.get(), Operation::to_first ? result_bytes() : 0};
    }
    std::span<const std::byte> second_results() const {
        return {out_.get() + array_bytes(), Operation::to_second ? result_bytes() : 0};
    }
    std::size_t result_bytes() const {
        return Operation::outputs(arrays_.items, results_) * item_bytes;
    }

    static bool same(std::span<const std::byte> a, const std::vector<std::byte>& b) {
        return a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0;
    }

    template <class Implementation>
    void check() {
        if constexpr (!is_yardstick<Implementation>) {
            is_in_place<Implementation> ? copy_input_to_output() : poison();
            const std::size_t results = run<Implementation>();
            if (results == results_ && same(first_results(), expected_first_) &&
                same(second_results(), expected_second_)) {
                return;
            }
            fmt::print(stderr,
                       "{}: {} is wrong ({} results, expected {}); nothing more was measured\n",
                       name(), Implementation::name, results, results_);
            std::exit(2);
        }
    }

    Operation operation_;
    arrays arrays_;
    std::size_t results_ = 0;
    std::unique_ptr<std::byte[]> in_;
    std::unique_ptr<std::byte[]> out_;
    std::vector<std::uint32_t> offsets_;
    std::vector<std::byte> expected_first_;
    std::vector<std::byte> expected_second_;
};

}  // namespace lookback::bench::compaction
