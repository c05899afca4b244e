/// \file
/// Cells of tables of one type of items, summed in another type.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lookback/summed_area.hpp"
#include "npp.cuh"
#include "strategies/cuda/tables/rows_then_columns.cuh"
#include "table_check.cuh"
#include "tables.hpp"

namespace lookback::bench {

inline table_places places_of(const image_case& of) {
    const std::uint64_t border = of.exclusive ? 1 : 0;
    const std::uint64_t pitch = of.width + border + of.gap;
    return {of.images, of.height, of.width, of.width + of.gap, border, of.height + border,
            pitch,     pitch,     1};
}

/// Whether there is room for an image and its table, with items and entries of these sizes.
inline bool has_room(const session& s, const image_case& of, std::uint64_t in_bytes,
                     std::uint64_t out_bytes) {
    const table_places p = places_of(of);
    return (p.images * p.height * p.in_pitch + of.off) * in_bytes <= s.array_bytes() &&
           p.out_items() * out_bytes <= s.array_bytes();
}

/// The library's table of one case; if rows have no gaps, also rows-then-columns.
template <class In, class A>
class table_contest {
 public:
    table_contest(session& s, strategies::device& gpu, const image_case& of)
        : s_(s), gpu_(gpu), of_(of) {}

    const In* in() const { return static_cast<const In*>(s_.in()) + of_.off; }
    A* out() const { return static_cast<A*>(s_.out()); }
    table_judge<In, A> judge() const { return {s_, places_of(of_), in(), out()}; }

    std::vector<implementation> all() const {
        const table_places p = places_of(of_);
        const image_extents extents{of_.height, of_.width, of_.images, p.in_pitch, p.pitch};
        std::vector<implementation> ways = {
            {"ours", [&s = s_, in = in(), out = out(), extents, exclusive = of_.exclusive] {
                 if (exclusive) {
                     exclusive_summed_area_table(s.gpu(), in, extents, out);
                 } else {
                     summed_area_table(s.gpu(), in, extents, out);
                 }
             }}};
        if (of_.gap == 0 && !of_.exclusive) {
            ways.push_back({"rows_then_columns", [&gpu = gpu_, in = in(), out = out(), of = of_] {
                                strategies::rows_then_columns::run(gpu, in, {of.height, of.width},
                                                                   out, of.images);
                            }});
        }
        return ways;
    }

 private:
    session& s_;
    strategies::device& gpu_;
    image_case of_;
};

template <class In, class A>
void measure_table(session& s, const observer& tell, const std::string& type,
                   const image_case& of) {
    if (!has_room(s, of, sizeof(In), sizeof(A))) return;
    cell c;
    c.op = "summed_area_table";
    c.type = type;
    c.data = of.text();
    c.items = of.items();
    c.item_bytes = sizeof(A);
    c.least_bytes = of.items() * (sizeof(In) + sizeof(A));
    c.copied_bytes = c.least_bytes / 32 * 32;
    if (!tell.wants(c)) return;
    tell.begin(c);

    strategies::device gpu(s.stream());
    const table_contest<In, A> contest(s, gpu, of);
    const table_judge<In, A> judge = contest.judge();
    const std::vector<implementation> all = contest.all();
    judge.fill(pixels_are::exact);
    for (const implementation& one : all) {
        if (c.trouble.empty()) c.trouble = judge.judge(one);
    }
    if (c.trouble.empty()) c.trouble = judge.judge_itself();
    if (c.trouble.empty()) {
        std::vector<implementation> timed = all;
        for (implementation& peer : npp_tables(s, of, contest.in(), contest.out())) {
            const std::string wrong = judge.judge(peer);
            if (wrong.empty()) timed.push_back(std::move(peer));
            c.trouble += wrong;
        }
        judge.fill(pixels_are::timed);
        for (implementation& copy : copies(s, c.copied_bytes / 2)) timed.push_back(copy);
        c.device_us = s.device_times(timed, c.trouble);
        judge.fill(pixels_are::exact);
        const std::string wrong = judge.judge(all.front());  // still right after all these calls
        c.checked = wrong.empty();
        c.trouble += wrong;
    }
    tell.end(c);
}

}  // namespace lookback::bench
