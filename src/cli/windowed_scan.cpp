#include "windowed_scan.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "error.hpp"
#include "table/table.hpp"
#include "text.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

class window_scanner {
 public:
    window_scanner(const scan_plan& plan, dtype type, const array_input& in, array_output& out,
                   progress& bar)
        : plan_(plan),
          type_(type),
          size_(size_of(type)),
          in_(in),
          out_(out),
          bar_(bar),
          seed_(seed_of(plan, type)) {
        window_ = window_items(plan.where.window_bytes, size_, scan_tile(type));
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
    // Scans whole blocks, from item `first` on.
    void scan_blocks(std::size_t first, std::size_t blocks) {
        const std::size_t block = plan_.length * plan_.inner;
        in_.fetch(first, blocks * block);
        std::byte* const slots = out_.room(blocks * block + 1);
        for (std::size_t k = 0; k < blocks; ++k) {
            // Blocks are scanned in the direction of the scan, because the extra slot of one block
            // belongs to the next block.
            const std::size_t b = plan_.is_backward ? blocks - 1 - k : k;
            if (plan_.inner == 1) {
                scan_line(first + b * block, block, seed_, slots + b * block * size_);
            } else {
                begin_columns(plan_.inner);
                scan_rows(first + b * block, plan_.length, plan_.inner, seed_.has_value(),
                          slots + (results_begin() + b * block) * size_);
            }
        }
        write(slots + results_begin() * size_, blocks * block, first);
    }

    // Scans one block of single items, from item `first` on.
    void scan_long_block(std::size_t first) {
        std::optional<scalar> carry = seed_;
        input_windows windows(in_, first, plan_.length, window_, plan_.is_backward);
        while (windows.next()) {
            std::byte* const slots = out_.room(windows.items() + 1);
            carry = scan_line(windows.first(), windows.items(), carry, slots);
            write(slots + results_begin() * size_, windows.items(), windows.first());
        }
    }

    // Scans one block of rows, from item `first` on: as many rows at a time as fit a window, or
    // else one row in parts.
    void scan_long_columns(std::size_t first) {
        const std::size_t inner = plan_.inner;
        const std::size_t width = out_.is_sequential() ? inner : std::min(inner, window_);
        const std::size_t most = std::max<std::size_t>(window_ / width, 1);
        for (std::size_t column = 0; column < inner; column += width) {
            const std::size_t columns = std::min(width, inner - column);
            begin_columns(columns);
            for (std::size_t done = 0; done < plan_.length; done += most) {
                const std::size_t rows = std::min(most, plan_.length - done);
                const std::size_t row = plan_.is_backward ? plan_.length - done - rows : done;
                const std::size_t begin = first + row * inner + column;
                const std::size_t items = rows * columns;
                in_.fetch(begin, items);
                std::byte* const to = out_.room(items);
                scan_rows(begin, rows, columns, seed_ || done > 0, to);
                write(to, items, begin);
            }
        }
    }

    // An exclusive scan is the carry followed by the inclusive scan, so that both have the same
    // tiles, wherever windows begin. So `slots` has one slot more than there are items, and the
    // results begin at results_begin(). Returns the last inclusive result.
    scalar scan_line(std::size_t first, std::size_t items, const std::optional<scalar>& carry,
                     std::byte* slots) {
        std::byte* const to = slots + (plan_.is_exclusive && !plan_.is_backward ? size_ : 0);
        scan(type_, plan_.op, plan_.is_backward, in_.load(first, items, type_, to), items, to,
             carry, plan_.where.threads);
        if (plan_.is_exclusive) carry->put(type_, slots + (plan_.is_backward ? items * size_ : 0));
        return {type_, plan_.is_backward ? to : to + (items - 1) * size_};
    }

    void begin_columns(std::size_t columns) {
        carry_.resize(columns * size_);
        if (!seed_) return;
        for (std::size_t i = 0; i < columns; ++i) seed_->put(type_, carry_.data() + i * size_);
    }

    // Scans `rows` rows of `columns` columns, from item `first` on.
    void scan_rows(std::size_t first, std::size_t rows, std::size_t columns, bool has_carry,
                   std::byte* to) {
        scan_columns(type_, plan_.op, plan_.is_exclusive, plan_.is_backward,
                     in_.load(first, rows * columns, type_, to), {rows, columns}, to, carry_.data(),
                     has_carry);
    }

    std::size_t results_begin() const {
        return plan_.is_exclusive && plan_.is_backward && plan_.inner == 1 ? 1 : 0;
    }

    void write(const std::byte* results, std::size_t items, std::size_t position) {
        out_.write(results, items, position);
        bar_.advance(items * (in_.item_bytes() + size_));
    }

    const scan_plan& plan_;
    dtype type_;
    std::size_t size_;  // of an item
    const array_input& in_;
    array_output& out_;
    progress& bar_;
    std::optional<scalar> seed_;
    std::vector<std::byte> carry_;  // of each column
    std::size_t window_;            // items
};

}  // namespace

std::optional<scalar> seed_of(const scan_plan& plan, dtype type) {
    if (plan.init) {
        return with_type(type, [&]<class T>(std::type_identity<T>) {
            const T value = parse_number<T>(*plan.init, "--init");
            if (plan.is_boolean && value != T{0} && value != T{1}) {
                fail("--init {}: is for bool; expected 0 or 1", *plan.init);
            }
            return scalar(value);
        });
    }
    if (plan.is_exclusive && plan.is_boolean) {
        return scalar(static_cast<std::uint8_t>(identity_of(type, plan.op).as<std::uint8_t>() & 1));
    }
    if (plan.is_exclusive) return identity_of(type, plan.op);
    return std::nullopt;
}

void windowed_scan(const scan_plan& plan, dtype accumulator, const array_input& in,
                   array_output& out, progress& bar) {
    window_scanner(plan, accumulator, in, out, bar).run();
}

}  // namespace lookback::cli
