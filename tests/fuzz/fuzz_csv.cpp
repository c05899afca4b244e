// Any bytes give a table with the requested columns, or a one-line error. The result is the same
// wherever blocks of bytes end, and each column has as many lines as the table.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "csv_table.hpp"
#include "error.hpp"

using namespace lookback::cli;

static void require(bool holds) {
    if (!holds) std::abort();
}

// The words of both columns, and at the end the error.
static std::vector<std::string> read(std::string_view text, const std::string& column,
                                     std::size_t block) {
    csv_table table({column, "1"}, ',', "x");
    std::vector<byte_buffer> words(2);
    std::string problem;
    try {
        std::size_t begin = 0, end = 0;
        for (;;) {
            const bool is_end = end == text.size();
            const std::size_t done = table.read(text.substr(begin, end - begin), is_end, words);
            begin += done;
            if (done > 0) continue;
            if (is_end) break;
            end = std::min(end + block, text.size());
        }
        table.check_complete();
    } catch (const error& wrong) {
        problem = wrong.what();
    }
    std::vector<std::string> all;
    for (const byte_buffer& b : words) {
        all.emplace_back(reinterpret_cast<const char*>(b.data()), b.size());
    }
    all.push_back(problem);
    return all;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const std::string column : {"2", "a"}) {
        const auto whole = read(text, column, size);
        require(read(text, column, 1) == whole);
        require(read(text, column, 7) == whole);
        require(whole[2].find('\n') == std::string::npos);
        const auto lines = std::count(whole[0].begin(), whole[0].end(), '\n');
        require(lines == std::count(whole[1].begin(), whole[1].end(), '\n'));
        require(!whole[2].empty() || lines >= std::count(text.begin(), text.end(), '\n'));
    }
    return 0;
}
