// There are three streams, one for each direction of copies and one for the scans, and a ring of
// slots. Window k is in slot k % slots. The order of the steps:
//
//   fill k         the host, after it has collected window k - slots
//   k up           after scan k - slots + 1, which reads the last result of window k - slots
//   scan k         after k is up, and after scan k - 1 (one stream)
//   k down         after scan k
//   collect k      the host, after k is down
//
// Once k is collected, the copy of its results from the device is done, so its slot there is free.

#include <cuda_runtime.h>

#include <array>
#include <stdexcept>

#include "code_check.hpp"
#include "lookback/detail/device/launch.hpp"
#include "scan_in_place.hpp"
#include "window_scan.hpp"

namespace lookback::on_gpu {

using detail::device::check;

namespace {

struct slot {
    std::byte* host = nullptr;
    std::byte* device = nullptr;
    cudaEvent_t is_up = nullptr;
    cudaEvent_t is_scanned = nullptr;
    cudaEvent_t is_down = nullptr;
};

}  // namespace

struct window_scan::state {
    std::size_t window_bytes = 0;
    std::byte* host = nullptr;
    std::byte* device = nullptr;
    cudaStream_t up = nullptr;
    cudaStream_t scans = nullptr;
    cudaStream_t down = nullptr;
    std::array<slot, slots> ring{};
    std::optional<lookback::gpu> gpu;
    std::uint64_t started = 0;
    std::uint64_t collected = 0;
    const void* last_result = nullptr;  // of the last window started, on the device

    state() = default;
    state(const state&) = delete;
    state& operator=(const state&) = delete;
    ~state() {
        for (const cudaStream_t s : {up, scans, down}) {
            if (s != nullptr) cudaStreamSynchronize(s);
        }
        gpu.reset();
        for (const slot& s : ring) {
            for (const cudaEvent_t e : {s.is_up, s.is_scanned, s.is_down}) {
                if (e != nullptr) cudaEventDestroy(e);
            }
        }
        for (const cudaStream_t s : {up, scans, down}) {
            if (s != nullptr) cudaStreamDestroy(s);
        }
        cudaFree(device);
        cudaFreeHost(host);
    }
};

window_scan::window_scan(std::size_t window_bytes) : state_(std::make_unique<state>()) {
    state& s = *state_;
    check_that_there_is_code();
    s.window_bytes = window_bytes;
    // Windows on the device begin on boundaries of vectors. A backward scan begins at the end of a
    // window, which is such a boundary if the window is whole.
    const std::size_t on_device = (window_bytes + margin - 1) / margin * margin;
    const std::size_t on_host = on_device + 2 * margin;
    check(cudaHostAlloc(reinterpret_cast<void**>(&s.host), slots * on_host, cudaHostAllocDefault),
          "allocating pinned memory");
    check(cudaMalloc(reinterpret_cast<void**>(&s.device), slots * on_device),
          "allocating device memory");
    for (cudaStream_t* stream : {&s.up, &s.scans, &s.down}) {
        check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), "making a stream");
    }
    for (std::size_t i = 0; i < slots; ++i) {
        slot& made = s.ring[i];
        made.host = s.host + i * on_host + margin;
        made.device = s.device + i * on_device;
        for (cudaEvent_t* event : {&made.is_up, &made.is_scanned}) {
            check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "making an event");
        }
        // The host waits for this event. It blocks instead of spinning, because other threads need
        // the cores.
        check(
            cudaEventCreateWithFlags(&made.is_down, cudaEventDisableTiming | cudaEventBlockingSync),
            "making an event");
    }
    s.gpu.emplace(s.scans);
}

window_scan::~window_scan() = default;

std::size_t window_scan::window_bytes() const { return state_->window_bytes; }

std::byte* window_scan::room() {
    state& s = *state_;
    if (s.started - s.collected >= slots) {
        throw std::logic_error("lookback: window_scan: no slot is free; expected collect()");
    }
    return s.ring[s.started % slots].host;
}

template <class T>
void window_scan::start(std::size_t items, operation op, bool is_backward,
                        const std::optional<T>& seed) {
    state& s = *state_;
    std::byte* const from = room();
    const slot& here = s.ring[s.started % slots];
    const slot& next = s.ring[(s.started + 1) % slots];
    const std::size_t bytes = items * sizeof(T);
    T* const numbers = reinterpret_cast<T*>(here.device);

    // The last result in this slot is still the carry of the next window, which is in the next
    // slot. So the copy waits for that window's scan. (In the first round this event has not been
    // recorded, or is of an older scan: there is nothing to wait for.)
    check(cudaStreamWaitEvent(s.up, next.is_scanned), "waiting for a scan");
    check(cudaMemcpyAsync(numbers, from, bytes, cudaMemcpyHostToDevice, s.up),
          "copying to the GPU");
    check(cudaEventRecord(here.is_up, s.up), "copying to the GPU");

    check(cudaStreamWaitEvent(s.scans, here.is_up), "waiting for a copy");
    scan_in_place(*s.gpu, numbers, items, op, is_backward, static_cast<const T*>(s.last_result),
                  seed);
    check(cudaEventRecord(here.is_scanned, s.scans), "scanning");
    s.last_result = is_backward ? numbers : numbers + items - 1;

    check(cudaStreamWaitEvent(s.down, here.is_scanned), "waiting for a scan");
    check(cudaMemcpyAsync(from, numbers, bytes, cudaMemcpyDeviceToHost, s.down),
          "copying from the GPU");
    check(cudaEventRecord(here.is_down, s.down), "copying from the GPU");
    ++s.started;
}

std::byte* window_scan::collect() {
    state& s = *state_;
    if (s.collected == s.started) {
        throw std::logic_error("lookback: window_scan: nothing to collect; expected start()");
    }
    const slot& oldest = s.ring[s.collected % slots];
    check(cudaEventSynchronize(oldest.is_down), "scanning on the GPU");
    ++s.collected;
    return oldest.host;
}

}  // namespace lookback::on_gpu

#include "window_scan_start-inl.hpp"
