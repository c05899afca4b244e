// The examples of docs/start_cpp.md, which quotes them; each checks its results.
#include <cstdint>
#include <cstdio>
#include <lookback/lookback.hpp>
#include <ranges>
#include <string>
#include <vector>

namespace {

int wrong = 0;

template <class T>
void expect(const char* what, const T& got, const T& wanted) {
    if (got == wanted) return;
    std::printf("%s is not what the page says\n", what);
    ++wrong;
}

void scans() {
    // [scans]
    const std::vector<int> in = {3, 1, 7, 0, 4, 1, 6, 3};
    std::vector<int> sums(in.size()), places(in.size()), highest(in.size());

    lookback::inclusive_scan(in, sums);                          // 3 4 11 11 15 16 22 25
    lookback::exclusive_scan(in, places, 0);                     // 0 3 4 11 11 15 16 22
    lookback::inclusive_scan(in, highest, lookback::maximum{});  // 3 3 7 7 7 7 7 7
    lookback::inclusive_scan(lookback::cpu{.threads = 4}, sums.begin(), sums.end(),
                             sums.begin());  // in place, on 4 threads
    // [/scans]
    expect("scans, highest", highest, {3, 3, 7, 7, 7, 7, 7, 7});
    expect("scans, places", places, {0, 3, 4, 11, 11, 15, 16, 22});
    expect("scans, sums", sums, {3, 7, 18, 29, 44, 60, 82, 107});
}

void accumulators() {
    // [accumulators]
    const std::vector<std::uint8_t> bytes(1000, 200);
    std::vector<std::uint64_t> sums(bytes.size());
    lookback::inclusive_scan(bytes, sums, lookback::plus<std::uint64_t>{});
    lookback::exclusive_scan(bytes, sums, std::uint64_t{0});  // 0 200 400 600 ...
    // [/accumulators]
    expect("accumulators", sums.back(), std::uint64_t{999 * 200});
}

// [operator]
struct longer {
    std::string operator()(const std::string& a, const std::string& b) const {
        return b.size() > a.size() ? b : a;  // associative; of equal ones the first
    }
};
// [/operator]

void operators() {
    const std::vector<std::string> words = {"a", "scan", "of", "words", "again"};
    std::vector<std::string> longest(words.size());
    // [operator_call]
    lookback::inclusive_scan(words, longest, longer{});  // a scan scan words words
    // [/operator_call]
    expect("operators", longest, {"a", "scan", "scan", "words", "words"});
}

void kept() {
    // [kept]
    const std::vector<int> in = {3, 1, 7, 7, 4, 4, 4, 3};
    std::vector<int> out(in.size()), lengths(in.size());

    auto n = lookback::select_if(in, out, [](int x) { return x > 3; });  // 5: 7 7 4 4 4
    // [/kept]
    expect("select_if", n, std::size_t{5});
    expect("select_if, items", {out.begin(), out.begin() + 5}, std::vector{7, 7, 4, 4, 4});
    // [runs]
    n = lookback::unique(in, out);                      // 5: 3 1 7 4 3
    n = lookback::run_length_encode(in, out, lengths);  // and how long: 1 1 2 3 1
    // [/runs]
    expect("run_length_encode", n, std::size_t{5});
    expect("runs", {out.begin(), out.begin() + 5}, std::vector{3, 1, 7, 4, 3});
    expect("lengths", {lengths.begin(), lengths.begin() + 5}, std::vector{1, 1, 2, 3, 1});
}

void segments() {
    // [segments]
    const std::vector<int> days = {1, 1, 2, 2, 2, 3}, sales = {5, 1, 2, 2, 9, 4};
    std::vector<int> so_far(6), day(6), total(6);

    lookback::inclusive_scan_by_key(days, sales, so_far);             // 5 6 2 4 13 4
    const auto n = lookback::reduce_by_key(days, sales, day, total);  // 3: 6 13 4

    const std::vector<std::size_t> rows = {0, 2, 2, 6};  // CSR: the second row is empty
    lookback::inclusive_segmented_scan(sales, lookback::segment_offsets{rows.begin(), rows.end()},
                                       so_far);  // 5 6 2 4 13 17
    // [/segments]
    expect("segments", so_far, {5, 6, 2, 4, 13, 17});
    expect("reduce_by_key", n, std::size_t{3});
    expect("totals", {total.begin(), total.begin() + 3}, std::vector{6, 13, 4});
}

void sorts() {
    // [sorts]
    const std::vector<float> keys = {2.5F, -1, 7};
    std::vector<float> sorted(3);
    std::vector<std::uint32_t> order(3);
    lookback::sort_keys(keys, sorted, lookback::sort_by{.descending = true});  // 7 2.5 -1
    lookback::sort_order(keys, order);                                         // 1 0 2
    // [/sorts]
    expect("sort_keys", sorted, {7, 2.5F, -1});
    expect("sort_order", order, {1, 0, 2});
}

void images() {
    // [images]
    const std::vector<std::uint8_t> image = {0, 1, 2,  //
                                             3, 4, 5};
    std::vector<std::uint32_t> down(6), table(6);
    // Along axis 0 of a 2 x 3 array: one block of 2 rows of 3 items.
    lookback::inclusive_scan(image, lookback::axis_extents{1, 2, 3}, down,
                             lookback::plus<std::uint32_t>{});                 // 0 1 2, 3 5 7
    lookback::summed_area_table(image, lookback::image_extents{2, 3}, table);  // 0 1 3, 3 8 15
    // [/images]
    expect("axis", down, {0, 1, 2, 3, 5, 7});
    expect("table", table, {0, 1, 3, 3, 8, 15});
}

void inputs() {
    // [inputs]
    std::vector<int> out(5);
    lookback::inclusive_scan(std::views::iota(1) | std::views::take(5), out);  // 1 3 6 10 15

    const std::vector<int> in = {1, 2, 3, 4, 5};
    lookback::inclusive_scan(in.rbegin(), in.rend(), out.rbegin());  // 15 14 12 9 5
    // [/inputs]
    expect("inputs", out, {15, 14, 12, 9, 5});
}

void errors() {
    std::string message;
    // [errors]
    const std::vector<int> in(8);
    std::vector<int> out(4);
    try {
        lookback::inclusive_scan(in, out);
    } catch (const std::invalid_argument& e) {
        message = e.what();
    }
    // [/errors]
    std::printf("%s\n", message.c_str());
    expect("errors", message.starts_with("lookback: "), true);
}

}  // namespace

int main() {
    scans();
    accumulators();
    operators();
    kept();
    segments();
    sorts();
    images();
    inputs();
    errors();
    return wrong == 0 ? 0 : 1;
}
