// Columns of tables of text: they have the words that were put there, wherever blocks of text end.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "csv_table.hpp"
#include "error.hpp"

using namespace lookback::cli;

namespace {

std::string characters(const byte_buffer& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The words of the columns if `block` characters come at a time, and at the end the error.
std::vector<std::string> read(const std::string& text, const std::vector<std::string>& columns,
                              std::size_t block) {
    csv_table table(columns, ',', "x");
    std::vector<byte_buffer> words(columns.size());
    std::string problem;
    std::string here;
    try {
        for (std::size_t at = 0;;) {
            const bool is_end = at == text.size();
            const std::size_t done = table.read(here, is_end, words);
            here.erase(0, done);
            if (done > 0) continue;
            if (is_end) break;
            const std::size_t some = std::min(block, text.size() - at);
            here += text.substr(at, some);
            at += some;
        }
        table.check_complete();
    } catch (const error& wrong) {
        problem = wrong.what();
    }
    std::vector<std::string> all;
    for (const byte_buffer& column : words) all.push_back(characters(column));
    all.push_back(problem);
    return all;
}

class random_text {
 public:
    std::size_t below(std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(bits_);
    }
    std::string one_of(const std::vector<std::string>& words) { return words[below(words.size())]; }

 private:
    std::mt19937 bits_{7};
};

}  // namespace

TEST(csv, has_the_words_that_were_put_there) {
    random_text random;
    for (int round = 0; round < 200; ++round) {
        const std::size_t width = 1 + random.below(5), a = random.below(width),
                          b = random.below(width);
        std::string text = random.one_of({"", "\xef\xbb\xbf"}), expected_a, expected_b;
        for (std::size_t i = random.below(30); i-- > 0;) {
            std::string ends = "\n", word_a, word_b;
            for (std::size_t k = 0; k < width; ++k) {
                std::string field = std::to_string(random.below(1000));
                if (k == a) word_a = field;
                if (k == b) word_b = field;
                if (k != a && k != b) {
                    field =
                        random.one_of({field, "", "a b", "5\" wide", "\"\"", "\"a,\"\"\n\r\n,b\""});
                    ends += std::string(
                        static_cast<std::size_t>(std::count(field.begin(), field.end(), '\n')),
                        '\n');
                } else if (random.below(3) == 0) {
                    field = "\"" + field + "\"";
                }
                text += random.one_of({"", " "}) + field + (k + 1 < width ? "," : "");
            }
            const std::string end = random.one_of({"\n", "\r\n", "\n\n"});
            text += i > 0 ? end : random.one_of({"", end});
            if (end == "\n\n" && i > 0) ends += '\n';
            expected_a += word_a + ends;
            expected_b += word_b + ends;
        }
        const std::vector<std::string> columns{std::to_string(a + 1), std::to_string(b + 1)};
        for (std::size_t block : {1, 2, 3, 7, 64, 100'000}) {
            std::vector<std::string> got = read(text, columns, block);
            ASSERT_EQ(got.at(2), "") << text;
            for (std::string* word : {&got[0], &got[1], &expected_a, &expected_b}) {
                while (!word->empty() && word->back() == '\n')
                    word->pop_back();  // the end of the last record
            }
            ASSERT_EQ(got[0], expected_a) << text;
            ASSERT_EQ(got[1], expected_b) << text;
        }
    }
}

TEST(csv, reads_any_characters_in_the_same_way_wherever_blocks_end) {
    random_text random;
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (std::size_t i = random.below(40); i-- > 0;) {
            text += random.one_of(
                {",", "\"", "\n", "\r", " ", "1", "a", "\"1\"", "1,2\n", "\xef\xbb\xbf"});
        }
        for (const std::vector<std::string>& columns :
             std::vector<std::vector<std::string>>{{"1"}, {"2", "1"}, {"a"}, {"a", "1"}}) {
            const auto whole = read(text, columns, 1000);
            for (const std::size_t block : {1, 2, 3, 5})
                ASSERT_EQ(read(text, columns, block), whole) << text;
            EXPECT_EQ(whole.back().find('\n'), std::string::npos);
        }
    }
}
