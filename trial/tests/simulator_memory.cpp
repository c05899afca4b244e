// What the simulated GPU finds in memory: races, old values, accesses outside arrays or between
// boundaries, words that were never written, bulk copies that are not waited for, and bulk copies
// that read what was not shown to them.
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "tests/mistakes.hpp"

namespace lookback::trial {
namespace {

using namespace detail::device;

// Thread 0 writes and all threads read: with a barrier between, and without.
template <mistake m>
void broadcast_kernel(int* out) {
    auto& word = shared_memory<int>();
    if (thread_in_block() == 0) word = 7;
    if constexpr (m == mistake::none) sync_block();
    out[thread_in_block()] = word;
}
TEST(Simulator, FindsRacesInSharedMemory) {
    const auto run = [](auto kernel) {
        return found([&] {
            gpu_array<int> out(64);
            start_kernel(nullptr, kernel, 1, 64, false, out.data());
            expect(out.get() == std::vector<int>(64, 7), "wrong");
        });
    };
    EXPECT_EQ(run(broadcast_kernel<mistake::none>), "");
    const std::string report = run(broadcast_kernel<mistake::made>);
    EXPECT_TRUE(says(report, "a race at"));
    EXPECT_TRUE(says(report, "shared memory of a block"));
#if defined(__SANITIZE_THREAD__)
    EXPECT_TRUE(says(report, "simulator_memory.cpp:"));
#endif
}

// Block 0 hands over 16 words by a flag: by a plain flag, by relaxed operations, by release and
// acquire, by fences. It is the message passing of every status word.
enum class hand_over { plain, relaxed, release_acquire, fences, only_release, one_fence };
template <hand_over way>
void message_kernel(int* data, std::uint32_t* flag, std::uint64_t* wide_flag, int* out) {
    if (thread_in_block() != 0) return;
    if (block_in_grid() == 0) {
        for (int i = 0; i < 16; ++i) data[i] = i;
        if constexpr (way == hand_over::fences || way == hand_over::one_fence) fence();
        if constexpr (way == hand_over::release_acquire || way == hand_over::only_release) {
            store_release(flag, 1);
        } else {
            store_relaxed(wide_flag, 1);
        }
        return;
    }
    if constexpr (way == hand_over::release_acquire) {
        while (load_acquire(flag) == 0) continue;
    } else if constexpr (way == hand_over::only_release) {
        while (trial::atomic_load(flag, 4, trial::order::relaxed).low == 0) continue;
    } else {
        while (load_relaxed(wide_flag) == 0) continue;
    }
    if constexpr (way == hand_over::fences) fence();
    for (int i = 0; i < 16; ++i) out[i] = data[i];
}
template <hand_over way>
std::string hand_over_found() {
    return found([] {
        gpu_array<int> data(16), out(16);
        gpu_array<std::uint32_t> flag(std::vector<std::uint32_t>{0});
        gpu_array<std::uint64_t> wide_flag(std::vector<std::uint64_t>{0});
        // Two blocks, of which one waits for the other, need room for two.
        if (gpu().how.multiprocessors < 2) return;
        start_kernel(nullptr, message_kernel<way>, 2, 32, false, data.data(), flag.data(),
                     wide_flag.data(), out.data());
        const std::vector<int> got = out.get();
        for (int i = 0; i < 16; ++i) {
            expect(got[static_cast<std::size_t>(i)] == i, "wrong");
        }
    });
}
TEST(Simulator, KnowsWhatReleaseAcquireAndFencesOrder) {
    EXPECT_EQ(hand_over_found<hand_over::release_acquire>(), "");
    EXPECT_EQ(hand_over_found<hand_over::fences>(), "");
    EXPECT_TRUE(says(hand_over_found<hand_over::relaxed>(), "a race at"));
    EXPECT_TRUE(says(hand_over_found<hand_over::only_release>(), "a race at"));
    EXPECT_TRUE(says(hand_over_found<hand_over::one_fence>(), "a race at"));
}

// x then y, each atomic: a thread that sees the new y may see the old x, unless something orders
// them.
template <mistake m>
void two_words_kernel(std::uint64_t* x, std::uint64_t* y, int* stale) {
    if (thread_in_block() != 0) return;
    if (block_in_grid() == 0) {
        store_relaxed(x, 1);
        if constexpr (m == mistake::none) fence();
        store_relaxed(y, 1);
    } else {
        while (load_relaxed(y) == 0) continue;
        if constexpr (m == mistake::none) fence();
        *stale = load_relaxed(x) == 0;
    }
}
TEST(Simulator, AnswersRelaxedLoadsWithOldValues) {
    const auto run = [](auto kernel) {
        return found(
            [&] {
                if (gpu().how.multiprocessors < 2) return;
                gpu_array<std::uint64_t> words(std::vector<std::uint64_t>{0, 0});
                gpu_array<int> stale(std::vector<int>{2});
                start_kernel(nullptr, kernel, 2, 1, false, words.data(), words.data() + 1,
                             stale.data());
                expect(stale.get()[0] == 0, "an old value");
            },
            300);
    };
    EXPECT_EQ(run(two_words_kernel<mistake::none>), "");
    EXPECT_EQ(run(two_words_kernel<mistake::made>), "an old value");
}

void outside_kernel(int* out, int at) { out[at] = 1; }
TEST(Simulator, FindsAccessesOutsideEveryArray) {
    const auto run = [](int at) {
        return found([=] {
            int* out = nullptr;
            cudaMalloc(&out, 16 * sizeof(int));
            start_kernel(nullptr, outside_kernel, 1, 1, false, out, at);
            cudaFree(out);
        });
    };
    EXPECT_EQ(run(15), "");
    EXPECT_TRUE(says(run(16), "outside every array"));
    EXPECT_TRUE(says(run(-1), "outside every array"));
}

// Writes a word that begins at a byte.
void word_at_kernel(unsigned char* out, int byte) {
    *reinterpret_cast<std::uint32_t*>(out + byte) = 1;
}
TEST(Simulator, FindsWordsThatBeginBetweenBoundaries) {
    const auto run = [](int byte) {
        return found([byte] {
            gpu_array<unsigned char> out(16);
            start_kernel(nullptr, word_at_kernel, 1, 1, false, out.data(), byte);
            cudaDeviceSynchronize();
        });
    };
    EXPECT_EQ(run(4), "");
    EXPECT_TRUE(says(run(2), "does not begin at a multiple"));
}

// A tile is loaded by a bulk copy, changed, and stored by a bulk copy.
enum class copying {
    right,
    no_wait,
    no_proxy_fence,
    no_end,
    wrong_phase,
    one_arrival_less,
    no_bytes
};
template <copying way>
void copy_kernel(const int* in, int* out) {
    struct memory {
        alignas(16) int stage[64];
        phase_barrier loaded;
    };
    auto& shared = shared_memory<memory>();
    if (thread_in_block() == 0) {
        shared.loaded.init(way == copying::one_arrival_less ? 2 : 1);
        publish_barriers();
    }
    sync_block();
    if (thread_in_block() == 0) {
        if constexpr (way != copying::no_bytes) shared.loaded.expect(256);
        bulk_load(shared.stage, in, 256, shared.loaded);
        shared.loaded.arrive();
    }
    if constexpr (way != copying::no_wait) shared.loaded.wait(way == copying::wrong_phase ? 2 : 0);
    shared.stage[thread_in_block()] += 1;
    if constexpr (way != copying::no_proxy_fence) show_to_bulk_copies();
    sync_block();
    if (thread_in_block() == 0) {
        bulk_store(out, shared.stage, 256);
        if constexpr (way != copying::no_end) wait_bulk_stores();
    }
}
TEST(Simulator, KnowsWhatBulkCopiesNeed) {
    const auto run = [](auto kernel) {
        return found([&] {
            gpu_array<int> in(std::vector<int>(64, 4)), out(64);
            start_kernel(nullptr, kernel, 1, 64, false, in.data(), out.data());
            expect(out.get() == std::vector<int>(64, 5), "wrong");
        });
    };
    EXPECT_EQ(run(copy_kernel<copying::right>), "");
    EXPECT_TRUE(says(run(copy_kernel<copying::no_wait>), "a race at"));
    EXPECT_TRUE(says(run(copy_kernel<copying::no_proxy_fence>), "a bulk copy's read"));
    EXPECT_TRUE(says(run(copy_kernel<copying::no_end>), "ends while"));
    EXPECT_TRUE(says(run(copy_kernel<copying::wrong_phase>), "one phase from the next"));
    EXPECT_TRUE(says(run(copy_kernel<copying::one_arrival_less>), "a deadlock"));
    EXPECT_TRUE(says(run(copy_kernel<copying::no_bytes>), "a race at"));
}

// Shared memory is undefined before it is written: it does not even hold what an earlier block has
// left there.
void zero_kernel(int*) { shared_memory<int>() = 0; }
void unwritten_kernel(int* out) { out[thread_in_block()] = shared_memory<int>(); }
TEST(Simulator, PoisonsSharedMemory) {
    EXPECT_EQ(found([] {
                  gpu_array<int> out(32);
                  start_kernel(nullptr, zero_kernel, 1, 1, false, out.data());
                  start_kernel(nullptr, unwritten_kernel, 1, 32, false, out.data());
                  expect(out.get()[0] != 0, "zero");
              }),
              "");
}

// Past the end of the block's object, and of the launch's dynamic shared memory.
template <mistake m>
void past_kernel(int* out) {
    auto& words = shared_memory<int[16]>();
    (&words[0])[m == mistake::made ? 16 + static_cast<int>(block_in_grid()) : 15] = 1;
    *out = words[15];
}
TEST(Simulator, FindsAccessesOutsideSharedObjects) {
    const auto run = [](auto kernel) {
        return found([&] {
            gpu_array<int> out(1);
            start_kernel(nullptr, kernel, 1, 1, false, out.data());
        });
    };
    EXPECT_EQ(run(past_kernel<mistake::none>), "");
    EXPECT_TRUE(says(run(past_kernel<mistake::made>), "outside every array"));
}

}  // namespace
}  // namespace lookback::trial
