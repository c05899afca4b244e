/// \file
/// Fills the input and judges every result, on the device.
#pragma once

#include <cstdint>
#include <string>

#include "verdict.cuh"
#include "workloads.cuh"

namespace lookback::bench {

template <class W>
__global__ void fill_kernel(typename W::item* items, std::uint64_t n, data kind) {
    for_each_item(n, [&](std::uint64_t i) { items[i] = W::make(i, kind); });
}

// Compares each result with one step from the result before it. If they agree for all i, the scan
// is right.
template <class W>
__global__ void check_kernel(const typename W::item* in, const typename W::item* out,
                             std::uint64_t n, data kind, unsigned long long* first_wrong) {
    for_each_item(n, [&](std::uint64_t i) {
        const typename W::item want = i == 0 ? in[0] : typename W::op{}(out[i - 1], in[i]);
        if (!W::agrees(want, out[i], kind, n)) atomicMin(first_wrong, i);
    });
}

template <class W>
class checker {
 public:
    using item = typename W::item;

    checker(session& s, std::uint64_t n) : session_(s), n_(n) {}

    void fill(data kind) {
        kind_ = kind;
        fill_kernel<W><<<check_blocks(n_), check_threads, 0, session_.stream()>>>(in(), n_, kind);
        check(cudaGetLastError(), "launching a fill");
    }

    /// Runs the call on a poisoned output. Returns what is wrong, or nothing.
    std::string judge(const implementation& one) {
        check(cudaMemsetAsync(out(), 0xa5, n_ * sizeof(item), session_.stream()), "poisoning");
        one.call();
        const std::uint64_t wrong = first_wrong();
        return wrong == none_wrong ? ""
                                   : one.name + " is wrong, first at item " + std::to_string(wrong);
    }

    /// Changes a right result, and checks that this is found. Returns what is wrong, or nothing.
    std::string judge_itself() {
        const std::uint64_t place = n_ / 2 + 1;
        unsigned char bytes[sizeof(item)];
        check(cudaMemcpy(bytes, out() + place, sizeof(item), cudaMemcpyDeviceToHost), "spoiling");
        for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(~byte);
        check(cudaMemcpy(out() + place, bytes, sizeof(item), cudaMemcpyHostToDevice), "spoiling");
        return first_wrong() == place ? "" : "the check does not see a wrong item";
    }

 private:
    item* in() const { return static_cast<item*>(session_.in()); }
    item* out() const { return static_cast<item*>(session_.out()); }

    std::uint64_t first_wrong() {
        return first_wrong_item(session_, [&](unsigned long long* found) {
            check_kernel<W><<<check_blocks(n_), check_threads, 0, session_.stream()>>>(
                in(), out(), n_, kind_, found);
        });
    }

    session& session_;
    std::uint64_t n_;
    data kind_ = data::timed;
};

}  // namespace lookback::bench
