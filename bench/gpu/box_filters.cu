// Box filters of RGBA8 images: by one radius, beside NPP's where that is there, and by radii.

#include "lookback/box_filter.hpp"
#include "npp.cuh"
#include "table_check.cuh"
#include "tables.hpp"

namespace lookback::bench {
namespace {

using rgba8 = pixel<std::uint8_t, 4>;

enum class radii_are { fixed, smooth, random };

// Windows up to this radius are all checked by their sums. Of larger windows every 61st is; the
// others are only checked for having been written.
constexpr std::int32_t most_radius_of_all = 12;
constexpr std::uint64_t summed_one_in = 61;

__global__ void make_radii_kernel(std::int32_t* radii, std::uint64_t height, std::uint64_t width,
                                  radii_are kind, std::int32_t most) {
    for_each_item(height * width, [&](std::uint64_t i) {
        const auto x = static_cast<float>(i % width), y = static_cast<float>(i / width);
        const float wave = .5F + .5F * sinf(x / 300) * cosf(y / 500);
        radii[i] = kind == radii_are::fixed ? most
                   : kind == radii_are::smooth
                       ? static_cast<std::int32_t>(wave * static_cast<float>(most) + .5F)
                       : static_cast<std::int32_t>(random_bits(~i) %
                                                   (static_cast<std::uint32_t>(most) + 1));
    });
}

// Means over windows by their plain sums. Windows have an odd number of items, so there are no
// ties.
__global__ void check_box_kernel(const rgba8* in, const rgba8* out, const std::int32_t* radii,
                                 std::int64_t height, std::int64_t width,
                                 unsigned long long* first_wrong) {
    for_each_item(static_cast<std::uint64_t>(height * width), [&](std::uint64_t i) {
        const std::int64_t r = radii[i], column = static_cast<std::int64_t>(i) % width,
                           row = static_cast<std::int64_t>(i) / width;
        bool right = true;
        if (r > most_radius_of_all && i % summed_one_in != 0) {
            // No mean of so many random bytes is so high in four channels.
            right = !is_poison(out[i]);
        } else {
            std::uint32_t sums[4] = {};
            for (std::int64_t y = row - r; y <= row + r; ++y) {
                const rgba8* const line = in + (y < 0 ? 0 : y >= height ? height - 1 : y) * width;
                for (std::int64_t x = column - r; x <= column + r; ++x) {
                    const rgba8 one = line[x < 0 ? 0 : x >= width ? width - 1 : x];
                    for (int k = 0; k < 4; ++k) sums[k] += one.channel[k];
                }
            }
            const auto items = static_cast<std::uint32_t>((2 * r + 1) * (2 * r + 1));
            for (int k = 0; k < 4; ++k) {
                right = right && out[i].channel[k] == (sums[k] + items / 2) / items;
            }
        }
        if (!right) atomicMin(first_wrong, i);
    });
}

class box_contest {
 public:
    box_contest(session& s, std::uint64_t side, radii_are kind, std::int32_t most)
        : s_(s),
          side_(side),
          kind_(kind),
          most_(most),
          radii_(static_cast<std::int32_t*>(s.scratch(0, side * side * sizeof(std::int32_t)))) {
        const std::uint64_t n = side * side;
        const auto blocks = check_blocks(n);
        fill_image_kernel<<<blocks, check_threads, 0, s.stream()>>>(in(), n, pixels_are::timed);
        make_radii_kernel<<<blocks, check_threads, 0, s.stream()>>>(radii_, side, side, kind, most);
        check(cudaGetLastError(), "launching a fill");
    }

    implementation ours() const {
        const image_extents extents{side_, side_};
        const rgba8* const from = in();
        rgba8* const to = out();
        if (kind_ == radii_are::fixed) {
            return {"ours", [=, &s = s_, radius = most_] {
                        box_filter(s.gpu(), from, extents, radius, to);
                    }};
        }
        const std::int32_t* const radii = radii_;
        return {"ours", [=, &s = s_] { box_filter(s.gpu(), from, extents, radii, to); }};
    }

    /// NPP's filter by one radius. Its results are not checked.
    std::vector<implementation> peers() const {
        if (kind_ != radii_are::fixed) return {};
        return npp_box_filter(s_, in(), out(), side_, most_);
    }

    /// Runs the call on a poisoned output. Returns what is wrong, or nothing.
    std::string judge() const {
        check(cudaMemsetAsync(out(), 0xa5, side_ * side_ * sizeof(rgba8), s_.stream()),
              "poisoning");
        ours().call();
        const std::uint64_t wrong = first_wrong();
        return wrong == none_wrong ? "" : "ours is wrong, first at pixel " + std::to_string(wrong);
    }
    /// Changes a right result, and checks that this is found.
    std::string judge_itself() const {
        const std::uint64_t place = side_ * side_ / 2 / summed_one_in * summed_one_in;
        rgba8 one;
        check(cudaMemcpy(&one, out() + place, sizeof(one), cudaMemcpyDeviceToHost), "spoiling");
        one.channel[3] = static_cast<std::uint8_t>(one.channel[3] ^ 1);
        check(cudaMemcpy(out() + place, &one, sizeof(one), cudaMemcpyHostToDevice), "spoiling");
        return first_wrong() == place ? "" : "the check does not see a wrong pixel";
    }

 private:
    rgba8* in() const { return static_cast<rgba8*>(s_.in()); }
    rgba8* out() const { return static_cast<rgba8*>(s_.out()); }
    std::uint64_t first_wrong() const {
        return first_wrong_item(s_, [&](unsigned long long* found) {
            const auto side = static_cast<std::int64_t>(side_);
            check_box_kernel<<<check_blocks(side_ * side_), check_threads, 0, s_.stream()>>>(
                in(), out(), radii_, side, side, found);
        });
    }

    session& s_;
    std::uint64_t side_;
    radii_are kind_;
    std::int32_t most_;  ///< the radius, or the largest one
    std::int32_t* radii_;
};

// `most`: the radius, or the largest of those by pixel.
void measure_filter(session& s, const observer& tell, radii_are kind, std::int32_t most,
                    std::uint64_t side = 8192) {
    if (side * side * sizeof(rgba8) > s.array_bytes()) return;
    cell c;
    c.op = "box_filter";
    c.type = "RGBA8";
    const char* const radii = kind == radii_are::fixed    ? ", radius "
                              : kind == radii_are::smooth ? ", smooth radii to "
                                                          : ", random radii to ";
    c.data = std::to_string(side) + " x " + std::to_string(side) + radii + std::to_string(most);
    c.items = side * side;
    c.item_bytes = sizeof(rgba8);
    c.least_bytes = 2 * c.items * sizeof(rgba8);  // without the radii
    if (!tell.wants(c)) return;
    tell.begin(c);
    const box_contest contest(s, side, kind, most);
    c.trouble = contest.judge();
    if (c.trouble.empty()) c.trouble = contest.judge_itself();
    if (c.trouble.empty()) {
        std::vector<implementation> timed = {contest.ours()};
        for (implementation& peer : contest.peers()) timed.push_back(peer);
        for (implementation& copy : copies(s, c.least_bytes / 2)) timed.push_back(copy);
        c.device_us = s.device_times(timed, c.trouble);
        const std::string wrong = contest.judge();  // still right after all these calls
        c.checked = wrong.empty();
        c.trouble += wrong;
    }
    tell.end(c);
}

}  // namespace

void measure_box_filters(session& s, const observer& tell) {
    for (const std::int32_t radius : {1, 3, 12, 48, 64}) {
        measure_filter(s, tell, radii_are::fixed, radius);
    }
    measure_filter(s, tell, radii_are::fixed, 12, 8191);
    measure_filter(s, tell, radii_are::fixed, 12, 517);
    for (const radii_are kind : {radii_are::smooth, radii_are::random}) {
        for (const std::int32_t most : {8, 31, 40, 64}) measure_filter(s, tell, kind, most);
    }
    for (const std::uint64_t side : {8191, 2048, 1021, 517}) {
        measure_filter(s, tell, radii_are::smooth, 31, side);
    }
}

}  // namespace lookback::bench
