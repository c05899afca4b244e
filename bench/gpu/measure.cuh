/// \file
/// All cells of one workload.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "check.cuh"
#include "lookback/scan.hpp"
#include "measure.hpp"
#include "newest_cub.cuh"
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
    add_newest_scans<W>(s, n, all);
    return all;
}

// Checks every implementation on data whose sum is the same in every order of additions, and ours
// also on the data that are timed. Says in `trouble` what is wrong, and drops peers that are.
// Returns whether ours is right.
template <class W>
bool check_all(checker<W>& judge, std::vector<implementation>& all, std::string& trouble) {
    judge.fill(data::exact);
    trouble = judge.judge(all.front());
    if (trouble.empty()) trouble = judge.judge_itself();
    if (!trouble.empty()) return false;
    const auto is_wrong = [&](const implementation& peer) {
        const std::string wrong = judge.judge(peer);
        if (!wrong.empty()) trouble += wrong + "; ";
        return !wrong.empty();
    };
    all.erase(std::remove_if(all.begin() + 1, all.end(), is_wrong), all.end());
    judge.fill(data::timed);
    const std::string wrong = judge.judge(all.front());
    trouble += wrong;
    return wrong.empty();
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

        std::vector<implementation> all = scans<W>(s, n);
        checker<W> judge(s, n);
        if (check_all(judge, all, c.trouble)) {
            std::vector<implementation> timed = all;
            for (implementation& copy : copies(s, n * sizeof(item))) timed.push_back(copy);
            c.device_us = s.device_times(timed, c.trouble);
            for (const std::string who : {"cub", "cub_lookahead"}) {  // the better of two forms
                if (const auto narrow = c.device(who + "_narrow")) {
                    c.device_us[who] = std::min(c.device(who).value_or(*narrow), *narrow);
                }
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
