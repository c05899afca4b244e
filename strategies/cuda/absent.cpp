// For a build without CUDA: its strategies have names, and running one says what is missing.

#include "../registry.hpp"

namespace lookback::strategies {
namespace {

template <class Call>
[[noreturn]] void refuse(const Call&, const resources&) {
    throw std::runtime_error(
        "this build has no CUDA support; expected one made with -DLOOKBACK_CUDA=ON, which needs "
        "nvcc");
}

}  // namespace

strategy::function find_cuda_run(std::string_view) { return refuse<scan_call>; }
sort_strategy::function find_cuda_sort(std::string_view) { return refuse<sort_call>; }
table_strategy::function find_cuda_table(std::string_view) { return refuse<table_call>; }

void run_on_gpu(const strategy& s, const scan_call& call) { s.run(call, {}); }
void run_on_gpu(const sort_strategy& s, const sort_call& call) { s.run(call, {}); }

}  // namespace lookback::strategies
