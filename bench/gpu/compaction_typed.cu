#include "compaction_typed.hpp"
#include "verdict.cuh"

namespace lookback::bench {
namespace {

constexpr int poison_byte = 0xa5;
constexpr compaction_array outputs[] = {out_at, second_out_at};
constexpr compaction_array wanted[] = {wanted_at, second_wanted_at};

unsigned char* bytes_at(const session& s, compaction_array which) {
    return static_cast<unsigned char*>(s.array(which));
}

// Bytes [0, length) must be as wanted, and bytes in [length, end) must be poison.
__global__ void compare_bytes(const unsigned char* got, const unsigned char* want,
                              std::uint64_t length, std::uint64_t end,
                              unsigned long long* first_wrong) {
    for_each_item(end, [&](std::uint64_t i) {
        if (got[i] != (i < length ? want[i] : poison_byte)) atomicMin(first_wrong, i);
    });
}

// Runs a call over poison, and returns its number of results.
std::uint64_t run(session& s, const typed_contest& one, const implementation& who,
                  std::uint64_t n) {
    std::uint64_t* const count = counts_at(s);
    check(cudaMemsetAsync(count, poison_byte, sizeof(*count), s.stream()), "poisoning");
    for (std::size_t i = 0; i < one.outputs.size(); ++i) {
        check(cudaMemsetAsync(s.array(outputs[i]), poison_byte, n * one.outputs[i], s.stream()),
              "poisoning");
    }
    who.call();
    std::uint64_t results = n;
    if (one.counts) {
        check(cudaMemcpyAsync(&results, count, sizeof(results), cudaMemcpyDeviceToHost, s.stream()),
              "fetching a count");
    }
    s.synchronise();
    return results;
}

// What is wrong with our results, or nothing.
std::string judge(session& s, const typed_contest& one, std::uint64_t n, std::uint64_t results) {
    if (const std::uint64_t got = run(s, one, one.ours, n); got != results) {
        return "ours has " + std::to_string(got) + " results, not " + std::to_string(results);
    }
    for (std::size_t i = 0; i < one.outputs.size(); ++i) {
        const std::uint64_t wrong = first_wrong_item(s, [&](unsigned long long* found) {
            compare_bytes<<<check_blocks(n), check_threads, 0, s.stream()>>>(
                bytes_at(s, outputs[i]), bytes_at(s, wanted[i]), results * one.outputs[i],
                n * one.outputs[i], found);
        });
        if (wrong != none_wrong) {
            return "ours is wrong, first at byte " + std::to_string(wrong) + " of output " +
                   std::to_string(i);
        }
    }
    return "";
}

}  // namespace

void measure_typed(session& s, const observer& tell, const typed_contest& one, std::uint64_t n,
                   bool off) {
    cell c;
    c.op = one.op;
    c.type = one.type;
    c.data = one.data + (off ? ", off boundaries" : "");
    c.items = n;
    c.item_bytes = one.item_bytes;
    if (!tell.wants(c)) return;
    tell.begin(c);

    one.fill();
    check(cudaGetLastError(), "launching a fill");
    const std::uint64_t results = run(s, one, one.cub, n);
    c.least_bytes = n * one.read_bytes;
    for (std::size_t i = 0; i < one.outputs.size(); ++i) {
        const std::uint64_t bytes = results * one.outputs[i];
        c.least_bytes += bytes;
        check(cudaMemcpyAsync(s.array(wanted[i]), s.array(outputs[i]), bytes,
                              cudaMemcpyDeviceToDevice, s.stream()),
              "keeping what is right");
    }
    c.trouble = judge(s, one, n, results);
    if (c.trouble.empty()) {
        if (one.counts) c.count = results;
        c.copied_bytes = c.least_bytes / 32 * 32;
        std::vector<implementation> timed = {one.ours, one.cub};
        for (implementation& copy : copies(s, c.copied_bytes / 2)) timed.push_back(copy);
        c.device_us = s.device_times(timed, c.trouble);
        const std::string wrong = judge(s, one, n, results);  // still right after all these calls
        c.checked = wrong.empty();
        c.trouble += wrong;
    }
    tell.end(c);
}

}  // namespace lookback::bench
