// Box filters of images and stacks: by one radius, beside NPP's where that is there, and by radii.

#include <type_traits>

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

// Means over windows by their plain sums, image by image. Windows have an odd number of items, so
// there are no ties.
template <class Item>
__global__ void check_box_kernel(const Item* all, const Item* out, const std::int32_t* radii,
                                 std::uint64_t n, std::int64_t height, std::int64_t width,
                                 unsigned long long* first_wrong) {
    constexpr int channels = detail::channels_of<Item>::channels;
    for_each_item(n, [&](std::uint64_t i) {
        const std::int64_t r = radii[i], column = static_cast<std::int64_t>(i) % width,
                           line_of_all = static_cast<std::int64_t>(i) / width,
                           row = line_of_all % height;
        const Item* const in = all + (line_of_all - row) * width;
        bool right = true;
        if (r > most_radius_of_all && i % summed_one_in != 0) {
            // Hardly any mean of so many random items is the poison.
            right = !is_poison(out[i]);
        } else {
            std::uint32_t sums[channels] = {};
            for (std::int64_t y = row - r; y <= row + r; ++y) {
                const Item* const line = in + (y < 0 ? 0 : y >= height ? height - 1 : y) * width;
                for (std::int64_t x = column - r; x <= column + r; ++x) {
                    const Item& one = line[x < 0 ? 0 : x >= width ? width - 1 : x];
                    for (int k = 0; k < channels; ++k) sums[k] += detail::channel_of(one, k);
                }
            }
            const auto items = static_cast<std::uint32_t>((2 * r + 1) * (2 * r + 1));
            for (int k = 0; k < channels; ++k) {
                right = right && detail::channel_of(out[i], k) == (sums[k] + items / 2) / items;
            }
        }
        if (!right) atomicMin(first_wrong, i);
    });
}

template <class Item>
class box_contest {
 public:
    box_contest(session& s, const image_extents& extents, radii_are kind, std::int32_t most)
        : s_(s),
          extents_(extents),
          n_(extents.images * extents.height * extents.width),
          kind_(kind),
          most_(most),
          radii_(static_cast<std::int32_t*>(s.scratch(0, n_ * sizeof(std::int32_t)))) {
        const auto blocks = check_blocks(n_);
        fill_image_kernel<<<blocks, check_threads, 0, s.stream()>>>(in(), n_, pixels_are::timed);
        make_radii_kernel<<<blocks, check_threads, 0, s.stream()>>>(
            radii_, extents.images * extents.height, extents.width, kind, most);
        check(cudaGetLastError(), "launching a fill");
    }

    implementation ours() const {
        const Item* const from = in();
        Item* const to = out();
        if (kind_ == radii_are::fixed) {
            return {"ours", [=, &s = s_, extents = extents_, radius = most_] {
                        box_filter(s.gpu(), from, extents, radius, to);
                    }};
        }
        return {"ours", [=, &s = s_, extents = extents_, radii = radii_] {
                    box_filter(s.gpu(), from, extents, static_cast<const std::int32_t*>(radii), to);
                }};
    }

    /// NPP's filter of a square RGBA8 image by one radius. Its results are not checked.
    std::vector<implementation> peers() const {
        if (kind_ != radii_are::fixed || !std::is_same_v<Item, rgba8> || extents_.images != 1 ||
            extents_.height != extents_.width) {
            return {};
        }
        return npp_box_filter(s_, in(), out(), extents_.width, most_);
    }

    /// Runs the call on a poisoned output. Returns what is wrong, or nothing.
    std::string judge() const {
        check(cudaMemsetAsync(out(), 0xa5, n_ * sizeof(Item), s_.stream()), "poisoning");
        ours().call();
        const std::uint64_t wrong = first_wrong();
        return wrong == none_wrong ? "" : "ours is wrong, first at pixel " + std::to_string(wrong);
    }
    /// Changes a right result, and checks that this is found.
    std::string judge_itself() const {
        const std::uint64_t place = n_ / 2 / summed_one_in * summed_one_in;
        Item one;
        check(cudaMemcpy(&one, out() + place, sizeof(one), cudaMemcpyDeviceToHost), "spoiling");
        auto& last = detail::channel_of(one, detail::channels_of<Item>::channels - 1);
        last = static_cast<detail::channel_type<Item>>(last ^ 1);
        check(cudaMemcpy(out() + place, &one, sizeof(one), cudaMemcpyHostToDevice), "spoiling");
        return first_wrong() == place ? "" : "the check does not see a wrong pixel";
    }

 private:
    Item* in() const { return static_cast<Item*>(s_.in()); }
    Item* out() const { return static_cast<Item*>(s_.out()); }
    std::uint64_t first_wrong() const {
        return first_wrong_item(s_, [&](unsigned long long* found) {
            check_box_kernel<<<check_blocks(n_), check_threads, 0, s_.stream()>>>(
                static_cast<const Item*>(in()), static_cast<const Item*>(out()), radii_, n_,
                static_cast<std::int64_t>(extents_.height),
                static_cast<std::int64_t>(extents_.width), found);
        });
    }

    session& s_;
    image_extents extents_;
    std::uint64_t n_;
    radii_are kind_;
    std::int32_t most_;  ///< the radius, or the largest one
    std::int32_t* radii_;
};

// `most`: the radius, or the largest of those by pixel.
template <class Item>
void measure_filter(session& s, const observer& tell, const char* type, radii_are kind,
                    std::int32_t most, const image_extents& extents = {8192, 8192}) {
    cell c;
    c.items = extents.images * extents.height * extents.width;
    if (c.items * sizeof(Item) > s.array_bytes()) return;
    c.op = "box_filter";
    c.type = type;
    const char* const radii = kind == radii_are::fixed    ? ", radius "
                              : kind == radii_are::smooth ? ", smooth radii to "
                                                          : ", random radii to ";
    if (extents.images > 1) c.data = std::to_string(extents.images) + " x ";
    c.data += std::to_string(extents.height) + " x " + std::to_string(extents.width) + radii +
              std::to_string(most);
    c.item_bytes = sizeof(Item);
    c.least_bytes = 2 * c.items * sizeof(Item);  // without the radii
    if (!tell.wants(c)) return;
    tell.begin(c);
    const box_contest<Item> contest(s, extents, kind, most);
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
    using enum radii_are;
    const auto measure_rgba = [&](radii_are kind, std::int32_t most,
                                  const image_extents& extents = {8192, 8192}) {
        measure_filter<rgba8>(s, tell, "RGBA8", kind, most, extents);
    };
    for (const std::int32_t radius : {1, 3, 12, 48, 64}) measure_rgba(fixed, radius);
    measure_rgba(fixed, 12, {8191, 8191});
    measure_rgba(fixed, 12, {517, 517});
    for (const radii_are kind : {smooth, random}) {
        for (const std::int32_t most : {8, 31, 40, 64}) measure_rgba(kind, most);
        measure_filter<pixel<std::uint8_t, 3>>(s, tell, "RGB8", kind, 31);
        measure_filter<std::uint16_t>(s, tell, "u16", kind, 31);
        measure_filter<std::uint8_t>(s, tell, "u8", kind, 63);
    }
    for (const std::uint64_t side : {8191, 2048, 1021, 517}) measure_rgba(smooth, 31, {side, side});
    // Stacks, and images with few rows or columns.
    measure_rgba(smooth, 31, {256, 256, 1000});
    measure_rgba(smooth, 8, {28, 28, 100'000});
    measure_rgba(smooth, 31, {100, 655'360});
    measure_rgba(smooth, 31, {655'360, 100});
    measure_filter<std::uint8_t>(s, tell, "u8", smooth, 31, {8191, 8193});
}

}  // namespace lookback::bench
