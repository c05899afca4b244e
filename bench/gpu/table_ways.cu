// The ways to make a table of an RGB8 image, four floats a pixel; and the stages of GPU Gems 3's
// way, with the look-ups that follow.

#include <memory>

#include "strategies/cuda/tables/six_scans.cuh"
#include "strategies/registry.hpp"
#include "table_check.cuh"
#include "tables.hpp"

namespace lookback::bench {
namespace {

using strategies::image_size;
using texel = pixel<float, 4>;

struct way {
    const char* name;  ///< in the result
    const char* strategy;
    bool is_transposed = false;
};
constexpr way all_ways[] = {
    {"ours", "cuda-table-library"},
    {"rows_then_columns", "cuda-table-rows-then-columns"},
    {"steps_of_two", "cuda-table-steps-of-two"},
    {"steps_of_four", "cuda-table-steps-of-four"},
    {"steps_of_sixteen", "cuda-table-steps-of-sixteen"},
    {"six_scans", "cuda-table-six-scans", true},
};

constexpr std::uint64_t window_radius = 12;
constexpr std::uint64_t summed_one_in = 61;  // pixels whose windows are checked

// Windows by their plain sums, as far as they lie in the image.
__global__ void check_windows_kernel(const rgb8* in, const texel* sums, image_size size,
                                     unsigned long long* first_wrong) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * check_threads * summed_one_in;
    for (std::uint64_t i =
             (std::uint64_t{blockIdx.x} * check_threads + threadIdx.x) * summed_one_in;
         i < size.height * size.width; i += step) {
        const std::uint64_t row = i / size.width, column = i % size.width;
        texel right{};
        for (std::uint64_t y = row > window_radius ? row - window_radius : 0;
             y < size.height && y <= row + window_radius; ++y) {
            for (std::uint64_t x = column > window_radius ? column - window_radius : 0;
                 x < size.width && x <= column + window_radius; ++x) {
                right = right + static_cast<texel>(in[y * size.width + x]);
            }
        }
        if (!(sums[i] == right)) atomicMin(first_wrong, i);
    }
}

class ways {
 public:
    ways(session& s, image_size size) : s_(s), size_(size) {}

    std::vector<implementation> all() {
        std::vector<implementation> ways;
        for (const way& one : all_ways) {
            const auto run = strategies::find_cuda_table(one.strategy);
            const strategies::table_call call{in(), out(), size_.height, size_.width};
            ways.push_back({one.name, [=, &gpu = gpu_] { run(call, {.gpu = &gpu}); }});
        }
        return ways;
    }

    /// The stages of GPU Gems 3's way, each alone.
    std::vector<implementation> stages() {
        using all = strategies::six_scan_stages<float>;
        const auto of = std::make_shared<all>(stages_gpu_, size_);
        return {{"stage_deinterleave", [of, in = in()] { of->deinterleave(in); }},
                {"stage_scan_rows", [of] { of->scan_rows(); }},
                {"stage_transpose", [of] { of->transpose(); }},
                {"stage_scan_columns", [of] { of->scan_columns(); }},
                {"stage_interleave", [of, out = out()] { of->interleave(out); }},
                {"stage_look_up", [&gpu = stages_gpu_, size = size_, table = out(), to = sums()] {
                     strategies::look_up_windows<float>(gpu, table, size, window_radius, to);
                 }}};
    }

    void fill(pixels_are kind) { judge_of(false).fill(kind); }

    /// Runs all ways, and last one that is not transposed. Returns what is wrong, or nothing.
    std::string judge(const std::vector<implementation>& all) {
        for (std::size_t i = all.size(); i > 0; --i) {
            const table_judge judge = judge_of(all_ways[i - 1].is_transposed);
            if (std::string wrong = judge.judge(all[i - 1]); !wrong.empty()) return wrong;
        }
        return "";
    }
    /// Runs the stages; returns what is wrong with the windows that they look up, or nothing.
    std::string judge_windows() {
        for (const implementation& stage : stages()) stage.call();
        const std::uint64_t wrong = first_wrong_item(s_, [&](unsigned long long* found) {
            check_windows_kernel<<<check_blocks(size_.pixels() / summed_one_in + 1), check_threads,
                                   0, s_.stream()>>>(in(), sums(), size_, found);
        });
        return wrong == none_wrong ? ""
                                   : "a window is wrong, first of pixel " + std::to_string(wrong);
    }
    std::string judge_itself() { return judge_of(false).judge_itself(); }

 private:
    const rgb8* in() const { return static_cast<const rgb8*>(s_.in()); }
    texel* out() const { return static_cast<texel*>(s_.out()); }
    texel* sums() const {
        return static_cast<texel*>(s_.scratch(0, size_.pixels() * sizeof(texel)));
    }
    table_judge<rgb8, texel> judge_of(bool transposed) {
        const std::uint64_t height = size_.height, width = size_.width;
        return {s_,
                {1, height, width, width, 0, height, width, transposed ? 1 : width,
                 transposed ? height : 1},
                in(),
                out()};
    }

    session& s_;
    image_size size_;
    strategies::device gpu_{s_.stream()}, stages_gpu_{s_.stream()};
};

}  // namespace

void measure_table_ways(session& s, const observer& tell) {
    for (const std::uint64_t side : {512, 1024, 2048, 4096, 8192}) {
        const image_size size{side, side};
        if (size.pixels() * sizeof(texel) > s.array_bytes()) return;
        cell c;
        c.op = "table_ways";
        c.type = "RGB8 to 4 f32";
        c.data = std::to_string(side) + " x " + std::to_string(side);
        c.items = size.pixels();
        c.item_bytes = sizeof(texel);
        c.least_bytes = size.pixels() * (sizeof(rgb8) + sizeof(texel));
        c.copied_bytes = c.least_bytes / 32 * 32;
        if (!tell.wants(c)) continue;
        tell.begin(c);

        ways compared(s, size);
        const std::vector<implementation> all = compared.all();
        compared.fill(pixels_are::exact);
        c.trouble = compared.judge(all);
        if (c.trouble.empty()) c.trouble = compared.judge_itself();
        if (c.trouble.empty()) c.trouble = compared.judge_windows();
        if (c.trouble.empty()) {
            compared.fill(pixels_are::timed);
            std::vector<implementation> timed = all;
            for (implementation& stage : compared.stages()) timed.push_back(stage);
            for (implementation& copy : copies(s, c.copied_bytes / 2)) timed.push_back(copy);
            c.device_us = s.device_times(timed, c.trouble);
            compared.fill(pixels_are::exact);
            const std::string wrong = compared.judge(all);  // still right after all these calls
            c.checked = wrong.empty();
            c.trouble += wrong;
        }
        tell.end(c);
    }
}

}  // namespace lookback::bench
