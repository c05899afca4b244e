#include <cstdio>
#include <string>
#include <cstdlib>
#include <numeric>
#include <vector>
#include "lookback/cuda.hpp"
#include "lookback/cuda/select.hpp"
#include "lookback/cuda/axis_scan.hpp"
#include "simulator/gpu.hpp"
using namespace lookback;
struct odd { bool operator()(int x) const { return x % 3 == 1; } };
int main(int argc, char** argv) {
    const std::string what = argv[1];
    const std::size_t n = std::stoul(argv[4]);
    for (unsigned long seed = std::stoul(argv[2]); seed < std::stoul(argv[3]); ++seed) {
        trial::gpu().begin(seed);
        try {
            lookback::cuda g;
            if (what == "staged" || what == "sselect") detail::gpu::access::use_pipeline(g, false);
            if (what == "items") detail::gpu::access::copy_in_bulk(g, false);
            std::vector<int> in(n), out(n), want(n);
            for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<int>(i * 7919 % 1001);
            int *a, *b; std::uint64_t* c;
            cudaMalloc(&a, 4 * 1048577);
            cudaMalloc(&b, 4 * 1048577);
            cudaMalloc(&c, 8);
            cudaMemcpy(a, in.data(), 4 * n, cudaMemcpyHostToDevice);
            const std::uint64_t m = n;
            cudaMemcpy(c, &m, 8, cudaMemcpyHostToDevice);
            std::size_t k = n;
            const device_count<std::uint64_t> count{c, 1048577};
            if (what == "select" || what == "sselect") {
                k = select_if(g, a, a + n, b, odd{});
                want.clear();
                for (int x : in) if (odd{}(x)) want.push_back(x);
            } else if (what == "selectip") {
                k = select_if(g, a, a + n, a, odd{});
                want.clear();
                for (int x : in) if (odd{}(x)) want.push_back(x);
                std::swap(a, b);
            } else if (what == "columns") {
                inclusive_scan(g, a, axis_extents{1, n / 8, 8}, b);
                for (std::size_t i = 0; i < n; ++i) want[i] = in[i] + (i >= 8 ? want[i - 8] : 0);
            } else {
                inclusive_scan(g, a, count, b);
                std::partial_sum(in.begin(), in.end(), want.begin());
            }
            cudaMemcpy(out.data(), b, 4 * n, cudaMemcpyDeviceToHost);
            if (k != want.size()) { std::printf("count %zu %zu\n", k, want.size()); return 1; }
            for (std::size_t i = 0; i < k; ++i)
                if (out[i] != want[i]) { std::printf("wrong at %zu\n", i); return 1; }
            std::printf("seed %lu ok, steps %lu; %s\n", seed, trial::gpu().steps, trial::gpu().how.text().c_str());
        } catch (const trial::failure& f) {
            std::printf("seed %lu n %zu: %s\n", seed, n, f.what());
            return 1;
        }
    }
}
