#include "compaction_input.hpp"
#include "lookback/axis_scan.hpp"
#include "lookback/scan.hpp"
#include "verdict.cuh"

namespace lookback::bench {
namespace {

// Compares each result with one step from the result above it. If they agree everywhere, the scan
// is right.
__global__ void check_columns(const word* in, const word* out, std::uint64_t n, axis_extents e,
                              unsigned long long* first_wrong) {
    for_each_item(n, [&](std::uint64_t i) {
        const bool top = i / e.inner % e.length == 0;
        const word want = top ? in[i] : out[i - e.inner] + in[i];
        if (out[i] != want) atomicMin(first_wrong, i);
    });
}

class column_check {
 public:
    column_check(session& s, const axis_extents& e)
        : s_(s), extents_(e), n_(e.outer * e.length * e.inner) {}

    /// Runs the call on a poisoned output. Returns what is wrong, or nothing.
    std::string judge(const implementation& one) const {
        check(cudaMemsetAsync(words(s_, out_at), 0xa5, n_ * sizeof(word), s_.stream()),
              "poisoning");
        one.call();
        const std::uint64_t wrong = first_wrong();
        return wrong == none_wrong ? ""
                                   : one.name + " is wrong, first at item " + std::to_string(wrong);
    }
    /// Changes a right result, and checks that this is found. Returns what is wrong, or nothing.
    std::string judge_itself() const {
        const std::uint64_t place = n_ / 2 + 1;
        check(cudaMemsetAsync(words(s_, out_at) + place, 0xa5, sizeof(word), s_.stream()),
              "spoiling");
        return first_wrong() == place ? "" : "the check does not see a wrong item";
    }

 private:
    std::uint64_t first_wrong() const {
        return first_wrong_item(s_, [&](unsigned long long* found) {
            check_columns<<<check_blocks(n_), check_threads, 0, s_.stream()>>>(
                words(s_, items_at), words(s_, out_at), n_, extents_, found);
        });
    }

    session& s_;
    axis_extents extents_;
    std::uint64_t n_;
};

void measure_shape(session& s, const observer& tell, const axis_extents& e) {
    const std::uint64_t n = e.outer * e.length * e.inner;
    if (n * sizeof(word) > s.array_bytes()) return;
    cell c;
    c.op = "inclusive_scan";
    c.type = "u32";
    c.data = (e.inner == 1 ? "rows of " : "columns of ") + std::to_string(e.outer) + " x " +
             std::to_string(e.length) + (e.inner == 1 ? "" : " x " + std::to_string(e.inner));
    c.items = n;
    c.item_bytes = sizeof(word);
    c.least_bytes = 2 * n * sizeof(word);
    if (!tell.wants(c)) return;
    tell.begin(c);

    fill_items(s, n);
    word* const in = words(s, items_at);
    word* const out = words(s, out_at);
    const implementation ours = {"ours", [=, &s] { inclusive_scan(s.gpu(), in, e, out); }};
    const column_check verdict(s, e);
    c.trouble = verdict.judge(ours);
    if (c.trouble.empty()) c.trouble = verdict.judge_itself();
    if (c.trouble.empty()) {
        std::vector<implementation> timed = {ours};
        timed.push_back({"flat", [=, &s] { inclusive_scan(s.gpu(), in, in + n, out); }});
        for (implementation& copy : copies(s, n * sizeof(word) / 16 * 16)) timed.push_back(copy);
        c.device_us = s.device_times(timed, c.trouble);
        const std::string wrong = verdict.judge(ours);  // still right after all these calls
        c.checked = wrong.empty();
        c.trouble += wrong;
    }
    tell.end(c);
}

}  // namespace

void measure_columns(session& s, const observer& tell) {
    for (const int exponent : {16, 20, 24, 28}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        for (const std::uint64_t length : {16, 1000, 4097, 16384}) {
            measure_shape(s, tell, {n / length, length, 1});
        }
    }
    for (const int exponent : {24, 28}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        for (const std::uint64_t inner : {2, 3, 7, 32, 1000, 1 << 20}) {
            if (n / inner > 1) measure_shape(s, tell, {1, n / inner, inner});
        }
        for (const std::uint64_t length : {2, 100}) {
            measure_shape(s, tell, {1, length, n / length});
            measure_shape(s, tell, {n / length / 7, length, 7});
        }
    }
}

}  // namespace lookback::bench
