#include <numeric>

#include "compaction_verdict.hpp"
#include "toolkit.cuh"
#include "verdict.cuh"

namespace lookback::bench {
namespace {

constexpr int poison_byte = 0xa5;
constexpr word poison = 0xa5a5a5a5;

constexpr compaction_array outputs[] = {out_at, second_out_at, third_out_at};
constexpr compaction_array wanted[] = {wanted_at, second_wanted_at, third_wanted_at};
// Calls in place have two outputs at most: the arrays of the third output hold the input.
constexpr compaction_array originals[] = {third_out_at, third_wanted_at};

// Where item i of a result lies. The items from `backwards_from` on lie in reverse order.
struct order {
    std::uint64_t backwards_from;
    std::uint64_t n;
    __device__ std::uint64_t operator()(std::uint64_t i) const {
        return i < backwards_from ? i : n - 1 - (i - backwards_from);
    }
};

__global__ void save_kernel(const word* from, word* to, std::uint64_t length, order place) {
    for_each_item(length, [&](std::uint64_t i) { to[i] = from[place(i)]; });
}

// Items [0, length) must be as wanted, and items in [length, end) must be poison.
__global__ void compare_kernel(const word* got, const word* want, std::uint64_t length,
                               std::uint64_t end, order place, unsigned long long* first_wrong) {
    for_each_item(end, [&](std::uint64_t i) {
        const bool right = i < length ? got[place(i)] == want[i] : got[i] == poison;
        if (!right) atomicMin(first_wrong, i);
    });
}

std::uint64_t turned_from(const contestant& who, const compaction_counts& counts, std::uint64_t n) {
    return who.rest_backwards ? counts[0] : n;
}

std::string wrong_counts(const compaction_counts& got, const compaction_counts& want) {
    return " counts " + std::to_string(got[0]) + " and " + std::to_string(got[1]) + ", not " +
           std::to_string(want[0]) + " and " + std::to_string(want[1]);
}

}  // namespace

compaction_counts compaction_verdict::run(const contestant& who) const {
    for (const compaction_array output : outputs) {
        if (one_.in_place && output == third_out_at) continue;
        check(cudaMemsetAsync(s_.array(output), poison_byte, n_ * sizeof(word), s_.stream()),
              "poisoning");
    }
    compaction_counts counts = counted(who.run.call);
    if (who.count_on_host) counts[0] = *who.count_on_host;
    return counts;
}

compaction_counts compaction_verdict::counted(const std::function<void()>& call) const {
    compaction_counts counts{};
    check(cudaMemsetAsync(counts_at(s_), poison_byte, sizeof(counts), s_.stream()), "poisoning");
    call();
    check(cudaMemcpyAsync(counts.data(), counts_at(s_), sizeof(counts), cudaMemcpyDeviceToHost,
                          s_.stream()),
          "fetching counts");
    s_.synchronise();
    for (std::size_t i = static_cast<std::size_t>(one_.counts); i < counts.size(); ++i) {
        counts[i] = 0;  // poison
    }
    return counts;
}

std::string compaction_verdict::take_as_right(const contestant& who) {
    counts_ = run(who);
    lengths_ = one_.lengths(counts_);
    for (std::size_t i = 0; i < lengths_.size(); ++i) {
        if (lengths_[i] > n_) return who.run.name + " has counts that are too large";
        if (lengths_[i] == 0) continue;
        save_kernel<<<check_blocks(n_), check_threads, 0, s_.stream()>>>(
            words(s_, outputs[i]), words(s_, wanted[i]), lengths_[i],
            order{turned_from(who, counts_, n_), n_});
        check(cudaGetLastError(), "launching a copy");
    }
    return "";
}

std::uint64_t compaction_verdict::first_wrong(compaction_array got, std::size_t output,
                                              std::uint64_t backwards_from,
                                              bool and_poison_behind) const {
    const std::uint64_t length = lengths_[output];
    return first_wrong_item(s_, [&](unsigned long long* found) {
        compare_kernel<<<check_blocks(n_), check_threads, 0, s_.stream()>>>(
            words(s_, got), words(s_, wanted[output]), length, and_poison_behind ? n_ : length,
            order{backwards_from, n_}, found);
    });
}

std::string compaction_verdict::judge(const contestant& who) const {
    const compaction_counts counts = run(who);
    if (counts != counts_) return who.run.name + wrong_counts(counts, counts_);
    // Peers do not promise to leave the rest untouched.
    const bool ours = &who == &one_.all.front();
    for (std::size_t i = 0; i < lengths_.size(); ++i) {
        const auto wrong = first_wrong(outputs[i], i, turned_from(who, counts, n_), ours);
        if (wrong != none_wrong) {
            return who.run.name + " is wrong, first at item " + std::to_string(wrong) +
                   " of output " + std::to_string(i);
        }
    }
    return "";
}

void compaction_verdict::restore() const {
    const auto& arrays = one_.in_place->arrays;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        copy(s_, s_.array(originals[i]), s_.array(arrays[i]), n_ * sizeof(word));
    }
}

std::string compaction_verdict::judge_in_place() const {
    const auto& arrays = one_.in_place->arrays;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        copy(s_, s_.array(arrays[i]), s_.array(originals[i]), n_ * sizeof(word));
    }
    const compaction_counts counts = counted(one_.in_place->call);
    std::string trouble;
    if (counts != counts_) trouble = "in place, ours" + wrong_counts(counts, counts_);
    for (std::size_t i = 0; i < arrays.size() && trouble.empty(); ++i) {
        const auto wrong = first_wrong(arrays[i], i, n_, false);
        if (wrong != none_wrong) {
            trouble = "in place, ours is wrong, first at item " + std::to_string(wrong) +
                      " of output " + std::to_string(i);
        }
    }
    restore();
    return trouble;
}

// Changes what is wanted, and checks that this is found.
std::string compaction_verdict::judge_itself() const {
    const std::uint64_t length = lengths_[0];
    if (length == 0) return "";
    const std::uint64_t place = length / 2;
    word* const spoiled = words(s_, wanted_at) + place;
    const auto flip = [&] {
        word bits = 0;
        check(cudaMemcpy(&bits, spoiled, sizeof(bits), cudaMemcpyDeviceToHost), "spoiling");
        bits = ~bits;
        check(cudaMemcpy(spoiled, &bits, sizeof(bits), cudaMemcpyHostToDevice), "spoiling");
    };
    const contestant& ours = one_.all.front();
    run(ours);
    flip();
    const bool seen = first_wrong(out_at, 0, turned_from(ours, counts_, n_), true) == place;
    flip();
    return seen ? "" : "the check does not see a wrong item";
}

std::string compaction_verdict::judge_all() {
    std::string trouble = take_as_right(one_.all[1]);
    for (std::size_t i = 0; i < one_.all.size() && trouble.empty(); ++i) {
        if (i != 1) trouble = judge(one_.all[i]);
    }
    if (trouble.empty()) trouble = judge_itself();
    if (trouble.empty() && one_.in_place) trouble = judge_in_place();
    return trouble;
}

std::uint64_t compaction_verdict::least_bytes() const {
    const auto written = std::accumulate(lengths_.begin(), lengths_.end(), std::uint64_t{0});
    return one_.read_bytes + written * sizeof(word) +
           static_cast<std::uint64_t>(one_.counts) * sizeof(counts_[0]);
}

std::uint64_t* counts_at(session& s) {
    return static_cast<std::uint64_t*>(s.scratch(counts_slot, sizeof(compaction_counts)));
}

}  // namespace lookback::bench
