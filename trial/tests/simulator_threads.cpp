// What the simulated GPU finds among threads, blocks and launches: threads that do not meet, and
// kernels that rely on an order that is not guaranteed.
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "tests/mistakes.hpp"

namespace lookback::trial {
namespace {

using namespace detail::device;

template <mistake m>
void lanes_kernel(int* out) {
    if (m == mistake::made && lane() == 5) return;
    out[lane()] = static_cast<int>(ballot(lane() % 2 == 0));
}
template <mistake m>
void kinds_kernel(int* out) {
    if (m == mistake::made && lane() < 16) {
        out[lane()] = in_all_lanes(true);
    } else {
        out[lane()] = static_cast<int>(ballot(true));
    }
}
template <mistake m>
void counts_kernel(int*) {
    if (m == mistake::made && thread_in_block() >= 32) {
        sync_threads<1, 96>();
    } else {
        sync_threads<1, 64>();
    }
}
template <mistake m>
void barrier_kernel(int*) {
    if (m == mistake::made && thread_in_block() == 40) return;
    sync_block();
}
TEST(Simulator, FindsThreadsThatDoNotMeet) {
    const auto run = [](auto kernel, unsigned threads) {
        return found([&] {
            gpu_array<int> out(64);
            start_kernel(nullptr, kernel, 1, threads, false, out.data());
        });
    };
    EXPECT_EQ(run(lanes_kernel<mistake::none>, 32), "");
    EXPECT_TRUE(says(run(lanes_kernel<mistake::made>, 32), "a lane ends while others"));
    EXPECT_EQ(run(kinds_kernel<mistake::none>, 32), "");
    EXPECT_TRUE(says(run(kinds_kernel<mistake::made>, 32), "different instructions"));
    EXPECT_EQ(run(counts_kernel<mistake::none>, 64), "");
    EXPECT_TRUE(says(run(counts_kernel<mistake::made>, 64), "disagree"));
    EXPECT_EQ(run(barrier_kernel<mistake::none>, 64), "");
    // It depends on which comes first: the end of the thread, or the arrival of the others.
    const std::string report = run(barrier_kernel<mistake::made>, 64);
    EXPECT_TRUE(says(report, "that disagree") || says(report, "threads end while others wait"));
}

// Two blocks of a cluster send their numbers to each other.
enum class hurry { none, to_send, to_read, to_end };
struct sent_number {
    unsigned number;
    phase_barrier there;
};
template <hurry h>
void cluster_kernel(unsigned* out) {
    auto& shared = *reinterpret_cast<sent_number*>(dynamic_shared_memory());
    if (lane() == 0) shared.there.init(1);
    arrive_in_cluster();
    if (h != hurry::to_send) wait_for_cluster();
    if (lane() == 0) {
        send_to_block(&shared.number, 1 - block_in_cluster(), block_in_cluster(), shared.there);
        shared.there.expect(sizeof(shared.number));
        shared.there.arrive();
    }
    if (h == hurry::to_send) wait_for_cluster();
    if (h == hurry::to_end) return;
    if (h != hurry::to_read) shared.there.wait_for_others(0);
    if (lane() == 0) out[block_in_grid()] = shared.number;
}
template <hurry h>
std::string found_in_cluster() {
    return found([] {
        gpu_array<unsigned> out(2);
        lookback::gpu gpu;
        constexpr int bytes = sizeof(sent_number);
        const auto& known = access::facts<cluster_kernel<h>, 2>(gpu, 32, bytes);
        if (known.cluster_blocks < 2) return;
        start_clusters<cluster_kernel<h>>(gpu, known, 2, 2, 32, bytes, out.data());
        const auto numbers = out.get(2);
        if (h == hurry::none) expect(numbers[0] == 1 && numbers[1] == 0, "other numbers");
    });
}
TEST(Simulator, FindsBlocksOfAClusterInAHurry) {
    EXPECT_EQ(found_in_cluster<hurry::none>(), "");
    EXPECT_TRUE(says(found_in_cluster<hurry::to_send>(), "a race"));
    EXPECT_TRUE(says(found_in_cluster<hurry::to_read>(), "a race"));
    const std::string report = found_in_cluster<hurry::to_end>();
    EXPECT_TRUE(says(report, "a race") || says(report, "or no more"));
}

// Each block waits for the previous one: by block number, which needs blocks to start in order, or
// by ticket.
template <mistake m>
void chain_kernel(std::uint64_t* tickets, std::uint64_t* done) {
    const std::uint64_t mine = m == mistake::none ? fetch_add(tickets, 1) : block_in_grid();
    while (load_relaxed(done) != mine) continue;
    store_relaxed(done, mine + 1);
}
TEST(Simulator, FindsDependenceOnTheOrderOfBlocks) {
    const auto run = [](auto kernel) {
        return found([&] {
            gpu_array<std::uint64_t> words(std::vector<std::uint64_t>{0, 0});
            start_kernel(nullptr, kernel, 20, 1, false, words.data(), words.data() + 1);
        });
    };
    EXPECT_EQ(run(chain_kernel<mistake::none>), "");
    EXPECT_TRUE(says(run(chain_kernel<mistake::made>), "a livelock"));
}

// Two launches. The second may start before the first has ended.
template <mistake m>
void next_kernel(int* word) {
    if constexpr (m == mistake::none) wait_for_previous_kernel();
    if (block_in_grid() == 0 && thread_in_block() == 0) *word += 1;
}
void first_kernel(int* word) {
    wait_for_previous_kernel();
    if (block_in_grid() == 0 && thread_in_block() == 0) *word = 1;
}
TEST(Simulator, StartsTheNextLaunchEarly) {
    const auto run = [](auto kernel) {
        return found([&] {
            gpu_array<int> word(1);
            start_kernel(nullptr, first_kernel, 2, 32, true, word.data());
            start_kernel(nullptr, kernel, 2, 32, true, word.data());
            expect(word.get()[0] == 2, "wrong");
        });
    };
    EXPECT_EQ(run(next_kernel<mistake::none>), "");
    EXPECT_TRUE(says(run(next_kernel<mistake::made>), "a race at"));
}

}  // namespace
}  // namespace lookback::trial
