#include "windowed_scan.hpp"

#include <algorithm>
#include <vector>

#include "error.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

template <class T>
class window_scanner {
 public:
    window_scanner(const scan_plan& plan, const array_input& in, array_output& out, progress& bar)
        : plan_(plan),
          in_(in),
          out_(out),
          bar_(bar),
          kernels_(kernels_of<T>(plan.op)),
          seed_(seed_of<T>(plan)) {
        window_ = window_items(plan.where.window_bytes, sizeof(T), kernels_.scan_tile);
        const std::size_t block = plan.length * plan.inner;
        if (out.is_sequential() && plan.is_backward) window_ = std::max(window_, block);
    }

    void run() {
        const std::size_t block = plan_.length * plan_.inner;
        if (plan_.outer == 0 || block == 0) return;
        if (block <= window_) {
            const std::size_t most = window_ / block;
            for (std::size_t b = 0; b < plan_.outer; b += most) {
                scan_blocks(b * block, std::min(most, plan_.outer - b));
            }
            return;
        }
        for (std::size_t b = 0; b < plan_.outer; ++b) {
            if (plan_.inner == 1) {
                scan_long_block(b * block);
            } else {
                scan_long_columns(b * block);
            }
        }
    }

 private:
    // Whole blocks from item `first` on.
    void scan_blocks(std::size_t first, std::size_t blocks) {
        const std::size_t block = plan_.length * plan_.inner;
        in_.fetch(first, blocks * block);
        T* slots = out_.room<T>(blocks * block + 1);
        for (std::size_t k = 0; k < blocks; ++k) {
            // In the direction of the scan: the extra slot of a block belongs to the one after it.
            const std::size_t b = plan_.is_backward ? blocks - 1 - k : k;
            if (plan_.inner == 1) {
                scan_line(first + b * block, block, seed_, slots + b * block);
            } else {
                carry_.assign(plan_.inner, seed_.value_or(T{}));
                T* to = slots + results_begin() + b * block;
                kernels_.scan_columns(in_.template load<T>(first + b * block, block, to),
                                      {plan_.length, plan_.inner}, to, carry_.data(),
                                      seed_.has_value(), plan_.is_exclusive, plan_.is_backward);
            }
        }
        write(slots + results_begin(), blocks * block, first);
        in_.release(first, blocks * block);
    }

    // One block of single items, from item `first` on.
    void scan_long_block(std::size_t first) {
        std::optional<T> carry = seed_;
        input_windows windows(in_, first, plan_.length, window_, plan_.is_backward);
        while (windows.next()) {
            T* slots = out_.room<T>(windows.items() + 1);
            carry = scan_line(windows.first(), windows.items(), carry, slots);
            write(slots + results_begin(), windows.items(), windows.first());
        }
    }

    // One block of rows, from item `first` on: as many rows at a time as fit a window, or else one
    // row in parts.
    void scan_long_columns(std::size_t first) {
        const std::size_t inner = plan_.inner;
        const std::size_t width = out_.is_sequential() ? inner : std::min(inner, window_);
        const std::size_t most = std::max<std::size_t>(window_ / width, 1);
        for (std::size_t column = 0; column < inner; column += width) {
            const std::size_t columns = std::min(width, inner - column);
            carry_.assign(columns, seed_.value_or(T{}));
            for (std::size_t done = 0; done < plan_.length; done += most) {
                const std::size_t rows = std::min(most, plan_.length - done);
                const std::size_t row = plan_.is_backward ? plan_.length - done - rows : done;
                const std::size_t begin = first + row * inner + column;
                const std::size_t items = rows * columns;
                in_.fetch(begin, items);
                T* to = out_.room<T>(items);
                kernels_.scan_columns(in_.template load<T>(begin, items, to), {rows, columns}, to,
                                      carry_.data(), seed_ || done > 0, plan_.is_exclusive,
                                      plan_.is_backward);
                write(to, items, begin);
                in_.release(begin, items);
            }
        }
    }

    // An exclusive scan is the inclusive one shifted by one, the carry before it: that way both
    // have the same tiles, wherever windows begin. So `slots` has one more than there are items,
    // and the results begin at results_begin(). Returns the last inclusive result.
    T scan_line(std::size_t first, std::size_t items, const std::optional<T>& carry, T* slots) {
        T* to = slots + (plan_.is_exclusive && !plan_.is_backward ? 1 : 0);
        kernels_.scan(in_.template load<T>(first, items, to), items, to, carry, plan_.is_backward,
                      plan_.where.threads);
        if (plan_.is_exclusive) slots[plan_.is_backward ? items : 0] = *carry;
        return plan_.is_backward ? to[0] : to[items - 1];
    }

    std::size_t results_begin() const {
        return plan_.is_exclusive && plan_.is_backward && plan_.inner == 1 ? 1 : 0;
    }

    void write(const T* results, std::size_t items, std::size_t position) {
        out_.write(std::span(results, items), position);
        bar_.advance(items * (size_of(in_.type()) + sizeof(T)));
    }

    const scan_plan& plan_;
    const array_input& in_;
    array_output& out_;
    progress& bar_;
    const kernels<T>& kernels_;
    std::optional<T> seed_;
    std::vector<T> carry_;  // of the columns
    std::size_t window_;    // items
};

}  // namespace

void windowed_scan(const scan_plan& plan, dtype accumulator, const array_input& in,
                   array_output& out, progress& bar) {
    with_type(accumulator,
              [&]<class T>(std::type_identity<T>) { window_scanner<T>(plan, in, out, bar).run(); });
}

}  // namespace lookback::cli
