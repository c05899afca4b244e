/// \file
/// Compares the outputs and counts of calls, bit by bit, on the device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compaction.hpp"

namespace lookback::bench {

class compaction_verdict {
 public:
    /// `s` and `one` have to outlive it.
    compaction_verdict(session& s, const contest& one, std::uint64_t n) : s_(s), one_(one), n_(n) {}

    /// Takes the results of the peer that counts as right, and judges all other calls, the call in
    /// place, and itself. Returns what is wrong, or nothing.
    std::string judge_all();
    /// Judges our call, on poisoned outputs. To be called after judge_all.
    std::string judge_ours() { return judge(one_.all.front()); }

    /// Restores the input, for a call in place.
    void restore() const;

    const compaction_counts& counts() const { return counts_; }
    std::uint64_t least_bytes() const;

 private:
    compaction_counts run(const contestant& who) const;
    compaction_counts counted(const std::function<void()>& call) const;
    std::string take_as_right(const contestant& who);
    std::string judge(const contestant& who) const;
    std::string judge_in_place() const;
    std::string judge_itself() const;
    std::uint64_t first_wrong(compaction_array got, std::size_t output,
                              std::uint64_t backwards_from, bool and_poison_behind) const;

    session& s_;
    const contest& one_;
    std::uint64_t n_;
    compaction_counts counts_{};
    std::vector<std::uint64_t> lengths_;
};

}  // namespace lookback::bench
