#include "gpu_scan.hpp"

#include <algorithm>
#include <span>

#include "gpu_numbers.hpp"

namespace lookback::cli {
namespace {

template <number T>
class line_scanner {
    // A window's results are written while those after it are on their way, and its memory is free
    // once the write after it has begun: one slot is being written, one is being filled.
    static constexpr std::size_t behind = on_gpu::window_scan::slots - 2;
    static_assert(sizeof(T) <= on_gpu::window_scan::margin);

 public:
    line_scanner(const scan_plan& plan, const array_input& in, array_output& out, progress& bar,
                 on_gpu::window_scan& gpu)
        : plan_(plan),
          in_(in),
          out_(out),
          bar_(bar),
          gpu_(gpu),
          carry_(seed_of<T>(plan)),
          window_(std::max<std::size_t>(gpu.window_bytes() / sizeof(T), 1)) {
        if (out.is_sequential() && plan.is_backward) all_ = out.room<T>(plan.length);
    }

    void run() {
        const std::size_t windows = plan_.length / window_ + (plan_.length % window_ != 0);
        for (std::size_t k = 0; k < windows + behind; ++k) {
            if (k < windows) start(k);
            if (k >= behind && k - behind < windows) collect(k - behind);
        }
        if (all_ != nullptr) out_.write(std::span<const T>(all_, plan_.length), 0);
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
        using U = on_gpu_as<T>;
        const auto [begin, items] = window(k);
        T* to = reinterpret_cast<T*>(gpu_.room());
        if ((k + 1) * window_ < plan_.length) {
            const auto [next, count] = window(k + 1);
            in_.expect(next, count);
        }
        in_.fetch(begin, items);
        const T* from = in_.template load<T>(begin, items, to);
        if (from != to) std::copy_n(from, items, to);
        in_.release(begin, items);
        std::optional<U> seed;
        if (k == 0 && carry_) seed = static_cast<U>(*carry_);
        gpu_.start<U>(items, on_gpu_operation<T>(plan_.op), plan_.is_backward, seed);
    }

    void collect(std::size_t k) {
        const auto [begin, items] = window(k);
        T* const inclusive = reinterpret_cast<T*>(gpu_.collect());
        const T* results = inclusive;
        if (plan_.is_exclusive) {
            T* const shifted = plan_.is_backward ? inclusive + 1 : inclusive - 1;
            shifted[plan_.is_backward ? items - 1 : 0] = *carry_;
            results = shifted;
        }
        carry_ = plan_.is_backward ? inclusive[0] : inclusive[items - 1];
        if (all_ != nullptr) {
            std::copy_n(results, items, all_ + begin);
        } else {
            out_.write(std::span<const T>(results, items), begin);
        }
        bar_.advance(items * (size_of(in_.type()) + sizeof(T)));
    }

    const scan_plan& plan_;
    const array_input& in_;
    array_output& out_;
    progress& bar_;
    on_gpu::window_scan& gpu_;
    std::optional<T> carry_;  // the last result, of the windows collected
    std::size_t window_;      // items
    T* all_ = nullptr;        // all results, where they must not be written as they come
};

}  // namespace

void gpu_scan(const scan_plan& plan, dtype accumulator, const array_input& in, array_output& out,
              progress& bar, on_gpu::window_scan& gpu) {
    with_type(accumulator, [&]<class T>(std::type_identity<T>) {
        line_scanner<T>(plan, in, out, bar, gpu).run();
    });
}

}  // namespace lookback::cli
