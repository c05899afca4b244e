// The results of primitives, by loops of a few lines, for tests without the library's CPU part.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace lookback::test::plain {

/// Scans; in columns, neighbours are `apart` items apart. By keys, a scan begins anew at each run.
template <class T, class Op>
std::vector<T> inclusive_scan(const std::vector<T>& in, Op op, std::size_t apart = 1) {
    auto out = in;
    for (std::size_t i = apart; i < in.size(); ++i) out[i] = op(out[i - apart], in[i]);
    return out;
}
inline std::vector<int> inclusive_scan(const std::vector<int>& in, std::size_t apart = 1) {
    return inclusive_scan(
        in, [](int a, int b) { return a + b; }, apart);
}
inline std::vector<int> exclusive_scan(const std::vector<int>& in, int init) {
    std::vector<int> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = std::exchange(init, init + in[i]);
    return out;
}
inline std::vector<int> inclusive_scan_by_key(const std::vector<int>& keys,
                                              const std::vector<int>& in, int init = 0) {
    std::vector<int> out(in.size());
    int running = init;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (i > 0 && keys[i] != keys[i - 1]) running = init;
        out[i] = running += in[i];
    }
    return out;
}
inline std::vector<int> exclusive_scan_by_key(const std::vector<int>& keys,
                                              const std::vector<int>& in, int init) {
    auto out = inclusive_scan_by_key(keys, in, init);
    for (std::size_t i = 0; i < in.size(); ++i) out[i] -= in[i];
    return out;
}

/// Keys in runs of a few items.
inline std::vector<int> short_runs(std::size_t n) {
    std::vector<int> keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<int>((i - i / 3 % 5) / 7 % 100);
    return keys;
}

struct runs {
    std::vector<int> firsts, lengths, sums;  // sums of the items of each run
    std::vector<int> begins_of_two, lengths_of_two;
};
inline runs runs_of(const std::vector<int>& in) {
    runs all;
    for (std::size_t i = 0, next; i < in.size(); i = next) {
        for (next = i; next < in.size() && in[next] == in[i]; ++next) {
        }
        const int length = static_cast<int>(next - i);
        all.firsts.push_back(in[i]);
        all.lengths.push_back(length);
        all.sums.push_back(length * in[i]);
        if (length < 2) continue;
        all.begins_of_two.push_back(static_cast<int>(i));
        all.lengths_of_two.push_back(length);
    }
    return all;
}

struct parts {
    std::vector<int> kept, rest;
};
template <class Predicate>
parts partition(const std::vector<int>& in, Predicate pred) {
    parts all;
    for (const int x : in) (pred(x) ? all.kept : all.rest).push_back(x);
    return all;
}

}  // namespace lookback::test::plain
