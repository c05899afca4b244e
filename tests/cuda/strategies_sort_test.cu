// The ways to sort, through shapes, types, sizes and placements, compared with std::sort; large
// arrays are compared with the library's own sort.
#include <string>

#include "strategies/cuda/sorts.cuh"
#include "support/generated.hpp"
#include "support/sorting.hpp"

namespace lookback::test {
namespace {

using strategies::for_each_sort, strategies::named;

template <class Sort>
constexpr std::size_t tile_keys = static_cast<std::size_t>(Sort::tile_keys);
template <>
constexpr std::size_t tile_keys<strategies::library_sort> = 4096;

/// Arrays with poison on both sides.
template <class Key>
class sort_table {
    static constexpr std::size_t guard = 64;
    static constexpr std::size_t capacity = 100'003;

 public:
    template <class Sort>
    void run(const named<Sort>& s) {
        constexpr std::size_t tile = tile_keys<Sort>;
        std::vector<std::size_t> sizes = {0, 1, 33, tile + 1, 3 * tile + 5};
        if (!reduced()) {
            for (const std::size_t n : {2, 31, 32, 255, 257, 511, 513, 70'001, 100'003}) {
                sizes.push_back(n);
            }
            for (const std::size_t edge : {tile, 2 * tile, 4 * tile}) {
                sizes.insert(sizes.end(), {edge - 1, edge, edge + 1});
            }
        }
        for (const std::size_t n : sizes) {
            for (const auto& [shape, keys] : key_shapes<Key>(n)) {
                for (const bool in_place : {false, true}) {
                    SCOPED_TRACE(std::string(s.name) + ", keys of " + std::to_string(sizeof(Key)) +
                                 " bytes, " + shape + ", n " + std::to_string(n) +
                                 (in_place ? ", in place" : ""));
                    run_one<Sort>(keys, in_place);
                    if (::testing::Test::HasFailure()) return;
                }
            }
        }
    }

 private:
    template <class Sort>
    void run_one(const std::vector<Key>& keys, bool in_place) {
        const std::size_t n = keys.size();
        std::vector<Key> want = keys;
        std::sort(want.begin(), want.end(), comes_before<Key>);
        in_.fill_with_poison();
        out_.fill_with_poison();
        Key* const in = in_.data() + guard + n % 3;
        Key* const out = in_place ? in : out_.data() + guard + n % 5;
        check(cudaMemcpy(in, keys.data(), n * sizeof(Key), cudaMemcpyHostToDevice), "copying");
        check(cudaMemcpy(want_.data(), want.data(), n * sizeof(Key), cudaMemcpyHostToDevice),
              "copying");
        check(cudaDeviceSynchronize(), "copying");
        try {
            Sort::run(gpu_, static_cast<const Key*>(in), out, n);
        } catch (const std::exception& e) {
            ADD_FAILURE() << e.what();
            return;
        }
        inspector_.compare(out, want_.data(), n * sizeof(Key), guard * sizeof(Key),
                           guard * sizeof(Key));
        EXPECT_EQ(inspector_.result(sizeof(Key), guard), "") << "bytes; at which key";
        if (in_place) return;
        std::vector<Key> after(n);
        check(cudaMemcpy(after.data(), in, n * sizeof(Key), cudaMemcpyDeviceToHost), "copying");
        EXPECT_TRUE(same_bytes(after, keys)) << "the input has changed";
    }

    stream stream_;
    strategies::device gpu_{stream_};
    inspector inspector_{stream_};
    device_array<Key> in_{capacity + 2 * guard + 5}, out_{capacity + 2 * guard + 5},
        want_{capacity};
};

template <class Key>
void run_sort_table() {
    sort_table<Key> table;
    for_each_sort([&](auto s) {
        if (!::testing::Test::HasFailure()) table.run(s);
    });
}

template <class Key>
void sort_many(std::uint64_t n) {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for the free memory");
    // Three arrays here; a strategy has one more, and marks of 8 bytes.
    const std::uint64_t need = n * (4 * sizeof(Key) + 8) + (std::uint64_t{1} << 30);
    if (reduced() || need > free) {
        GTEST_SKIP() << "not enough device memory: " << need << " bytes for " << n << " keys";
    }
    stream on;
    strategies::device gpu(on);
    inspector compared(on);
    device_array<Key> in(n), want(n), out(n);
    fill(on, in.data(), n, exact_items<Key>{5});
    const Key* const keys = in.data();
    sort_keys(gpu.gpu(), keys, keys + n, want.data());
    for_each_sort([&]<class Sort>(named<Sort> s) {
        check(cudaMemsetAsync(out.data(), poison, n * sizeof(Key), on), "poisoning");
        Sort::run(gpu, keys, out.data(), n);
        compared.compare(out.data(), want.data(), n * sizeof(Key));
        EXPECT_EQ(compared.result(sizeof(Key)), "") << s.name << " of " << n << " keys";
    });
}

}  // namespace

TEST(SortStrategies, Uint32) { run_sort_table<std::uint32_t>(); }
TEST(SortStrategies, Int32) { run_sort_table<std::int32_t>(); }
TEST(SortStrategies, Float) { run_sort_table<float>(); }
TEST(SortStrategies, Uint64) { run_sort_table<std::uint64_t>(); }

TEST(SortStrategies, ManyTiles) { sort_many<std::uint32_t>(20'000'003); }
TEST(SortStrategies, MoreThan32BitsCount) { sort_many<std::uint8_t>((std::uint64_t{1} << 32) + 5); }

}  // namespace lookback::test
