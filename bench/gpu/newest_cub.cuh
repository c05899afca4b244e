/// \file
/// The scans that CUB has since version 3.5: those that look ahead, and sums of floats with the
/// same bits in each run. Callers ask for them by an environment.
#pragma once

#include <cstdint>
#include <cub/version.cuh>
#include <vector>

#include "peers.cuh"

#if CUB_VERSION >= 300500

#include <concepts>
#include <cuda/execution>
#include <cuda/memory_resource>
#include <cuda/std/execution>
#include <cuda/stream_ref>

namespace lookback::bench {

/// Gives CUB the same memory at each call, which asks for memory once.
class cub_memory {
 public:
    explicit cub_memory(session& s) : session_(&s) {}
    void* allocate_sync(std::size_t bytes, std::size_t) {
        return session_->scratch(cub_environment_slot, bytes);
    }
    void deallocate_sync(void*, std::size_t, std::size_t) noexcept {}
    void* allocate(cuda::stream_ref, std::size_t bytes, std::size_t) {
        return session_->scratch(cub_environment_slot, bytes);
    }
    void deallocate(cuda::stream_ref, void*, std::size_t, std::size_t) noexcept {}
    bool operator==(const cub_memory&) const = default;

 private:
    session* session_;
};

/// `asked`: what else the environment asks for.
template <class W, class Op, class Asked>
implementation cub_scan_by(session& s, std::string name, std::uint64_t n, Op op, Asked asked) {
    using item = typename W::item;
    const auto* const in = static_cast<const item*>(s.in());
    auto* const out = static_cast<item*>(s.out());
    return with_count<W>(n, [&](auto count) -> implementation {
        return {std::move(name), [=, &s] {
                    const cuda::std::execution::env all{
                        cuda::stream_ref{s.stream()},
                        cuda::std::execution::prop{cuda::mr::get_memory_resource, cub_memory(s)},
                        asked};
                    check(cub::DeviceScan::InclusiveScan(in, out, op, count, all), "calling CUB");
                }};
    });
}

/// Looks ahead, as CUB does by itself on GPUs of compute capability 10.0, with the numbers that it
/// has for these: for 9.0 it has no tuned ones.
template <class T, class Op>
struct looks_ahead {
    __host__ __device__ constexpr cub::ScanPolicy operator()(cuda::compute_capability) const {
        using sum = cuda::std::__accumulator_t<Op, T, T>;
        using of_cub =
            cub::detail::scan::policy_selector_from_types<const T*, T*, sum, std::uint32_t, Op>;
        constexpr cub::ScanPolicy policy = of_cub{}(cuda::compute_capability{10, 0});
        static_assert(policy.algorithm == cub::ScanAlgorithm::lookahead);
        return policy;
    }
};

template <class W, class Op>
implementation cub_lookahead(session& s, std::string name, std::uint64_t n, Op op) {
    return cub_scan_by<W>(s, std::move(name), n, op,
                          cuda::execution::tune(looks_ahead<typename W::item, Op>{}));
}

template <class W>
void add_newest_scans(session& s, std::uint64_t n, std::vector<implementation>& all) {
    const typename W::peer_op op;
    all.push_back(cub_lookahead<W>(s, "cub_lookahead", n, op));
    if constexpr (sizeof(typename W::item) < sizeof(int)) {
        const typename W::narrow_peer_op narrow;
        all.push_back(cub_lookahead<W>(s, "cub_lookahead_narrow", n, narrow));
    }
    if constexpr (std::floating_point<typename W::item>) {
        all.push_back(
            cub_scan_by<W>(s, "cub_deterministic", n, op,
                           cuda::execution::require(cuda::execution::determinism::run_to_run)));
    }
}

}  // namespace lookback::bench

#else

namespace lookback::bench {

template <class W>
void add_newest_scans(session&, std::uint64_t, std::vector<implementation>&) {}

}  // namespace lookback::bench

#endif
