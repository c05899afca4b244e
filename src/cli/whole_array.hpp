/// \file
/// Arrays of one dimension that are read, and written, as a whole: for commands whose results are
/// as long as the numbers make them. A window at a time, so that there is progress to see.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "array_input.hpp"
#include "array_output.hpp"
#include "commands.hpp"
#include "progress.hpp"

namespace lookback::cli {

/// Room for so many numbers. Where nothing is written, it takes no memory.
template <number T>
std::unique_ptr<T[]> room_for(std::size_t items) {
    return std::make_unique_for_overwrite<T[]>(items);
}

/// Throws `error` if the array has not just one dimension.
void check_line(const array_input& in, const std::string& path);

/// The numbers of an array, as T: where they lie in the file, or else converted.
template <number T>
class whole_input {
 public:
    explicit whole_input(const array_input& in) : items_(in.items()) {
        if (!in.lies_as<T>()) room_ = room_for<T>(items_);
        progress bar(in.bytes());
        const std::size_t window = usual_window / sizeof(T);
        for (std::size_t i = 0; i < items_; i += window) {
            const std::size_t count = std::min(window, items_ - i);
            if (i + count < items_) in.expect(i + count, std::min(window, items_ - i - count));
            in.fetch(i, count);
            if (room_) in.load(i, count, room_.get() + i);
            bar.advance(count * size_of(in.type()));
        }
        data_ = room_ ? room_.get() : in.load<T>(0, items_, nullptr);
    }
    const T* data() const { return data_; }
    std::size_t items() const { return items_; }

 private:
    std::size_t items_;
    std::unique_ptr<T[]> room_;
    const T* data_;
};

/// Writes an array of these parts.
template <number T>
void write_whole(array_output& out, std::initializer_list<std::span<const T>> parts) {
    std::size_t items = 0;
    for (const std::span<const T> part : parts) items += part.size();
    out.begin({&items, 1});
    progress bar(items * sizeof(T));
    const std::size_t window = usual_window / sizeof(T);
    std::size_t position = 0;
    for (const std::span<const T> part : parts) {
        for (std::size_t i = 0; i < part.size(); i += window) {
            const std::size_t count = std::min(window, part.size() - i);
            out.write(part.subspan(i, count), position);
            position += count;
            bar.advance(count * sizeof(T));
        }
    }
    out.wait();
}

/// All that is written of `in` is there. Returns how many bytes that are.
std::uint64_t finish(const array_input& in, std::initializer_list<array_output*> outputs);

}  // namespace lookback::cli
