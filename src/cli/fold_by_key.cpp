#include "fold_by_key.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "error.hpp"
#include "progress.hpp"
#include "segments.hpp"
#include "table/convert.hpp"
#include "table/table.hpp"
#include "windows.hpp"

namespace lookback::cli {
namespace {

// Keys and values in step: a window has as many items as have come of both.
class paired_windows {
 public:
    paired_windows(const keyed_values& in, std::size_t window)
        : in_(in), keys_(in.keys, window), values_(in.values, window) {}

    // Returns false after the last window.
    bool next() {
        const bool has_keys = keys_.next(), has_values = values_.next();
        if (has_keys != has_values) {
            const std::string& shorter = has_keys ? in_.values_path : in_.keys_path;
            fail("{}: ends after {} number{}, {} does not; expected a key for each value", shorter,
                 count_, count_ == 1 ? "" : "s", has_keys ? in_.keys_path : in_.values_path);
        }
        if (!has_keys) return false;
        const std::size_t items = std::min(keys_.items(), values_.items());
        keys_.cut(items);
        values_.cut(items);
        count_ += items;
        return true;
    }
    std::size_t items() const { return keys_.items(); }
    const input_windows& keys() const { return keys_; }
    const input_windows& values() const { return values_; }

 private:
    const keyed_values& in_;
    input_windows keys_, values_;
    std::size_t count_ = 0;
};

// Finds the keys of runs. The last run stays open: its key is written once its fold is known.
class run_keys {
 public:
    run_keys(dtype type, const workplace& where) : type_(type), where_(where) {}

    void become(dtype type) {
        if (open_) open_ = convert(type_, *open_, type);
        type_ = type;
    }

    // Takes the keys of the current window: sets heads, and writes the keys of the runs that end
    // before the window's last key to `out`. They begin at the item whose number it returns. `out`
    // has room for one item more than the window.
    std::size_t next(const input_windows& keys, std::uint8_t* heads, std::byte* out) {
        const std::size_t items = keys.items(), size = size_of(type_);
        std::byte* const firsts = out + size;
        const void* const all = keys.load(type_, firsts);
        find_heads(type_, all, items, open_, heads, where_.threads);
        const std::size_t runs = unique(where_.on(), type_, all, items, firsts);
        const std::size_t begin = open_ && heads[0] != 0 ? 0 : 1;
        if (open_) open_->put(type_, out + begin * size);  // of -0 and 0, the first is kept
        open_ = scalar(type_, out + runs * size);
        return begin;
    }
    // At the end: writes the key of the last run, if there is one.
    bool finish(std::byte* out) const {
        if (open_) open_->put(type_, out);
        return open_.has_value();
    }

 private:
    dtype type_;
    const workplace& where_;
    std::optional<scalar> open_;
};

}  // namespace

std::size_t fold_window(const fold& of, dtype type, std::size_t other_size,
                        const workplace& where) {
    const dtype computed = of.computed_in(type);
    return window_items(where.window_bytes, std::max(size_of(computed), other_size),
                        reduce_segments_tile(computed, where.on()));
}

void fold_by_key(const fold& of, const keyed_values& in, paired_output out,
                 const workplace& where) {
    const bool is_stream = in.keys.stream() != nullptr || in.values.stream() != nullptr;
    const dtype type = in.written_as().computed;
    paired_windows windows(in, fold_window(of, type, in.keys.item_bytes(), where));
    run_keys keys(in.keys.type(), where);
    run_folds folds(of, type, where, is_stream);
    std::vector<std::uint8_t> heads;
    progress bar(is_stream ? 0 : in.keys.bytes() + in.values.bytes());
    while (windows.next()) {
        const element written_as = in.written_as();
        keys.become(in.keys.type());
        folds.become(written_as.computed);
        out.become(in.keys.stored(), written_as);
        const std::size_t items = windows.items();
        heads.resize(std::max(heads.size(), items));
        out.take_room(items + 1);
        const std::size_t begin = keys.next(windows.keys(), heads.data(), out.a(0));
        out.append(begin, 0, folds.next(windows.values(), heads.data(), out.b(0)));
        bar.advance(items * (in.keys.item_bytes() + in.values.item_bytes()));
    }
    out.take_room(1);
    if (!keys.finish(out.a(0))) return;
    folds.finish(out.b(0));
    out.append(0, 0, 1);
}

}  // namespace lookback::cli
