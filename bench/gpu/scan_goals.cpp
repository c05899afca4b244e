#include "goals.hpp"

namespace lookback::bench {
namespace {

figure of_copy() {
    return [](const cell& c) { return c.ratio_to_copy(); };
}

goal share_of_copy(const std::string& text, const std::vector<cell>& cells, double least,
                   const choice& chosen) {
    return extreme(text + ": at least " + with_digits(least) + " of the copy", cells, chosen,
                   of_copy(), least, true);
}

goal time_of_i32(const std::vector<cell>& cells, int exponent, double most) {
    return extreme(
        "sum i32 2^" + std::to_string(exponent) + ": at most " + with_digits(most) + " us", cells,
        [=](const cell& c) {
            return c.op == "sum" && c.type == "i32" && c.items == std::uint64_t{1} << exponent;
        },
        [](const cell& c) { return c.device("ours"); }, most, false);
}

// The time of the sum of another type, for as many items.
std::optional<double> time_beside(const std::vector<cell>& cells, const cell& other,
                                  const std::string& type) {
    for (const cell& c : cells) {
        if (c.op == "sum" && c.type == type && c.items == other.items) return c.device("ours");
    }
    return std::nullopt;
}

goal floats_like_integers(const std::vector<cell>& cells) {
    constexpr double most = 1.02;
    return extreme(
        "f32 and f64 2^28 and more: at most 1.02 times the time of i32 and i64", cells,
        [](const cell& c) { return c.op == "sum" && c.type[0] == 'f' && c.items >= 1U << 28; },
        [&](const cell& c) -> std::optional<double> {
            const auto integers = time_beside(cells, c, c.type == "f32" ? "i32" : "i64");
            const auto floats = c.device("ours");
            if (!integers || !floats) return std::nullopt;
            return *floats / *integers;
        },
        most, false);
}

}  // namespace

std::vector<goal> scan_goals(const std::vector<cell>& cells) {
    const auto from = [](int exponent, auto&& chosen) {
        return [=](const cell& c) { return c.items >= std::uint64_t{1} << exponent && chosen(c); };
    };
    const auto of_type = [](std::string type) {
        return [=](const cell& c) { return c.op == "sum" && c.type == type; };
    };
    const auto any = [](const cell&) { return true; };
    const auto speedup = [](const cell& c) { return c.speedup_over_cub(); };

    std::vector<goal> all;
    all.push_back(share_of_copy(
        "4- and 8-byte numbers 2^28 and more", cells, 0.97, from(28, [](const cell& c) {
            return c.op != "affine" && c.op != "sum_anywhere" && c.item_bytes >= 4;
        })));
    // "2xi32", "3xu8": pixels.
    const auto is_pixel = [](const cell& c) { return c.type.find('x') != std::string::npos; };
    const auto anywhere = [&](bool bytes) {
        return from(28, [=](const cell& c) {
            return c.op == "sum_anywhere" && !is_pixel(c) && (c.item_bytes == 1) == bytes;
        });
    };
    all.push_back(
        share_of_copy("arrays anywhere, items of other sizes, 2^28", cells, 0.93, anywhere(false)));
    all.push_back(share_of_copy("bytes anywhere, 2^28", cells, 0.88, anywhere(true)));
    all.push_back(share_of_copy("pixels, 2^28", cells, 0.93, from(28, is_pixel)));
    all.push_back(floats_like_integers(cells));
    all.push_back(share_of_copy("u16 2^30", cells, 0.93, from(30, of_type("u16"))));
    all.push_back(share_of_copy("u8 2^30 and more", cells, 0.85, from(30, of_type("u8"))));
    all.push_back(share_of_copy("affine 2^27 and more", cells, 0.93,
                                from(27, [](const cell& c) { return c.op == "affine"; })));
    all.push_back(share_of_copy("sum i32 2^24", cells, 0.90, [&](const cell& c) {
        return of_type("i32")(c) && c.items == 1U << 24;
    }));
    for (const auto& [exponent, most] : {std::pair{22, 8.5}, {20, 4.4}, {16, 2.4}, {10, 1.4}}) {
        all.push_back(time_of_i32(cells, exponent, most));
    }
    const auto total = over_cub(cells);
    all.push_back({"geometric mean over CUB: at least 1.70",
                   total ? with_digits(total->mean) : "not measured",
                   total ? std::optional(total->mean >= 1.7) : std::nullopt});
    all.push_back(extreme("nowhere slower than CUB", cells, any, speedup, 1.0, true));
    all.push_back(extreme(
        "a call: at most 3 us of the host's time above an empty launch", cells,
        [](const cell& c) { return !c.host_us.empty(); },
        [](const cell& c) { return c.host_above_launch(); }, 3.0, false));
    return all;
}

}  // namespace lookback::bench
