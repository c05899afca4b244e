// CUDA's part of the registry.

#include <string>

#include "entries.cuh"

namespace lookback::strategies {
namespace {

std::vector<cuda_entry> all_entries() {
    std::vector<cuda_entry> all;
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

}  // namespace

run_function find_cuda_run(std::string_view name) {
    static const std::vector<cuda_entry> all = all_entries();
    for (const cuda_entry& e : all) {
        if (e.name == name) return e.run;
    }
    throw std::logic_error("no CUDA strategy is called " + std::string(name));
}

void run_on_gpu(const strategy& s, const scan_call& call) {
    const std::size_t bytes = call.items * size_of(call.type);
    if (bytes == 0) return;
    device gpu;
    device_bytes array(bytes);
    check(cudaMemcpyAsync(array.data(), call.in, bytes, cudaMemcpyHostToDevice, gpu.stream()),
          "copying to the device");
    s.run({call.type, call.op, array.data(), array.data(), call.items}, {.gpu = &gpu});
    check(cudaMemcpyAsync(call.out, array.data(), bytes, cudaMemcpyDeviceToHost, gpu.stream()),
          "copying from the device");
    check(cudaStreamSynchronize(gpu.stream()), "scanning on the device");
}

}  // namespace lookback::strategies
