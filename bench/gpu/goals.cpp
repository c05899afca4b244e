#include "goals.hpp"

#include <cstdio>

namespace lookback::bench {

std::string with_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

goal extreme(const std::string& text, const std::vector<cell>& cells, const choice& chosen,
             const figure& of, double limit, bool at_least) {
    std::optional<double> found;
    std::string where;
    for (const cell& c : cells) {
        if (!chosen(c)) continue;
        const auto value = of(c);
        if (!value) return {text, "no figure for " + c.name(), false};
        if (!found || (at_least ? *value < *found : *value > *found)) {
            found = value;
            where = c.name();
        }
    }
    if (!found) return {text, "not measured", std::nullopt};
    return {text, with_digits(*found) + " at " + where,
            at_least ? *found >= limit : *found <= limit};
}

}  // namespace lookback::bench
