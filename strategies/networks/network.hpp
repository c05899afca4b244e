/// \file
/// A scan as a circuit (Merrill & Garland 2016, section 2): operators with two inputs each, wired
/// before there are any data. The cost can be read off a network: its size is the work, and its
/// depth is the time with as many processors as there are items.
///
/// A network is a list of operators, in which each comes after those whose results it takes. It can
/// be drawn, and run on items of any type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lookback::strategies {

/// A value: input v for v < n, otherwise the result of operator v - n.
using value = std::uint32_t;

class network {
 public:
    struct node {
        value left;
        value right;
        std::uint32_t column;  ///< the column of the last item that it folds
        /// From 1 on: when it is done; all operators of a step are done at once.
        std::uint32_t step;
    };

    explicit network(std::uint32_t inputs) : inputs_(inputs), outputs_(inputs) {
        for (value v = 0; v < inputs; ++v) outputs_[v] = v;
    }

    /// Adds the operator left · right, in that order.
    value combine(value left, value right, std::uint32_t step) {
        operators_.push_back({left, right, column(right), step});
        return inputs_ + static_cast<value>(operators_.size() - 1);
    }
    void set_outputs(std::vector<value> outputs) { outputs_ = std::move(outputs); }

    std::uint32_t inputs() const { return inputs_; }
    const std::vector<node>& operators() const { return operators_; }
    const std::vector<value>& outputs() const { return outputs_; }

    bool is_input(value v) const { return v < inputs_; }
    const node& operator_of(value v) const { return operators_[v - inputs_]; }
    std::uint32_t column(value v) const { return is_input(v) ? v : operator_of(v).column; }
    std::uint32_t step(value v) const { return is_input(v) ? 0 : operator_of(v).step; }

    /// How many operators there are.
    std::size_t size() const { return operators_.size(); }

    /// How many operators the longest path from an input passes through.
    std::uint32_t depth() const {
        std::vector<std::uint32_t> depths(inputs_);
        for (const node& op : operators_) {
            depths.push_back(1 + std::max(depths[op.left], depths[op.right]));
        }
        return depths.empty() ? 0 : *std::ranges::max_element(depths);
    }

    /// The most operators that take the same value: the fan-out that a circuit has to drive, or a
    /// program to broadcast.
    std::uint32_t fan_out() const {
        std::vector<std::uint32_t> uses(inputs_ + operators_.size());
        for (const node& op : operators_) {
            ++uses[op.left];
            ++uses[op.right];
        }
        return uses.empty() ? 0 : *std::ranges::max_element(uses);
    }

    /// Returns all values: the inputs first, then the result of each operator.
    template <class T, class Op>
    std::vector<T> run(std::vector<T> items, const Op& op) const {
        for (const node& o : operators_) items.push_back(op(items[o.left], items[o.right]));
        return items;
    }

 private:
    std::uint32_t inputs_;
    std::vector<node> operators_;
    std::vector<value> outputs_;
};

}  // namespace lookback::strategies
