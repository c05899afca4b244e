// Any bytes give numbers of each type, or a one-line error. The text that the program would write
// for the numbers is read as the same numbers.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "text.hpp"

using namespace lookback::cli;

static void require(bool holds) {
    if (!holds) std::abort();
}

static std::string to_text(const text_numbers& numbers) {
    byte_buffer text;
    with_type(numbers.type.computed, [&]<class T>(std::type_identity<T>) {
        std::vector<T> values(numbers.bytes.size() / sizeof(T));
        if (!values.empty()) std::memcpy(values.data(), numbers.bytes.data(), numbers.bytes.size());
        append_text(std::span<const T>(values), false, text);
    });
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

static void read_as(std::string_view text, std::optional<dtype> type) {
    try {
        const text_numbers numbers = parse_text(text, {type, "x"});
        require(!type || *type == numbers.type);
        const std::string again = to_text(numbers);
        require(to_text(parse_text(again, {numbers.type, "x"})) == again);
    } catch (const error& problem) {
        require(std::string_view(problem.what()).starts_with("x:"));
        require(std::string_view(problem.what()).find('\n') == std::string_view::npos);
    }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    read_as(text, std::nullopt);
    for (const dtype_entry& e : dtypes) read_as(text, e.type);
    return 0;
}
