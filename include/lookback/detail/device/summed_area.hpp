/// \file
/// Summed-area tables on a GPU: one launch of a driver (table_walker.hpp, or the staged or
/// pipelined driver with table_agent.hpp), and one launch before it for the zeros of exclusive
/// tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/call.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/narrow_tables.hpp"
#include "lookback/detail/device/table_agent.hpp"
#include "lookback/detail/device/table_walker.hpp"
#include "lookback/gpu.hpp"
#include "lookback/summed_area.hpp"

namespace lookback {
namespace detail {
namespace device {

/// The pipeline for table_agent: as many stages as there is room for, six at most. Look-backs of
/// two tiles run at a time.
template <class Problem>
inline constexpr large_shape table_pipeline = {
    table_warps,
    std::min(6,
             208 * 1024 / table_agent<Problem, table_warps, Problem::can_be_aligned>::stage_bytes),
    0, 2 * table_parts, 1};

/// The bitwise or of an array's address, its rows' length and its pitches, in bytes. If it is a
/// multiple of a power of two, all rows begin and end at multiples of that.
template <class T>
std::uint64_t multiples_of_rows(const T* first, std::uint64_t width, std::uint64_t pitch,
                                std::uint64_t image) {
    return reinterpret_cast<std::uintptr_t>(first) | width * sizeof(T) | pitch * sizeof(T) |
           image * sizeof(T);
}

/// Starts the driver that goes by walks, unless it cannot run on this GPU, or there are too few
/// walks; returns whether it did.
template <bool in_words, class Problem>
bool launch_walks(gpu& where, const Problem& problem) {
    using Shape = table_walker_shape<Problem, in_words>;
    constexpr auto kernel = table_walker_kernel<Shape>;
    constexpr int bytes =
        static_cast<int>(sizeof(table_walker_memory<Shape>)) + Shape::stages * Shape::stage_bytes;
    static_assert(bytes <= hopper_shared_bytes);
    if (!access::pipelines(where, bytes)) return false;
    const auto& known = access::facts<kernel, Shape::cluster>(where, Shape::threads, bytes);
    if (known.architecture < 90) return false;
    const std::uint64_t most = access::blocks(where, most_claimed_tiles, known);
    const auto clusters = std::min(static_cast<std::uint64_t>(known.clusters),
                                   std::max<std::uint64_t>(1, most / Shape::cluster));
    const table_walks walks =
        walks_of(problem.tiles, most, clusters, is_absent<typename Problem::Above>);
    const unsigned cluster = walks.whole > 0 ? 1 : Shape::cluster;
    if (static_cast<int>(cluster) > known.cluster_blocks) return false;
    // The parts of a row of tiles are told one after the other what lies to the left of them, about
    // 1 us for each tile. With few rows, the other driver is faster.
    const std::uint64_t rows = std::uint64_t{walks.images} * walks.down;
    constexpr bool is_wide = sizeof(typename Problem::value_type) > 8;
    if (walks.whole == 0 && rows < most / (is_wide ? 8 : 5)) return false;
    const auto workspace = access::region<typename Problem::value_type>(
        where, walks.whole > 0 ? 1 : walk_words(problem.tiles, walks).all());
    const std::uint64_t most_claims = walks.whole > 0 ? most : clusters;
    start_clusters<kernel>(where, known, cluster,
                           std::min<std::uint64_t>(most_claims, walks.count) * cluster,
                           Shape::threads, bytes, problem, walks, workspace);
    return true;
}

/// Writes the zeros before the first row and column of each table.
template <class Problem>
__global__ void table_border_kernel(const __grid_constant__ Problem problem, table_shape shape) {
    wait_for_previous_kernel();
    const std::uint64_t of_image = shape.height + shape.width + 1;
    for (std::uint64_t i = thread_in_grid(); i < of_image * shape.images; i += threads_in_grid()) {
        const std::uint64_t image = i / of_image, k = i - image * of_image;
        const std::uint64_t at = k <= shape.width ? k : (k - shape.width) * shape.out_pitch;
        problem.store(image * shape.out_image + at, typename Problem::value_type{});
    }
}
template <class Problem>
void write_border(gpu& where, const Problem& problem, const table_shape& shape) {
    constexpr auto kernel = table_border_kernel<Problem>;
    constexpr int threads = 256;
    const auto& known = access::facts<kernel>(where, threads, 0);
    const std::uint64_t items = (shape.height + shape.width + 1) * shape.images;
    start<kernel>(where, known, access::blocks(where, tiles_for(items, threads), known), threads, 0,
                  problem, shape);
}

/// `wanted`: where this points to a word that is 0 when the kernels start, they do nothing.
/// Otherwise the word is ~0.
template <bool bordered, class Problem>
void launch_tables(gpu& where, Problem& problem, const table_shape& shape,
                   const std::uint32_t* wanted) {
    using A = typename Problem::value_type;
    static_assert(device_accumulator<A> && sizeof(A) <= 32,
                  "accumulators of summed-area tables on the GPU are trivially copyable and "
                  "default-constructible, and have at most 32 bytes");
    if (shape.height == 0 || shape.width == 0) {
        if constexpr (bordered) write_border(where, problem, shape);
        return;
    }
    problem.tiles = tiles_of_tables<A>(shape);
    problem.count = item_count{problem.tiles.tiles(), wanted, sizeof(*wanted)};
    std::uint64_t multiples = 1;
    if constexpr (Problem::can_be_aligned) {
        multiples = multiples_of_rows(problem.in, shape.width, shape.in_pitch, shape.in_image);
    }
    problem.word_bytes = multiples % 16 == 0  ? 16
                         : multiples % 8 == 0 ? 8
                         : multiples % 4 == 0 ? 4
                                              : 1;
    if constexpr (Problem::writes_vectors) {
        problem.aligned_vectors = multiples_of_rows(problem.out + shape.out_first, shape.width,
                                                    shape.out_pitch, shape.out_image) %
                                      16 ==
                                  0;
    }
    if constexpr (is_absent<typename Problem::Above>) {
        if (launch_narrow_tables(where, problem)) return;
    }
    if constexpr (bordered) write_border(where, problem, shape);
    if constexpr (Problem::can_be_aligned) {
        if (access::copies_in_bulk(where) && launch_walks<true>(where, problem)) return;
    }
    if (launch_walks<false>(where, problem)) return;
    constexpr large_shape pipeline = table_pipeline<Problem>;
    launch_tiles<table_agent, pipeline>(where, problem, problem.tiles.tiles(),
                                        table_words(problem.tiles).all());
}

}  // namespace device

template <>
struct summed_areas_on<gpu> {
    template <bool bordered, class In, class Out, class Squares, class Above>
    static void run(gpu& where, const In& in, const table_shape& shape, const Out& out,
                    const Squares& squares, const Above& above) {
        using namespace device;
        const auto from = indexed(in);
        const auto to = indexed(out);
        if (shape.images == 0) return;
        if constexpr (is_absent<Squares>) {
            make<bordered>(where, from, shape, to, no_array{}, indexed(above));
        } else {
            make<bordered>(where, from, shape, to, indexed(squares));
        }
    }

    /// Makes the tables of at least one image. `in` to `above` are what kernels read and write;
    /// `wanted`: see launch_tables.
    template <bool bordered, class In, class Out, class Squares = no_array, class Above = no_array>
    static void make(gpu& where, const In& in, const table_shape& shape, const Out& out,
                     const Squares& squares = {}, const Above& above = {},
                     const std::uint32_t* wanted = nullptr) {
        if constexpr (device::is_absent<Squares>) {
            device::table_problem<In, Out, Above> problem{in, out,  above, {}, item_count{0},
                                                          0,  false};
            device::launch_tables<bordered>(where, problem, shape, wanted);
        } else if constexpr (sizeof(device::item_of<Out>) + sizeof(device::item_of<Squares>) > 32) {
            // Both together are too wide for a tile.
            make<bordered>(where, in, shape, out, {}, {}, wanted);
            make<bordered>(where, device::squared_items<In, device::item_of<Squares>>{in}, shape,
                           squares, {}, {}, wanted);
        } else {
            device::squares_problem<In, Out, Squares> problem{in, out,           squares, {},
                                                              {}, item_count{0}, 0};
            device::launch_tables<bordered>(where, problem, shape, wanted);
        }
    }
};

}  // namespace detail
}  // namespace lookback
