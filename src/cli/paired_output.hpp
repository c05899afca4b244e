/// \file
/// Two results for each run: each to its own output, or both to one output, as lines of text.
#pragma once

#include <cstddef>

#include "array_output.hpp"
#include "element.hpp"

namespace lookback::cli {

class paired_output {
 public:
    /// `a` and `b` may be the same output, if it is text.
    paired_output(array_output& a, const element& type_a, array_output& b, const element& type_b,
                  char separator)
        : a_(&a), b_(&b), type_a_(type_a), type_b_(type_b), separator_(separator) {}

    /// From here on results have these types.
    void become(const element& type_a, const element& type_b) {
        type_a_ = type_a;
        type_b_ = type_b;
        if (a_ == b_) return;
        a_->become(type_a);
        b_->become(type_b);
    }

    /// Takes a free buffer with room for `items` results of each kind.
    void take_room(std::size_t items) {
        if (a_ != b_) {
            first_a_ = a_->room(items);
            first_b_ = b_->room(items);
        } else {
            constexpr std::size_t widest = 8;
            first_a_ = a_->room_of_bytes(2 * items * widest);
            first_b_ = first_a_ + items * widest;
        }
    }
    std::byte* a(std::size_t i) const { return first_a_ + i * size_of(type_a_.computed); }
    std::byte* b(std::size_t i) const { return first_b_ + i * size_of(type_b_.computed); }

    /// Appends `items` results of each kind, from these places of the buffer on.
    void append(std::size_t from_a, std::size_t from_b, std::size_t items) {
        if (a_ == b_) {
            a_->append({{type_a_, a(from_a)}, {type_b_, b(from_b)}}, separator_, items);
        } else {
            a_->append(a(from_a), items);
            b_->append(b(from_b), items);
        }
    }

 private:
    array_output* a_;
    array_output* b_;
    element type_a_;
    element type_b_;
    char separator_;
    std::byte* first_a_ = nullptr;
    std::byte* first_b_ = nullptr;
};

}  // namespace lookback::cli
