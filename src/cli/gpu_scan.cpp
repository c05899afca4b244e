#include "gpu_scan.hpp"

#include <algorithm>
#include <cstring>

#include "table/table.hpp"

namespace lookback::cli {
namespace {

class line_scanner {
    // A window's results are written while the GPU works on later windows. The window's memory is
    // free once the next write has begun. So one slot is being written, and one is being filled.
    static constexpr std::size_t behind = on_gpu::window_scan::slots - 2;

 public:
    line_scanner(const scan_plan& plan, dtype type, const array_input& in, array_output& out,
                 progress& bar, on_gpu::window_scan& gpu)
        : plan_(plan),
          type_(type),
          size_(size_of(type)),
          in_(in),
          out_(out),
          bar_(bar),
          gpu_(gpu),
          carry_(seed_of(plan, type)),
          window_(std::max<std::size_t>(gpu.window_bytes() / size_, 1)) {
        if (out.is_sequential() && plan.is_backward) all_ = out.room(plan.length);
    }

    void run() {
        const std::size_t windows = plan_.length / window_ + (plan_.length % window_ != 0);
        for (std::size_t k = 0; k < windows + behind; ++k) {
            if (k < windows) start(k);
            if (k >= behind && k - behind < windows) collect(k - behind);
        }
        if (all_ != nullptr) out_.write(all_, plan_.length, 0);
    }

 private:
    struct range {
        std::size_t begin;
        std::size_t items;
    };
    range window(std::size_t k) const {
        const std::size_t done = k * window_;
        const std::size_t items = std::min(window_, plan_.length - done);
        return {plan_.is_backward ? plan_.length - done - items : done, items};
    }

    void start(std::size_t k) {
        const auto [begin, items] = window(k);
        std::byte* const to = gpu_.room();
        if ((k + 1) * window_ < plan_.length) {
            const auto [next, count] = window(k + 1);
            in_.expect(next, count);
        }
        in_.fetch(begin, items);
        const void* const from = in_.load(begin, items, type_, to);
        if (from != to) std::memcpy(to, from, items * size_);
        start_scan(gpu_, type_, plan_.op, plan_.is_backward, items, k == 0 ? carry_ : std::nullopt);
    }

    void collect(std::size_t k) {
        const auto [begin, items] = window(k);
        std::byte* const inclusive = gpu_.collect();
        std::byte* const last = inclusive + (items - 1) * size_;
        const std::byte* results = inclusive;
        if (plan_.is_exclusive) {
            results = plan_.is_backward ? inclusive + size_ : inclusive - size_;
            carry_->put(type_, plan_.is_backward ? last + size_ : inclusive - size_);
        }
        carry_ = scalar(type_, plan_.is_backward ? inclusive : last);
        if (all_ != nullptr) {
            std::memcpy(all_ + begin * size_, results, items * size_);
        } else {
            out_.write(results, items, begin);
        }
        bar_.advance(items * (in_.item_bytes() + size_));
    }

    const scan_plan& plan_;
    dtype type_;
    std::size_t size_;  // of an item, at most window_scan::margin
    const array_input& in_;
    array_output& out_;
    progress& bar_;
    on_gpu::window_scan& gpu_;
    std::optional<scalar> carry_;  // the last result of the windows collected so far
    std::size_t window_;           // items
    std::byte* all_ = nullptr;     // all results, where they cannot be written as they come
};

}  // namespace

void gpu_scan(const scan_plan& plan, dtype accumulator, const array_input& in, array_output& out,
              progress& bar, on_gpu::window_scan& gpu) {
    line_scanner(plan, accumulator, in, out, bar, gpu).run();
}

}  // namespace lookback::cli
