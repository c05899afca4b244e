// The protocol alone: status words and look-back, with delays where they are most likely to cause
// errors, and the driver when a worker is lost.
#include "lookback/detail/cpu/look_back.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/lookback.hpp"
#include "simd_scan_problem.hpp"
#include "support/values.hpp"

namespace lookback::test {
namespace {

using namespace std::chrono_literals;
using detail::tile_state;
using detail::tile_status;
using detail::tile_view;

// How long each stress test runs. For longer runs, set LOOKBACK_STRESS_SECONDS.
std::chrono::duration<double> stress_time() {
    const char* wanted = std::getenv("LOOKBACK_STRESS_SECONDS");
    return std::chrono::duration<double>(wanted ? std::atof(wanted) : 1.0);
}

void delay(std::mt19937& random) {
    switch (random() % 8) {
        case 0: std::this_thread::yield(); break;
        case 1: std::this_thread::sleep_for(std::chrono::microseconds(random() % 200)); break;
        case 2:
            for (auto i = random() % 2000; i > 0; --i) detail::pause();
            break;
        default: break;
    }
}

// Values whose folds show what was combined: strings for split status words, affine maps modulo
// 2^16 for packed ones. Neither operator commutes.
struct concatenate {
    std::string operator()(const std::string& a, const std::string& b) const { return a + b; }
};
std::string tile_value(std::size_t t, const std::string&) {
    return std::string(1, char('a' + t % 26));
}

using small_affine = affine_map<std::uint16_t>;
struct compose {
    small_affine operator()(const small_affine& a, const small_affine& b) const {
        return {static_cast<std::uint16_t>(b.scale * a.scale),
                static_cast<std::uint16_t>(b.scale * a.shift + b.shift)};
    }
};
small_affine tile_value(std::size_t t, const small_affine&) {
    return {static_cast<std::uint16_t>(2 * t + 1), static_cast<std::uint16_t>(t * t)};
}

static_assert(detail::fits_in_a_word<std::uint32_t>);
static_assert(detail::fits_in_a_word<small_affine>);
static_assert(!detail::fits_in_a_word<span_of>);
static_assert(!detail::fits_in_a_word<std::string>);

// Claims, delays, publishes, delays, looks back, delays, publishes, on more threads than cores.
template <class T, class Op>
void stress(unsigned threads, std::size_t tiles) {
    const auto end = std::chrono::steady_clock::now() + stress_time();
    for (unsigned round = 0; std::chrono::steady_clock::now() < end; ++round) {
        std::vector<tile_status<T>> status(tiles);
        std::vector<std::optional<T>> got(tiles);
        std::optional<T> init;
        if (round % 2) init = tile_value(1000, T{});
        std::atomic<std::size_t> ticket{0};
        const auto work = [&](unsigned seed) {
            std::mt19937 random(seed);
            for (std::size_t t; (t = ticket.fetch_add(1)) < tiles;) {
                delay(random);
                const T own = tile_value(t, T{});
                if (t > 0) {
                    status[t].publish_aggregate(own);
                    delay(random);
                }
                std::optional<T> prefix = init;
                if (t > 0) {
                    prefix = look_back(
                        std::span<const tile_status<T>>(status), t, init, Op{}, [&](std::size_t k) {
                            for (;;) {
                                tile_view<T> seen = status[k].read();
                                if (seen.state != tile_state::X) return seen;
                                // sometimes compute the aggregate, as the driver does for a lost
                                // tile
                                if (random() % 64 == 0)
                                    return tile_view<T>{tile_state::A, tile_value(k, T{})};
                                delay(random);
                            }
                        });
                }
                delay(random);
                got[t] = prefix;
                status[t].publish_prefix(prefix ? Op{}(*prefix, own) : own);
            }
        };
        std::vector<std::thread> crowd;
        for (unsigned i = 0; i < threads; ++i) crowd.emplace_back(work, round * threads + i);
        for (auto& thread : crowd) thread.join();
        std::optional<T> want = init;
        for (std::size_t t = 0; t < tiles; ++t) {
            ASSERT_EQ(got[t], want) << "tile " << t << ", round " << round;
            want = want ? Op{}(*want, tile_value(t, T{})) : tile_value(t, T{});
        }
    }
}

}  // namespace

TEST(LookBack, PackedWordsUnderDelays) { stress<small_affine, compose>(8, 200); }
TEST(LookBack, SplitWordsUnderDelays) { stress<std::string, concatenate>(8, 200); }

// All mixes of published states give the same answer: all A, a P in each place, and P over A.
TEST(LookBack, AnyMixOfStatesHasOneAnswer) {
    const std::size_t tiles = 9;
    const auto no_wait = [](std::size_t) -> tile_view<std::string> {
        throw std::logic_error("waited");
    };
    for (unsigned mask = 0; mask < 1u << tiles; ++mask) {
        std::vector<tile_status<std::string>> status(tiles);
        std::string fold = "<";
        for (std::size_t t = 0; t < tiles; ++t) {
            fold += tile_value(t, "");
            status[t].publish_aggregate(tile_value(t, ""));
            if (mask >> t & 1) status[t].publish_prefix(fold);
        }
        fold = "<";
        for (std::size_t t = 1; t < tiles; ++t) {
            fold += tile_value(t - 1, "");
            EXPECT_EQ(look_back(std::span<const tile_status<std::string>>(status), t,
                                std::optional<std::string>("<"), concatenate{}, no_wait),
                      fold);
        }
    }
}

namespace {

// A scan of strings, with one character for each item, that can lose a worker: the first worker to
// touch the lost tile is held until all later tiles are written.
struct lossy_problem {
    using value_type = std::string;
    using tile_memory = detail::no_tile_memory;
    std::size_t tiles = 40;
    std::size_t lost = 3;
    mutable std::mutex mutex;
    mutable std::condition_variable changed;
    mutable bool taken = false;
    mutable std::size_t written = 0;
    mutable bool timed_out = false;
    mutable std::vector<std::string> prefixes = std::vector<std::string>(40);

    std::size_t items() const { return tiles; }
    std::size_t tile_items() const { return 1; }
    std::size_t items_for_a_thread() const { return 1; }
    std::optional<std::string> init() const { return std::nullopt; }
    bool keeps_input() const { return true; }
    std::string combine(const std::string& a, const std::string& b) const { return a + b; }

    void hold_if_lost(std::size_t t) const {
        std::unique_lock lock(mutex);
        if (t != lost || taken) return;
        taken = true;
        timed_out = !changed.wait_for(lock, 20s, [&] { return written == tiles - 1; });
    }
    std::string reduce(detail::tile_range tile, tile_memory&) const {
        hold_if_lost(tile.first);
        return tile_value(tile.first, "");
    }
    detail::emitted<std::string> emit(detail::tile_range tile,
                                      const std::optional<std::string>& prefix, tile_memory&,
                                      std::optional<detail::tile_range>, tile_memory&) const {
        hold_if_lost(tile.first);
        const std::string all = prefix.value_or("") + tile_value(tile.first, "");
        const std::lock_guard lock(mutex);
        prefixes[tile.first] = prefix.value_or("");
        ++written;
        changed.notify_all();
        return {all, std::nullopt};
    }
};

}  // namespace

// The driver with sixteen workers, on any number of cores, has the bits of one thread.
TEST(SinglePass, MoreWorkersThanCores) {
    const std::size_t n = 50 * scan_tile_items<float> + 7;
    const auto in = random_values<float>(n, 3);
    std::vector<float> want(n), out(n);
    lookback::inclusive_scan(cpu{.threads = 1}, in, want);
    const auto run_16 = [&](const float* from) {
        const detail::simd_scan<float> scan{
            .kernel = detail::simd_kernel_of<detail::simd_op::plus, float>(false),
            .in = from,
            .out = out.data(),
            .items = n,
            .step = 1,
            .init = std::nullopt,
            .exclusive = false};
        const detail::simd_scan_problem<float> problem(scan);
        detail::single_pass_run(problem).run(16);
        EXPECT_TRUE(out == want);
    };
    for (int round = 0; round < (sanitized ? 3 : 30); ++round) {
        std::fill(out.begin(), out.end(), -1.0F);
        run_16(in.data());
        std::copy(in.begin(), in.end(), out.begin());
        run_16(out.data());
    }
}

TEST(SinglePass, OthersFinishWithoutALostWorker) {
    for (std::size_t lost = 1; lost < 39; lost += 4) {
        lossy_problem problem;
        problem.lost = lost;
        detail::single_pass_run(problem).run(3);
        EXPECT_FALSE(problem.timed_out) << "the others waited for tile " << lost;
        std::string fold;
        for (std::size_t t = 0; t < problem.tiles; ++t) {
            EXPECT_EQ(problem.prefixes[t], fold);
            fold += tile_value(t, "");
        }
    }
}

}  // namespace lookback::test
