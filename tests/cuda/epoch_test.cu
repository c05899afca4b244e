// The numbers of launches begin again after 2^32 launches; results do not change.
#include "support/generated.hpp"

namespace lookback::test {
namespace {

using detail::device::access;

template <class T, class Op>
void scan_across_the_end(Op op) {
    stream s;
    inspector steps(s);
    lookback::gpu gpu(s), staged(s);
    access::use_pipeline(staged, false);
    // Sizes: many tiles for the light driver, and more for the large drivers, with a partial tile.
    const std::uint64_t light = std::rbegin(detail::device::light<T>)->most_items;
    const std::uint64_t large = light + 50 * detail::device::large_tile_items<T> + 3;
    device_array<T> in(large), out(large);
    std::uint64_t seed = 0;
    const auto scan = [&](lookback::gpu& with, std::uint64_t n, const char* how) {
        const exact_items<T> items{++seed};
        fill(s, in.data(), n, items);
        check(cudaMemsetAsync(out.data(), poison, large * sizeof(T), s), "poisoning");
        lookback::inclusive_scan(with, in.data(), in.data() + n, out.data(), op);
        check_steps(steps, s, out.data(), n, items, op);
        EXPECT_EQ(steps.result(), "") << how << ", " << n << " items, scan " << seed;
    };
    for (lookback::gpu* with : {&gpu, &staged}) {
        const char* how = with == &gpu ? "pipelined driver" : "staged driver";
        // Leaves status words with all launch numbers that come after the end, which must not be
        // taken for those of later launches.
        for (int i = 0; i < (reduced() ? 3 : 10); ++i)
            scan(*with, i % 2 == 0 ? large : light - 1, how);
        for (const std::uint64_t n : {large, light - 1}) {
            access::set_epoch<T>(*with, 0xfffffffe);
            for (int i = 0; i < (reduced() ? 3 : 6); ++i) scan(*with, n, how);
        }
        if (reduced()) continue;
        // The very last launch number goes to each driver once, and to a scan of one tile.
        for (const std::uint64_t last : {large, light - 1, std::uint64_t{5}}) {
            access::set_epoch<T>(*with, 0xffffffff);
            scan(*with, last, how);
            for (int i = 0; i < 3; ++i) scan(*with, i % 2 == 0 ? light - 1 : large, how);
        }
        // With other numbers of blocks.
        for (const unsigned blocks : {1u, 2u, 7u}) {
            access::limit_blocks(*with, blocks);
            access::set_epoch<T>(*with, 0xfffffffe);
            for (int i = 0; i < 4; ++i) scan(*with, large, how);
        }
        access::limit_blocks(*with, 0);
    }
}

}  // namespace

TEST(Epochs, BeginAgainInWordsOf8Bytes) { scan_across_the_end<std::int32_t>(plus{}); }
TEST(Epochs, BeginAgainInWordsOf16Bytes) { scan_across_the_end<std::int64_t>(plus{}); }
TEST(Epochs, BeginAgainInSplitWords) { scan_across_the_end<span_of>(join{}); }

TEST(Epochs, BeginAgainWhileAGraphIsReplayed) {
    const std::uint64_t n = 6'000'001;
    stream s;
    inspector steps(s);
    device_array<std::int32_t> in(n), out(n);
    lookback::gpu gpu(s);
    gpu.reserve<std::int32_t>(n);
    check(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), "beginning a capture");
    lookback::inclusive_scan(gpu, in.data(), in.data() + n, out.data());
    cudaGraph_t captured = nullptr;
    cudaGraphExec_t scan = nullptr;
    check(cudaStreamEndCapture(s, &captured), "ending a capture");
    check(cudaGraphInstantiate(&scan, captured, 0), "instantiating a graph");
    access::set_epoch<std::int32_t>(gpu, 0xfffffffd);
    for (std::uint64_t replay = 0; replay < 6; ++replay) {
        const exact_items<std::int32_t> items{replay};
        fill(s, in.data(), n, items);
        check(cudaGraphLaunch(scan, s), "replaying a graph");
        check_steps(steps, s, out.data(), n, items, plus{});
        EXPECT_EQ(steps.result(), "") << "replay " << replay;
    }
    check(cudaGraphExecDestroy(scan), "destroying a graph");
    check(cudaGraphDestroy(captured), "destroying a graph");
}

}  // namespace lookback::test
