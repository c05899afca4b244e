/// \file
/// All cells of one workload.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "check.cuh"
#include "lookback/scan.hpp"
#include "measure.hpp"
#include "peers.cuh"

namespace lookback::bench {

inline constexpr std::uint64_t largest_for_host = std::uint64_t{1} << 16;

template <class W>
implementation our_scan(session& s, std::uint64_t n) {
    using item = typename W::item;
    const auto* const in = static_cast<const item*>(s.in());
    auto* const out = static_cast<item*>(s.out());
    return {"ours", [=, &s] { inclusive_scan(s.gpu(), in, in + n, out, typename W::op{}); }};
}

template <class W>
std::vector<implementation> scans(session& s, std::uint64_t n) {
    std::vector<implementation> all = {
        our_scan<W>(s, n),
        cub_scan<W>(s, "cub", cub_slot, n, typename W::peer_op{}),
        thrust_scan<W>(s, n),
    };
    if constexpr (sizeof(typename W::item) < sizeof(int)) {
        all.push_back(
            cub_scan<W>(s, "cub_narrow", cub_narrow_slot, n, typename W::narrow_peer_op{}));
    }
    return all;
}

// Checks every implementation on data whose sum is the same in every order of additions, and ours
// also on the data that are timed.
template <class W>
std::string check_all(checker<W>& judge, const std::vector<implementation>& all) {
    judge.fill(data::exact);
    for (const implementation& one : all) {
        if (std::string wrong = judge.judge(one); !wrong.empty()) return wrong;
    }
    if (std::string wrong = judge.judge_itself(); !wrong.empty()) return wrong;
    judge.fill(data::timed);
    return judge.judge(all.front());
}

template <class W>
void measure(session& s, const observer& tell) {
    using item = typename W::item;
    for (int exponent = 10; exponent <= W::largest_exponent; exponent += 2) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        if (n * sizeof(item) > s.array_bytes()) return;
        cell c;
        c.op = W::op_name;
        c.type = W::type;
        c.items = n;
        c.item_bytes = sizeof(item);
        c.least_bytes = 2 * n * sizeof(item);
        if (!tell.wants(c)) continue;
        tell.begin(c);

        const std::vector<implementation> all = scans<W>(s, n);
        checker<W> judge(s, n);
        c.trouble = check_all(judge, all);
        if (c.trouble.empty()) {
            std::vector<implementation> timed = all;
            for (implementation& copy : copies(s, n * sizeof(item))) timed.push_back(copy);
            c.device_us = s.device_times(timed, c.trouble);
            if (const auto narrow = c.device("cub_narrow")) {  // the better of its two forms
                c.device_us["cub"] = std::min(c.device("cub").value_or(*narrow), *narrow);
            }
            if (n <= largest_for_host) {
                timed = all;
                timed.push_back(empty_launch(s));
                c.host_us = s.host_times(timed);
            }
            // Still right after all these calls.
            const std::string wrong = judge.judge(all.front());
            c.checked = wrong.empty();
            c.trouble += wrong;
        }
        tell.end(c);
    }
}

}  // namespace lookback::bench
