#include "goals.hpp"

namespace lookback::bench {
namespace {

constexpr std::uint64_t large = std::uint64_t{1} << 26;  // 8192 x 8192

goal share_of_copy(const std::string& text, const std::vector<cell>& cells, double least,
                   const choice& chosen) {
    return extreme(
        text + ": at least " + with_digits(least) + " of the copy", cells, chosen,
        [](const cell& c) { return c.ratio_to_copy(); }, least, true);
}

bool is_table(const cell& c, const std::string& type) {
    return c.op == "summed_area_table" && c.type == type;
}
bool is_square(const cell& c) {  // and whole: "8192 x 8192"
    for (std::uint64_t side = 1; side * side <= c.items; side *= 2) {
        const std::string text = std::to_string(side);
        if (side * side == c.items && c.data == text + " x " + text) return true;
    }
    return false;
}

}  // namespace

std::vector<goal> table_goals(const std::vector<cell>& cells) {
    return {
        share_of_copy("f32 and i32 8192 x 8192 and more", cells, .9,
                      [](const cell& c) {
                          return (is_table(c, "f32") || is_table(c, "i32")) && is_square(c) &&
                                 c.items >= large;
                      }),
        share_of_copy("u8 to u32 8192 x 8192 and more", cells, .9,
                      [](const cell& c) {
                          return is_table(c, "u8 to u32") && is_square(c) && c.items >= large;
                      }),
        share_of_copy("stacks", cells, .8,
                      [](const cell& c) {
                          return c.data == "10000 x 64 x 64" || c.data == "1000 x 256 x 256";
                      }),
        extreme(
            "f32 1024 x 1024: at most 8.00 us", cells,
            [](const cell& c) { return is_table(c, "f32") && c.data == "1024 x 1024"; },
            [](const cell& c) { return c.device("ours"); }, 8, false),
        extreme(
            "box_filter RGBA8 8192 x 8192 by a radius for each pixel: at most 3.00 copies", cells,
            [](const cell& c) {
                return c.op == "box_filter" && c.data.starts_with("8192 x 8192") &&
                       c.data.find("radii") != std::string::npos;
            },
            [](const cell& c) -> std::optional<double> {
                const auto ratio = c.ratio_to_copy();
                return ratio ? std::optional(1 / *ratio) : std::nullopt;
            },
            3, false)};
}

}  // namespace lookback::bench
