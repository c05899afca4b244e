#include "compaction.hpp"
#include "compaction_verdict.hpp"

namespace lookback::bench {

namespace {

using maker = std::function<contest(std::uint64_t)>;

void measure_size(session& s, const observer& tell, const std::string& op, const std::string& data,
                  std::uint64_t n, bool on_boundary, const maker& make) {
    cell c;
    c.op = op;
    c.type = "u32";
    c.data = data;
    c.items = n;
    c.item_bytes = sizeof(word);
    if (!tell.wants(c)) return;
    tell.begin(c);

    contest one = make(n);
    if (!on_boundary) one.in_place.reset();  // its input is restored by copies of 16 bytes
    compaction_verdict verdict(s, one, n);
    c.trouble = verdict.judge_all();
    if (c.trouble.empty()) {
        c.least_bytes = verdict.least_bytes();
        if (one.counts > 0) c.count = verdict.counts()[0];
        std::vector<implementation> timed;
        for (const contestant& who : one.all) timed.push_back(who.run);
        if (one.in_place) {
            const auto restore = [&] { verdict.restore(); };
            timed.push_back({"restoring", restore});
            timed.push_back({"restored_in_place", [&one, restore] {
                                 restore();
                                 one.in_place->call();
                             }});
            timed.push_back({"restored_beside", [&one, restore] {
                                 restore();
                                 one.all.front().run.call();
                             }});
        }
        for (implementation& copy : copies(s, n * sizeof(word))) timed.push_back(copy);
        c.device_us = s.device_times(timed, c.trouble);
        if (one.in_place) verdict.restore();
        const std::string wrong = verdict.judge_ours();  // still right after all these calls
        c.checked = wrong.empty();
        c.trouble += wrong;
    }
    tell.end(c);
}

}  // namespace

void measure(session& s, const observer& tell, const std::string& op, const std::string& data,
             const maker& make) {
    for (const std::uint64_t n : {1ULL << 12, 1ULL << 14, 1ULL << 16, (1ULL << 16) + 1, 1ULL << 17,
                                  1ULL << 20, 1'000'003ULL, 1ULL << 24, 1ULL << 28, 1ULL << 30}) {
        if (n * sizeof(word) > s.array_bytes()) return;
        measure_size(s, tell, op, data, n, true, make);
    }
}

void measure_off_boundaries(session& s, const observer& tell, const std::string& op,
                            const std::string& data, const maker& make) {
    s.begin_at(sizeof(word));
    for (const std::uint64_t n : {1ULL << 16, 1'000'003ULL, 1ULL << 24, 1ULL << 28}) {
        if (n * sizeof(word) > s.array_bytes()) break;
        measure_size(s, tell, op, data + ", 4 bytes off", n, false, make);
    }
    s.begin_at(0);
}

}  // namespace lookback::bench
