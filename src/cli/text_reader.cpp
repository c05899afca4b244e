#include "text_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <utility>

#include "error.hpp"
#include "number_text.hpp"
#include "short_integer.hpp"
#include "text.hpp"
#include "text_parts.hpp"

namespace lookback::cli {
namespace {

// Where no type is asked for.
constexpr std::array candidates{dtype::int64, dtype::uint64, dtype::float64};

// No number has so many characters; without white space for ever there is none.
constexpr std::size_t longest_word = std::size_t{1} << 20;

// The word at the beginning of what is left.
std::string_view word_at(std::string_view left) {
    return left.substr(0, static_cast<std::size_t>(
                              std::find_if(left.begin(), left.end(), is_space) - left.begin()));
}

// How much there must be for `read_short`: a sign, digits, a point, digits, and what is behind
// them.
constexpr std::ptrdiff_t short_reach = 2 * short_integer_reach;

// Floats of a few digits: a whole number by a power of ten, both of which the type holds exactly,
// so the quotient is the nearest number. Source: Clinger 1990, "How to read floating point numbers
// accurately".
template <std::floating_point T>
bool read_short_decimal(const short_integer& digits, bool is_negative, const char*& at, T& value) {
    constexpr T powers[] = {1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F, 1e6F, 1e7F, 1e8F};
    const short_integer fraction = read_short_integer<8>(digits.end + 1);
    if (fraction.count == 0 || digits.count > 8 || !is_space(*fraction.end)) return false;
    const std::uint64_t size =
        digits.value * static_cast<std::uint64_t>(powers[fraction.count]) + fraction.value;
    if (size > std::uint64_t{1} << std::numeric_limits<T>::digits) return false;
    const T number = static_cast<T>(size) / powers[fraction.count];
    value = is_negative ? -number : number;
    at = fraction.end;
    return true;
}

// The numbers that most words are, by `short_integer`; false where it has to be looked at closer.
template <class T>
bool read_short(const char*& at, T& value) {
    const bool is_negative = *at == '-';
    const short_integer digits = read_short_integer(at + (is_negative ? 1 : 0));
    if (digits.count == 0) return false;
    if constexpr (std::is_floating_point_v<T>) {
        if (*digits.end == '.') return read_short_decimal(digits, is_negative, at, value);
    }
    if (!is_space(*digits.end)) return false;
    const auto size = static_cast<std::int64_t>(digits.value);
    if constexpr (std::is_integral_v<T>) {
        if (!std::in_range<T>(is_negative ? -size : size)) return false;
        value = static_cast<T>(is_negative ? -size : size);
    } else {
        // Those that it holds exactly; -0 is not 0.
        if (size > std::int64_t{1} << std::numeric_limits<T>::digits) return false;
        value = is_negative ? -static_cast<T>(size) : static_cast<T>(size);
    }
    at = digits.end;
    return true;
}

// Other numbers: the standard library finds their ends by itself. False where there is none, or not
// as the library has it.
template <class T>
bool read_usual(const char*& at, const char* end, T& value) {
    const auto [stop, problem] = std::from_chars(at, end, value);
    if (problem != std::errc{} || (stop < end && !is_space(*stop))) return false;
    at = stop;
    return true;
}

// As bool and float16 are computed as other numbers, which do not all fit. `value` becomes the one
// that the word is.
template <class T>
bool take_as(const element& type, std::string_view word, T& value) {
    if (type.is_boolean()) return value == 0 || value == 1;
    if constexpr (std::is_same_v<T, float>) {
        const float nearest = nearest_half(word, value);
        if (std::isinf(nearest) && !std::isinf(value)) return false;
        value = nearest;
    }
    return true;
}

// Why a word is no number of the type; empty where it is one.
template <class T>
std::string problem_of(const element& type, std::string_view word) {
    T value{};
    const verdict found = read_number(word, value);
    const bool is_plain = type.stored == encoding::plain;
    if (found == verdict::good && (is_plain || take_as(type, word, value))) return {};
    if (is_plain || (found != verdict::good && found != verdict::out_of_range)) {
        return explain<T>(found, word);
    }
    return fmt::format("{} is out of range for {}; expected {}", quoted(word), name(type),
                       type.is_boolean() ? "0 or 1" : "-65504 to 65504");
}

// Appends numbers until a word is none of this type; returns where.
template <class T>
const char* read_each(const char* at, const char* end, const element& type, byte_buffer& to,
                      bool& has_negative, std::vector<std::size_t>& minus_zeros) {
    const auto most = static_cast<std::size_t>(end - at) / 2 + 1;
    auto* const begin = reinterpret_cast<T*>(to.room(most * sizeof(T)));
    T* next = begin;
    bool is_negative = false, was_short = true;
    for (;;) {
        while (at < end && is_space(*at)) ++at;
        if (at == end) break;
        T value{};
        const char* const word = at;
        const bool is_read = was_short && end - at >= short_reach && read_short(at, value);
        if (!is_read && !read_usual(at, end, value)) {
            const std::string_view text = word_at({at, end});
            if (read_number(text, value) != verdict::good) break;
            at += text.size();
        }
        // Floats of many digits come together; the short way is not tried for each.
        if constexpr (std::is_floating_point_v<T>) was_short = at - word <= 16;
        if (type.stored != encoding::plain && !take_as(type, {word, at}, value)) {
            at = word;
            break;
        }
        if constexpr (std::is_integral_v<T>) {
            is_negative |= std::cmp_less(value, 0);
            if (value == 0 && *word == '-') {
                minus_zeros.push_back(static_cast<std::size_t>(next - begin));
            }
        }
        std::memcpy(next++, &value, sizeof(T));
    }
    to.grow(static_cast<std::size_t>(next - begin) * sizeof(T));
    has_negative = is_negative;
    return at;
}

bool holds(dtype type, std::string_view word) {
    return with_type(type, [&]<class T>(std::type_identity<T>) {
        T ignored;
        return read_number(word, ignored) == verdict::good;
    });
}

}  // namespace

text_reader::text_reader(const text_kind& of, int threads)
    : type_(of.type.value_or(dtype::int64)),
      is_given_(of.type),
      path_(of.path),
      column_of_table_(of.column),
      threads_(threads) {
    parts_.resize(threads_.size());
    const std::string_view also = of.also;
    if (is_given_ || also.empty()) return;
    const auto* const first = std::find_if(candidates.begin(), candidates.end() - 1,
                                           [&](dtype t) { return holds(t, also); });
    type_ = *first;
    has_negative_ = also.starts_with('-');
}

std::size_t text_reader::read(std::string_view text, bool is_end, bool may_change,
                              byte_buffer& to) {
    refuse_long_words(text);
    std::size_t end = text.size();
    while (!is_end && end > 0 && !is_space(text[end - 1])) --end;
    const std::size_t before = to.size();
    const std::string_view whole = text.substr(0, end);
    minus_zeros_.clear();
    std::size_t done = 0, lines = 0;
    for (;;) {
        done += read_parts(whole.substr(done), to, lines);
        is_at_other_type_ = done < end;
        if (!is_at_other_type_ || !may_change || to.size() > before) break;
        change_type(whole, done);
    }
    lines_ += lines;
    const std::size_t last = whole.substr(0, done).rfind('\n');
    column_ = last == whole.npos ? column_ + done : done - last - 1;
    return done;
}

// However much of a word has arrived: otherwise it would depend on that whether it is refused.
void text_reader::refuse_long_words(std::string_view text) const {
    for (std::size_t word = 0; text.size() - word > longest_word;) {
        std::size_t next = word + longest_word + 1;
        while (next > word && !is_space(text[next - 1])) --next;
        if (next == word) {
            fail("{}:{}: a word of more than {} characters; expected numbers between white space",
                 path_, place_in(text, word), longest_word);
        }
        word = next;
    }
}

// Returns how far all is of one type; adds how many lines end there.
std::size_t text_reader::read_parts(std::string_view text, byte_buffer& to, std::size_t& lines) {
    const std::vector<std::string_view> texts = cut_in_parts(text, parts_.size(), is_space);
    const std::size_t start = to.size();
    threads_.run(texts.size(), [&](std::size_t i) {
        part& p = parts_[i];
        p.numbers.clear();
        p.minus_zeros.clear();
        with_type(type_.computed, [&]<class T>(std::type_identity<T>) {
            const char* const begin = texts[i].data();
            const char* const end =
                read_each<T>(begin, begin + texts[i].size(), type_, i == 0 ? to : p.numbers,
                             p.has_negative, p.minus_zeros);
            p.done = static_cast<std::size_t>(end - begin);
            p.lines = static_cast<std::size_t>(std::count(begin, end, '\n'));
        });
    });
    std::size_t done = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const part& p = parts_[i];
        const std::size_t before = (i == 0 ? start : to.size()) / size_of(type_.computed);
        for (const std::size_t k : p.minus_zeros) minus_zeros_.push_back(before + k);
        to.append(p.numbers);
        has_negative_ |= p.has_negative;
        done += p.done;
        lines += p.lines;
        if (p.done < texts[i].size()) break;
    }
    return done;
}

// To that of the word at `at`, which is not of the type so far.
void text_reader::change_type(std::string_view text, std::size_t at) {
    const std::string_view word = word_at(text.substr(at));
    if (!is_given_ && type_ == dtype::int64 && !has_negative_ && holds(dtype::uint64, word)) {
        type_ = dtype::uint64;
        return;
    }
    if (!is_given_ && type_ != dtype::float64) type_ = dtype::float64;
    const std::string problem = with_type(
        type_.computed, [&]<class T>(std::type_identity<T>) { return problem_of<T>(type_, word); });
    if (problem.empty()) return;
    const bool is_of_table = column_of_table_.empty() && word.find_first_of(",;|") != word.npos;
    fail("{}:{}: {}{}", path_, place_in(text, at), problem,
         is_of_table ? "; expected --column for one of several columns" : "");
}

// As a person counts.
std::string text_reader::place_in(std::string_view text, std::size_t at) const {
    const std::string_view before = text.substr(0, at);
    const auto lines =
        lines_ + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t last = before.rfind('\n');
    const std::size_t column = last == before.npos ? column_ + at : at - last - 1;
    if (!column_of_table_.empty()) return fmt::format("{}, {}", lines + 1, column_of_table_);
    return fmt::format("{}:{}", lines + 1, column + 1);
}

}  // namespace lookback::cli
