#include <cuda_fp16.h>

#include <algorithm>
#include <type_traits>

#include "compaction_input.hpp"
#include "lookback/axis_scan.hpp"
#include "lookback/scan.hpp"
#include "random_bits.cuh"
#include "verdict.cuh"

namespace lookback::bench {
namespace {

// -1, 0 or 1 (255, 0 or 1 where there are no signs): floats of 16 bits hold sums of up to 2048, and
// those of 16384 rows stay far below.
template <class In>
__global__ void fill_steps(In* items, std::uint64_t n) {
    for_each_item(n, [&](std::uint64_t i) {
        const std::uint64_t bits = random_bits(i) >> 62;
        items[i] = static_cast<In>(static_cast<int>(bits % 3) - static_cast<int>(bits != 3));
    });
}

// Compares each result with one step from the result above it. If they agree everywhere, the scan
// is right.
template <class In, class Out, class A>
__global__ void check_columns(const In* in, const Out* out, std::uint64_t n, axis_extents e,
                              unsigned long long* first_wrong) {
    for_each_item(n, [&](std::uint64_t i) {
        const bool top = i / e.inner % e.length == 0;
        const A item = static_cast<A>(in[i]);
        const A want = top ? item : static_cast<A>(static_cast<A>(out[i - e.inner]) + item);
        if (out[i] != static_cast<Out>(want)) atomicMin(first_wrong, i);
    });
}

template <class In, class Out, class A>
class column_check {
 public:
    /// Both arrays begin `off` items behind a boundary.
    column_check(session& s, const axis_extents& e, std::uint64_t off)
        : s_(s), extents_(e), n_(e.outer * e.length * e.inner), off_(off) {}

    In* in() const { return static_cast<In*>(s_.in()) + off_; }
    Out* out() const { return static_cast<Out*>(s_.out()) + off_; }

    void fill() const {
        fill_steps<<<check_blocks(n_), check_threads, 0, s_.stream()>>>(in(), n_);
        check(cudaGetLastError(), "launching a fill");
    }
    /// Runs the call on a poisoned output. Returns what is wrong, or nothing.
    std::string judge(const implementation& one) const {
        check(cudaMemsetAsync(out(), 0xa5, n_ * sizeof(Out), s_.stream()), "poisoning");
        one.call();
        const std::uint64_t wrong = first_wrong();
        return wrong == none_wrong ? ""
                                   : one.name + " is wrong, first at item " + std::to_string(wrong);
    }
    /// Changes a right result, and checks that this is found. Returns what is wrong, or nothing.
    std::string judge_itself() const {
        const std::uint64_t place = n_ / 2 + 1;
        check(cudaMemsetAsync(out() + place, 0xa5, sizeof(Out), s_.stream()), "spoiling");
        return first_wrong() == place ? "" : "the check does not see a wrong item";
    }

 private:
    std::uint64_t first_wrong() const {
        return first_wrong_item(s_, [&](unsigned long long* found) {
            check_columns<In, Out, A><<<check_blocks(n_), check_threads, 0, s_.stream()>>>(
                in(), out(), n_, extents_, found);
        });
    }

    session& s_;
    axis_extents extents_;
    std::uint64_t n_, off_;
};

template <class In, class Out, class A>
void measure_shape(session& s, const observer& tell, const char* type, const axis_extents& e,
                   std::uint64_t off = 0) {
    const std::uint64_t n = e.outer * e.length * e.inner;
    if ((n + off) * std::max(sizeof(In), sizeof(Out)) > s.array_bytes()) return;
    cell c;
    c.op = "inclusive_scan";
    c.type = type;
    c.data = (e.inner == 1 ? "rows of " : "columns of ") + std::to_string(e.outer) + " x " +
             std::to_string(e.length) + (e.inner == 1 ? "" : " x " + std::to_string(e.inner)) +
             (off == 0 ? "" : ", " + std::to_string(off) + " item off");
    c.items = n;
    c.item_bytes = static_cast<int>(std::max(sizeof(In), sizeof(Out)));
    c.least_bytes = n * (sizeof(In) + sizeof(Out));
    c.copied_bytes = c.least_bytes / 32 * 32;
    if (!tell.wants(c)) return;
    tell.begin(c);

    const column_check<In, Out, A> verdict(s, e, off);
    verdict.fill();
    const In* const in = verdict.in();
    Out* const out = verdict.out();
    const implementation ours = {"ours",
                                 [=, &s] { inclusive_scan(s.gpu(), in, e, out, plus<A>{}); }};
    c.trouble = verdict.judge(ours);
    if (c.trouble.empty()) c.trouble = verdict.judge_itself();
    if (c.trouble.empty()) {
        std::vector<implementation> timed = {ours};
        timed.push_back({"flat", [=, &s] { inclusive_scan(s.gpu(), in, in + n, out, plus<A>{}); }});
        for (implementation& copy : copies(s, c.copied_bytes / 2)) timed.push_back(copy);
        c.device_us = s.device_times(timed, c.trouble);
        const std::string wrong = verdict.judge(ours);  // still right after all these calls
        c.checked = wrong.empty();
        c.trouble += wrong;
    }
    tell.end(c);
}

// As images and tensors have them: square, also with rows or arrays that begin anywhere; along both
// axes. And 2^24 items in few columns, or short rows.
template <class In, class Out, class A>
void measure_squares(session& s, const observer& tell, const char* type) {
    for (const std::uint64_t side : {4096, 4095, 16384}) {
        measure_shape<In, Out, A>(s, tell, type, {1, side, side});
        measure_shape<In, Out, A>(s, tell, type, {side, side, 1});
    }
    for (const std::uint64_t side : {4096, 16384}) {
        measure_shape<In, Out, A>(s, tell, type, {1, side, side}, 1);
        measure_shape<In, Out, A>(s, tell, type, {side, side, 1}, 1);
    }
    for (const std::uint64_t few : {2, 3, 100}) {
        // (Floats of 16 bits would not hold the sums of millions of rows.)
        if (few == 100 || !std::is_same_v<Out, __half>) {
            measure_shape<In, Out, A>(s, tell, type, {1, (1 << 24) / few, few});
        }
        measure_shape<In, Out, A>(s, tell, type, {(1 << 24) / few, few, 1});
    }
}

}  // namespace

void measure_columns(session& s, const observer& tell) {
    const auto measure_words = [&](const axis_extents& e) {
        measure_shape<word, word, word>(s, tell, "u32", e);
    };
    for (const int exponent : {16, 20, 24, 28}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        for (const std::uint64_t length : {16, 1000, 4097, 16384}) {
            measure_words({n / length, length, 1});
        }
    }
    for (const int exponent : {24, 28}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        for (const std::uint64_t inner : {2, 3, 7, 32, 1000, 1 << 20}) {
            if (n / inner > 1) measure_words({1, n / inner, inner});
        }
        for (const std::uint64_t length : {2, 100}) {
            measure_words({1, length, n / length});
            measure_words({n / length / 7, length, 7});
        }
    }
    using std::int64_t;
    measure_squares<float, float, float>(s, tell, "f32");
    measure_squares<__half, __half, float>(s, tell, "f16");
    measure_squares<__half, float, float>(s, tell, "f16_to_f32");
    measure_squares<std::uint8_t, std::uint8_t, std::uint8_t>(s, tell, "u8");
    measure_squares<std::uint8_t, int64_t, int64_t>(s, tell, "u8_to_i64");
    measure_squares<int, int64_t, int64_t>(s, tell, "i32_to_i64");
}

}  // namespace lookback::bench
