// A build without CUDA: its strategies have names, and say what is missing.

#include "../registry.hpp"

namespace lookback::strategies {
namespace {

[[noreturn]] void refuse(const scan_call&, const resources&) {
    throw std::runtime_error(
        "this build has no CUDA support; expected one made with -DLOOKBACK_CUDA=ON, which needs "
        "nvcc");
}

}  // namespace

run_function find_cuda_run(std::string_view) { return refuse; }

void run_on_gpu(const strategy& s, const scan_call& call) { s.run(call, {}); }

}  // namespace lookback::strategies
