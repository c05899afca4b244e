// Many scans at once, and scans when few multiprocessors are free: all finish, and all are right.
#include <exception>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "lookback/partition.hpp"
#include "support/check_scan.hpp"
#include "support/generated.hpp"

namespace lookback::test {
namespace {

using detail::device::access;

// Scans on its own stream, checked in device memory. Nothing is allocated after construction.
template <class T>
class worker {
 public:
    explicit worker(std::uint64_t most) : in_(most), out_(most) {
        gpu_.template reserve<T>(most);
        run(most, false, "first");  // so that everything that is asked of CUDA once has been asked
    }

    lookback::gpu& gpu() { return gpu_; }

    void run(std::uint64_t n, bool in_place, const std::string& how) {
        const exact_items<T> items{++seed_};
        T* const from = in_place ? out_.data() : in_.data();
        if (!in_place) check(cudaMemsetAsync(out_.data(), poison, n * sizeof(T), stream_), "");
        fill(stream_, from, n, items);
        lookback::inclusive_scan(gpu_, from, from + n, out_.data());
        check_steps(steps_, stream_, out_.data(), n, items, plus{});
        EXPECT_EQ(steps_.result(), "")
            << n << " items" << (in_place ? ", in place, " : ", ") << how;
    }

 private:
    stream stream_;
    lookback::gpu gpu_{stream_};
    inspector steps_{stream_};
    device_array<T> in_, out_;
    std::uint64_t seed_ = 0;
};

struct below_limit {
    std::uint32_t limit;
    __host__ __device__ bool operator()(std::uint32_t x) const { return x < limit; }
};

}  // namespace

TEST(Concurrent, EightThreadsOfTwoHundredScans) {
    const std::uint64_t most = reduced() ? 100'000 : 8'000'000;
    const int scans = reduced() ? 5 : 200;
    std::vector<std::unique_ptr<worker<std::int32_t>>> workers;
    for (int t = 0; t < 8; ++t) workers.push_back(std::make_unique<worker<std::int32_t>>(most));
    access::use_pipeline(workers[6]->gpu(), false);
    access::start_last_block_first(workers[7]->gpu(), true);
    std::vector<std::string> errors(workers.size());
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < workers.size(); ++t) {
        threads.emplace_back([&, t] {
            std::mt19937_64 random(t);
            try {
                for (int scan = 0; scan < scans; ++scan) {
                    // As many small scans as large ones.
                    const std::uint64_t n = random() % (most >> (random() % 16)) + 1;
                    workers[t]->run(n, scan % 3 == 0, "thread " + std::to_string(t));
                }
            } catch (const std::exception& e) {
                errors[t] = e.what();
            }
        });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& error : errors) EXPECT_EQ(error, "");
}

// Launches whose blocks must all start together, and more of them than fit on the GPU at once.
TEST(Concurrent, EightThreadsOfSmallPartitions) {
    const std::uint64_t n = reduced() ? 20'001 : 500'001;
    const int calls = reduced() ? 2 : 100;
    std::vector<std::string> errors(8);
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < errors.size(); ++t) {
        threads.emplace_back([&, t] {
            try {
                std::vector<std::uint32_t> x(n), want, rest;
                std::mt19937 random(t);
                for (auto& item : x) item = random();
                const below_limit low{t << 29};
                for (const auto item : x) (low(item) ? want : rest).push_back(item);
                want.insert(want.end(), rest.begin(), rest.end());
                stream s;
                lookback::gpu gpu{s};
                device_array<std::uint32_t> in(x), out(n);
                device_array<std::uint64_t> count(1);
                for (int call = 0; call < calls; ++call) {
                    lookback::partition_if(gpu, in.data(), in.data() + n, out.data(),
                                           count_to{count.data()}, low);
                }
                check(cudaStreamSynchronize(s), "partitions");
                if (out.get() != want) errors[t] = "a wrong partition";
                if (count.get()[0] != n - rest.size()) errors[t] = "a wrong count";
            } catch (const std::exception& e) {
                errors[t] = e.what();
            }
        });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& error : errors) EXPECT_EQ(error, "");
}

TEST(Concurrent, FewMultiprocessorsFree) {
    if (reduced()) GTEST_SKIP() << "a sanitizer may run one kernel after the other";
    const std::uint64_t most = 20'000'000;
    worker<std::int32_t> numbers(most);
    worker<std::uint8_t> bytes(most);
    access::use_pipeline(bytes.gpu(), false);
    access::use_pipeline(numbers.gpu(), false);
    bytes.run(most, false, "staged");
    numbers.run(most, false, "staged");
    access::use_pipeline(numbers.gpu(), true);
    for (const int free : {1, 2, 5}) {
        hog busy(free);
        const std::string how = std::to_string(free) + " multiprocessors free";
        for (const std::uint64_t n : {1000, 100'000, 262'144, 1'000'000, 4'194'304, 20'000'000}) {
            for (const bool in_place : {false, true}) {
                numbers.run(n, in_place, how);
                bytes.run(n, in_place, how + ", staged");
                access::use_pipeline(numbers.gpu(), false);
                numbers.run(n, in_place, how + ", staged");
                access::use_pipeline(numbers.gpu(), true);
            }
        }
        EXPECT_TRUE(busy.release()) << "the scans waited for the hog";
    }
}

// The last block starts first: each block waits for tiles whose blocks cannot start before it ends,
// and has to compute them itself.
TEST(Concurrent, LightDriverHelpsItself) {
    if (reduced()) GTEST_SKIP() << "a sanitizer may run one kernel after the other";
    const std::uint64_t most = std::rbegin(detail::device::light<std::int32_t>)->most_items;
    worker<std::int32_t> numbers(most);
    access::start_last_block_first(numbers.gpu(), true);
    for (const int free : {1, 2, 4}) {
        hog busy(free);
        for (const std::uint64_t n :
             {most / 64 + 1, most / 16 - 3, most / 16, most / 2 + 1, most}) {
            for (int run = 0; run < 3; ++run) {
                numbers.run(n, false, std::to_string(free) + " multiprocessors free");
                numbers.run(n, true, std::to_string(free) + " multiprocessors free");
            }
        }
        EXPECT_TRUE(busy.release()) << "the scans waited for the hog";
    }
}

}  // namespace lookback::test
