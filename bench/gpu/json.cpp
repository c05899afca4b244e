// Writes the result as JSON, one line a cell, so that changes are easy to read.

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "result.hpp"

namespace lookback::bench {
namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result + '"';
}

std::string value(std::optional<double> number) {
    if (!number) return "null";
    std::ostringstream text;
    text.precision(5);
    text << *number;
    return text.str();
}

// {"name": value, ...} from names and values that are JSON already.
std::string object(const facts& members) {
    std::string result;
    for (const auto& [name, text] : members) {
        result += (result.empty() ? "{" : ", ") + quoted(name) + ": " + text;
    }
    return result.empty() ? "{}" : result + "}";
}

std::string line(const cell& c) {
    facts members = {{"op", quoted(c.op)}, {"type", quoted(c.type)}};
    if (!c.data.empty()) members.emplace_back("data", quoted(c.data));
    members.emplace_back("n", std::to_string(c.items));
    members.emplace_back("item_bytes", std::to_string(c.item_bytes));
    members.emplace_back("least_bytes", std::to_string(c.least_bytes));
    if (c.copied_bytes > 0) {
        members.emplace_back("copied_bytes", std::to_string(c.copied_bytes));
    }
    if (c.count) members.emplace_back("count", std::to_string(*c.count));
    constexpr std::array always = {"ours", "cub", "thrust", "copy_kernel", "memcpy"};
    for (const char* who : always) {
        members.emplace_back(who + std::string("_us"), value(c.device(who)));
    }
    for (const auto& [who, us] : c.device_us) {
        if (std::ranges::find(always, who) == always.end()) {
            members.emplace_back(who + "_us", value(us));
        }
    }
    members.emplace_back("copy_us", value(c.copy_us()));
    members.emplace_back("ratio_to_copy", value(c.ratio_to_copy()));
    members.emplace_back("speedup_over_cub", value(c.speedup_over_cub()));
    if (const auto ratio = c.in_place_ratio()) {
        members.emplace_back("in_place_ratio", value(ratio));
    }
    for (const auto& [who, us] : c.host_us) members.emplace_back(who + "_host_us", value(us));
    members.emplace_back("checked", c.checked ? "true" : "false");
    if (!c.trouble.empty()) members.emplace_back("trouble", quoted(c.trouble));
    return object(members);
}

std::string line(const goal& g) {
    return object({{"goal", quoted(g.text)},
                   {"value", quoted(g.shown)},
                   {"reached", !g.reached   ? "null"
                               : *g.reached ? "true"
                                            : "false"}});
}

template <class T>
void write_list(std::ostream& out, const char* name, const std::vector<T>& items) {
    out << " " << quoted(name) << ": [";
    const char* separator = "\n  ";
    for (const T& item : items) {
        out << separator << line(item);
        separator = ",\n  ";
    }
    out << "\n ]";
}

}  // namespace

void write_json(const std::string& path, const environment& where, const std::string& method,
                const std::vector<goal>& goals, const std::vector<cell>& cells) {
    std::ofstream out(path);
    out << "{\n \"hardware\": " << object(where.hardware)
        << ",\n \"versions\": " << object(where.versions) << ",\n \"date\": " << quoted(where.date)
        << ",\n \"method\": " << quoted(method) << ",\n";
    if (const auto total = over_cub(cells)) {
        out << " \"summary\": "
            << object({{"geometric_mean_over_cub", value(total->mean)},
                       {"worst_over_cub", value(total->worst)},
                       {"worst_cell", quoted(total->worst_cell)}})
            << ",\n";
    }
    write_list(out, "goals", goals);
    out << ",\n";
    write_list(out, "cells", cells);
    out << "\n}\n";
    out.close();
    if (!out) throw std::runtime_error("cannot write " + path);
}

}  // namespace lookback::bench
