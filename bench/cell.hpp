/// \file
/// A cell of the table: one workload and size, on the same two arrays for all implementations.
///
/// Before anything in the cell is timed, each implementation runs once and every item of its output
/// is checked; a wrong one ends the program.
#pragma once

#include <fmt/core.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

#include "new_bytes.hpp"
#include "open_cell.hpp"
#include "ours.hpp"

namespace lookback::bench {

/// What else the check of an implementation has found out.
struct findings {
    double extra_bytes = 0;  ///< allocated by operator new during the call
    double worst_error = 0;  ///< of a sum of floats, relative to the sum of |x|
};

template <class W, class... Implementations>
class cell : public any_cell {
    using T = typename W::item;

 public:
    explicit cell(std::size_t items) : items_(items) {}

    std::string name() const { return fmt::format("{}/{}", W::name(), items_); }
    std::size_t items() const { return items_; }
    const findings& found(const char* implementation) { return found_[implementation]; }

    template <class Implementation>
    void run() {
        constexpr bool in_place = job_of<Implementation>() == job::in_place;
        Implementation::template run<W>(in_place ? out_.get() : in_.get(), out_.get(), items_);
    }

    /// To be called before each run in place.
    void copy_input_to_output() { memcpy_all_threads(in_.get(), out_.get(), items_ * sizeof(T)); }

 private:
    void prepare() override {
        const auto begin = std::chrono::steady_clock::now();
        in_ = make_array<T>(items_);
        out_ = make_array<T>(items_);
        fill(in_.get(), items_, W::random);
        (check<Implementations>(), ...);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        fmt::print(stderr, "{:<24} checked in {:.1f} s\n", name(), took.count());
    }

    void release() override {
        in_.reset();
        out_.reset();
    }

    template <class Implementation>
    void check() {
        if constexpr (job_of<Implementation>() == job::in_place) {
            copy_input_to_output();
        } else {  // so that no right results of another implementation are left
            in_pieces(items_, fill_grain, [&](std::size_t first, std::size_t count) {
                std::memset(static_cast<void*>(out_.get() + first), 0xA5, count * sizeof(T));
            });
        }
        findings& f = found_[Implementation::name];
        const std::size_t before = new_bytes();
        run<Implementation>();
        f.extra_bytes = static_cast<double>(new_bytes() - before);
        f.worst_error = checked_error<Implementation>();
    }

    template <class Implementation>
    double checked_error() const {
        constexpr job does = job_of<Implementation>();
        const std::string who = Implementation::name;
        if constexpr (does == job::copy) {
            for (std::size_t i = 0; i < items_; ++i) {
                if (out_[i] != in_[i]) fail(who, i);
            }
            return 0;
        } else {
            const bool is_ours = who.starts_with("ours");
            typename W::check check(is_ours ? our_depth<T>(items_) : static_cast<double>(items_));
            // An exclusive output is the inclusive output of the item before.
            const std::size_t skipped = does == job::exclusive ? 1 : 0;
            for (std::size_t i = 0; i + skipped < items_; ++i) {
                const std::size_t at = does == job::backward ? items_ - 1 - i : i;
                if (!check.accepts(in_[at], out_[at + skipped])) fail(who, at);
            }
            return check.worst_error();
        }
    }

    [[noreturn]] void fail(const std::string& who, std::size_t at) const {
        fmt::print(stderr, "{}: {} is wrong at item {}", name(), who, at);
        if constexpr (std::is_arithmetic_v<T>) fmt::print(stderr, ", which is {}", out_[at]);
        fmt::print(stderr, "; nothing more was measured\n");
        std::exit(2);
    }

    std::size_t items_;
    std::unique_ptr<T[]> in_;
    std::unique_ptr<T[]> out_;
    std::map<std::string, findings> found_;
};

}  // namespace lookback::bench
