#include "segments.hpp"

#include <algorithm>
#include <concepts>
#include <optional>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "error.hpp"
#include "progress.hpp"
#include "table/table.hpp"
#include "windows.hpp"

namespace lookback::cli {

void check_inputs(const std::string& a, std::string_view name_a, const std::string& b,
                  std::string_view name_b) {
    if (a != "-" || b != "-") return;
    fail("{} and {}: both are standard input; expected a file for one of them", name_a, name_b);
}

void check_keys(const array_input& keys, const std::string& keys_path, const array_input& values,
                const std::string& values_path) {
    for (const auto& [in, path] :
         {std::pair(&keys, &keys_path), std::pair(&values, &values_path)}) {
        if (in->told_items()) check_line(*in, *path);
    }
    if (!keys.told_items() || !values.told_items() || keys.told_items() == values.told_items())
        return;
    fail("{}: {} keys for the {} numbers of {}; expected as many", keys_path, *keys.told_items(),
         *values.told_items(), values_path);
}

namespace {

template <std::integral T>
void check_rise(const array_input& offsets, const std::string& path, std::size_t items,
                const std::string& values_path, std::size_t window_bytes) {
    if (offsets.items() == 0) {
        fail("{}: is empty; expected one offset more than there are segments", path);
    }
    const std::size_t window = std::min(window_items(window_bytes, sizeof(T)), offsets.items());
    std::vector<T> room(offsets.lies_as(offsets.type()) ? 0 : window);
    progress bar(offsets.bytes());
    input_windows windows(offsets, window);
    T before = 0;
    while (windows.next()) {
        const auto* const at = static_cast<const T*>(windows.load(offsets.type(), room.data()));
        if (windows.first() == 0 && at[0] != 0) fail("{}: begins with {}; expected 0", path, at[0]);
        for (std::size_t i = 0; i < windows.items(); ++i) {
            if (at[i] < before) {
                fail("{}: entry {} is {}, after {}; expected offsets that do not decrease", path,
                     windows.first() + i, at[i], before);
            }
            before = at[i];
        }
        bar.advance(windows.items() * sizeof(T));
    }
    if (!std::cmp_equal(before, items)) {
        fail("{}: ends with {}; expected {}, the number of items of {}", path, before, items,
             values_path);
    }
}

class key_walk {
 public:
    key_walk(const array_input& keys, std::size_t window, bool is_backward, int threads)
        : windows_(keys, window, is_backward),
          type_(keys.type()),
          needs_room_(is_backward || !keys.lies_as(type_)),
          threads_(threads) {}

    void operator()(std::size_t, std::size_t items, std::uint8_t* heads) {
        windows_.next();
        if (needs_room_) room_.resize(items * size_of(type_));
        const auto* const keys = static_cast<const std::byte*>(windows_.load(type_, room_.data()));
        find_heads(type_, keys, items, last_, heads, threads_);
        last_ = scalar(type_, keys + (items - 1) * size_of(type_));
    }

 private:
    input_windows windows_;
    dtype type_;
    bool needs_room_;
    std::vector<std::byte> room_;
    std::optional<scalar> last_;  // last key of the windows before
    int threads_;
};

template <std::integral T>
class offset_walk {
 public:
    offset_walk(const array_input& offsets, std::size_t window, bool is_backward)
        : in_(&offsets), windows_(offsets, window, is_backward), is_backward_(is_backward) {}

    void operator()(std::size_t first, std::size_t items, std::uint8_t* heads) {
        std::fill_n(heads, items, std::uint8_t{0});
        const std::size_t end = first + items;
        for (; has_offset(); ++next_) {
            // In a backward scan, a segment begins at the item before the first item of the next
            // segment.
            const auto offset = static_cast<std::size_t>(offsets_[next_]);
            if (is_backward_ ? offset <= first : offset >= end) return;
            if (is_backward_ ? offset > end : offset < first) refuse(offset);
            heads[is_backward_ ? end - offset : offset - first] = 1;
        }
    }

 private:
    // The offsets did not decrease when they were checked.
    [[noreturn]] void refuse(std::size_t offset) const {
        in_->check_complete();
        fail("--segments: offset {} was not there before; the file has changed while it was read",
             offset);
    }

    bool has_offset() {
        if (next_ < windows_.items()) return true;
        if (!windows_.next()) return false;
        room_.resize(windows_.items());
        offsets_ = static_cast<const T*>(windows_.load(dtype_of<T>(), room_.data()));
        next_ = 0;
        return true;
    }

    const array_input* in_;
    input_windows windows_;
    std::vector<T> room_;
    const T* offsets_ = nullptr;
    std::size_t next_ = 0;  // within the offsets of the window
    bool is_backward_;
};

}  // namespace

void check_offsets(const array_input& offsets, const std::string& offsets_path,
                   const array_input& values, const std::string& values_path,
                   std::size_t window_bytes) {
    check_line(offsets, offsets_path);
    check_line(values, values_path);
    with_type(offsets.type(), [&]<class T>(std::type_identity<T>) {
        if constexpr (std::integral<T>) {
            check_rise<T>(offsets, offsets_path, values.items(), values_path, window_bytes);
        } else {
            fail("{}: holds {}; expected offsets of an integer type", offsets_path,
                 name(offsets.type()));
        }
    });
}

head_finder heads_by_key(const array_input& keys, std::size_t window, bool is_backward,
                         int threads) {
    return key_walk(keys, window, is_backward, threads);
}

head_finder heads_by_offset(const array_input& offsets, std::size_t window_bytes,
                            bool is_backward) {
    return with_type(offsets.type(), [&]<class T>(std::type_identity<T>) -> head_finder {
        if constexpr (std::integral<T>) {
            return offset_walk<T>(offsets, window_items(window_bytes, sizeof(T)), is_backward);
        } else {
            return {};  // check_offsets has refused them
        }
    });
}

}  // namespace lookback::cli
