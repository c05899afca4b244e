// CUDA's part of the registry.

#include <utility>

#include "entries.cuh"

namespace lookback::strategies {
namespace {

cuda_entries all_entries() {
    cuda_entries all;
    for (const auto& some : {single_pass_entries(), multi_pass_entries(), array_block_entries(),
                             thread_block_entries()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

class device_bytes {
 public:
    explicit device_bytes(std::size_t bytes) {
        check(cudaMalloc(&memory_, bytes), "allocating device memory");
    }
    device_bytes(const device_bytes&) = delete;
    device_bytes& operator=(const device_bytes&) = delete;
    ~device_bytes() { cudaFree(memory_); }
    void* data() { return memory_; }

 private:
    void* memory_ = nullptr;
};

std::size_t size_of(item_type type) {
    return type == item_type::i32 || type == item_type::f32 ? 4 : 8;
}
std::size_t bytes_of(const scan_call& call) { return call.items * size_of(call.type); }
std::size_t bytes_of(const sort_call& call) { return call.items * 4; }

template <class Call>
void run_in_place(const strategy_for<Call>& s, Call call) {
    const std::size_t bytes = bytes_of(call);
    if (bytes == 0) return;
    device gpu;
    device_bytes array(bytes);
    check(cudaMemcpyAsync(array.data(), call.in, bytes, cudaMemcpyHostToDevice, gpu.stream()),
          "copying to the device");
    void* const out = std::exchange(call.out, array.data());
    call.in = array.data();
    s.run(call, {.gpu = &gpu});
    check(cudaMemcpyAsync(out, array.data(), bytes, cudaMemcpyDeviceToHost, gpu.stream()),
          "copying from the device");
    check(cudaStreamSynchronize(gpu.stream()), "running on the device");
}

}  // namespace

strategy::function find_cuda_run(std::string_view name) {
    static const cuda_entries all = all_entries();
    return find_run(all, name);
}
sort_strategy::function find_cuda_sort(std::string_view name) {
    static const cuda_sort_entries all = sort_entries();
    return find_run(all, name);
}

void run_on_gpu(const strategy& s, const scan_call& call) { run_in_place(s, call); }
void run_on_gpu(const sort_strategy& s, const sort_call& call) { run_in_place(s, call); }

}  // namespace lookback::strategies
