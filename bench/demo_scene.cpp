// The picture with which `./dev demo` ends: shaded spheres on a chequered plane, and how far away
// each pixel's object is, for `lookback dof`.
//
//     lookback_scene SCENE.png DEPTH.png
//
// There is a ray for each of 8 x 8 places in a pixel, and from each hit a ray to the sun, which is
// a disc. So edges and shadows are smooth. The depth is that of a z-buffer, 1 - near / z: 0 at the
// distance `near`, 1 infinitely far away. With this depth, the circles of confusion of a thin lens
// are aperture * |depth - focus|. Depths are grey values of 16 bits.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include "error.hpp"
#include "image.hpp"
#include "output_file.hpp"
#include "png.hpp"

namespace {

struct vec {
    float x, y, z;
    friend vec operator+(vec a, vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend vec operator-(vec a, vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend vec operator*(vec a, vec b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
    friend vec operator*(float s, vec a) { return {s * a.x, s * a.y, s * a.z}; }
};
float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
vec normalised(vec a) { return (1 / std::sqrt(dot(a, a))) * a; }
vec mix(vec a, vec b, float t) { return (1 - t) * a + t * b; }

struct ray {
    vec from, to;  // `to` is a direction, of length 1
};

struct sphere {
    vec centre;
    float radius;
    vec colour;
};

// x to the right, y up, z away from the camera, which stands above the origin.
constexpr std::array spheres{
    sphere{{-0.95F, 0.42F, 3.45F}, 0.42F, {0.80F, 0.16F, 0.10F}},
    sphere{{0.10F, 0.50F, 4.60F}, 0.50F, {0.95F, 0.62F, 0.10F}},
    sphere{{1.35F, 0.55F, 6.20F}, 0.55F, {0.10F, 0.45F, 0.75F}},
    sphere{{-1.75F, 0.70F, 7.60F}, 0.70F, {0.15F, 0.60F, 0.30F}},
    sphere{{0.55F, 0.80F, 11.0F}, 0.80F, {0.75F, 0.75F, 0.78F}},
    sphere{{4.20F, 0.90F, 13.0F}, 0.90F, {0.55F, 0.20F, 0.60F}},
    sphere{{-4.60F, 1.00F, 16.0F}, 1.00F, {0.85F, 0.35F, 0.45F}},
};

constexpr std::size_t width = 960, height = 540;
constexpr int places = 8;  // in a pixel, along each side
constexpr float camera_height = 1.25F;
constexpr float near = 3;
constexpr float half_view = 0.29F;  // the tangent of half the angle from the top to the bottom
const vec forward = normalised({0, -0.13F, 1});
const vec up = normalised({0, 1, 0.13F});
const vec sun = normalised({-0.55F, 0.85F, -0.45F});

struct hit {
    float distance = std::numeric_limits<float>::infinity();
    vec normal{};
    vec colour{};
    float gloss = 0;
};

// How far along the ray the sphere begins; infinite if the ray does not hit it.
float distance_to(const sphere& s, const ray& r) {
    const vec c = s.centre - r.from;
    const float middle = dot(c, r.to);
    const float square = s.radius * s.radius - (dot(c, c) - middle * middle);
    if (square < 0 || middle - std::sqrt(square) < 1e-3F) {
        return std::numeric_limits<float>::infinity();
    }
    return middle - std::sqrt(square);
}

hit trace(const ray& r) {
    hit found;
    for (const sphere& s : spheres) {
        const float distance = distance_to(s, r);
        if (distance >= found.distance) continue;
        const vec normal = (1 / s.radius) * (r.from + distance * r.to - s.centre);
        found = {distance, normal, s.colour, 0.5F};
    }
    const float to_plane = -r.from.y / r.to.y;
    if (to_plane > 1e-3F && to_plane < found.distance) {
        const vec at = r.from + to_plane * r.to;
        const auto square =
            static_cast<long>(std::floor(at.x * 1.6F)) + static_cast<long>(std::floor(at.z * 1.6F));
        const bool is_dark = square % 2 != 0;
        found = {to_plane, {0, 1, 0}, is_dark ? vec{.10F, .11F, .13F} : vec{.72F, .70F, .66F}, 0};
    }
    return found;
}

vec sky(vec direction) {
    return mix({0.78F, 0.83F, 0.90F}, {0.22F, 0.40F, 0.70F},
               std::sqrt(std::clamp(direction.y * 1.8F, 0.0F, 1.0F)));
}

// The light that comes along the ray, through at most `bounces` mirrors.
vec light(const ray& r, vec to_sun, int bounces) {
    const hit found = trace(r);
    if (std::isinf(found.distance)) return sky(r.to);
    const vec at = r.from + found.distance * r.to;
    const bool is_lit = std::ranges::none_of(spheres, [&](const sphere& s) {
        return std::isfinite(distance_to(s, {at + 1e-3F * found.normal, to_sun}));
    });
    const float facing = is_lit ? std::max(dot(found.normal, to_sun), 0.0F) : 0;
    const vec ambient =
        mix({0.11F, 0.10F, 0.09F}, {0.22F, 0.26F, 0.32F}, 0.5F + 0.5F * found.normal.y);
    vec seen = found.colour * (ambient + facing * vec{1.0F, 0.95F, 0.85F});
    if (found.gloss > 0 && bounces > 0) {
        const vec mirrored = r.to - 2 * dot(r.to, found.normal) * found.normal;
        const float grazing = std::pow(1 + std::min(dot(r.to, found.normal), 0.0F), 5.0F);
        seen = mix(seen, light({at, mirrored}, to_sun, bounces - 1), 0.05F + 0.6F * grazing);
        const float shine = std::pow(std::max(dot(mirrored, to_sun), 0.0F), 120.0F);
        if (is_lit) seen = seen + found.gloss * 3 * shine * vec{1, 1, 1};
    }
    // The farther away, the more of the sky's colour, so that the end of the plane cannot be seen.
    return mix(seen, sky({0, 0, 1}), 1 - std::exp(-found.distance * found.distance / 1600));
}

// The ray through the place (x, y), in pixels from the top left.
ray through(float x, float y) {
    constexpr float pixel = 2 * half_view / static_cast<float>(height);
    const float right = (x - static_cast<float>(width) / 2) * pixel;
    const float high = (static_cast<float>(height) / 2 - y) * pixel;
    return {{0, camera_height, 0}, normalised(forward + right * vec{1, 0, 0} + high * up)};
}

std::uint8_t as_srgb(float x) {
    const float v = std::clamp(x, 0.0F, 1.0F);
    const float curved = v <= 0.0031308F ? 12.92F * v : 1.055F * std::pow(v, 1 / 2.4F) - 0.055F;
    return static_cast<std::uint8_t>(std::lround(255 * curved));
}

std::array<std::uint8_t, 3> pixel_at(std::size_t x, std::size_t y) {
    vec sum{};
    for (int i = 0; i < places * places; ++i) {
        const auto part = [](int k) { return (static_cast<float>(k) + 0.5F) / places; };
        const float dx = part(i % places), dy = part(i / places);
        // Each place sees another part of the sun: the places go through its parts in another
        // order.
        const float a = part(i * 5 / places % places), b = part((i * 3 + i / places) % places);
        const vec to_sun = normalised(sun + 0.05F * vec{a - 0.5F, 0, b - 0.5F});
        const ray r = through(static_cast<float>(x) + dx, static_cast<float>(y) + dy);
        sum = sum + light(r, to_sun, 1);
    }
    const vec mean = (1.0F / (places * places)) * sum;
    return {as_srgb(mean.x), as_srgb(mean.y), as_srgb(mean.z)};
}

// The depth of the farthest thing in the pixel. On the outline of a sphere, a pixel also shows what
// is behind the sphere. With the sphere's depth, this background would stay as sharp as the sphere.
std::uint16_t depth_at(std::size_t x, std::size_t y) {
    float farthest = 0;
    for (const float dx : {0.0F, 0.5F, 1.0F}) {
        for (const float dy : {0.0F, 0.5F, 1.0F}) {
            const ray r = through(static_cast<float>(x) + dx, static_cast<float>(y) + dy);
            farthest = std::max(farthest, trace(r).distance * dot(r.to, forward));
        }
    }
    const float depth = std::clamp(1 - near / farthest, 0.0F, 1.0F);
    return static_cast<std::uint16_t>(std::lround(65535 * depth));
}

// Writes an image of what `pixel` returns for each place.
template <class Pixel>
void draw(const std::string& path, int channels, lookback::cli::dtype type, const Pixel& pixel) {
    lookback::cli::image picture{
        .height = height, .width = width, .channels = channels, .type = type, .samples = {}};
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            const auto value = pixel(x, y);
            std::memcpy(picture.samples.room(sizeof value), &value, sizeof value);
            picture.samples.grow(sizeof value);
        }
    }
    const lookback::cli::byte_buffer file = lookback::cli::format_png(picture, path);
    lookback::cli::output_file out(path);
    out.append({file.data(), file.size()});
    lookback::cli::output_file* const files[] = {&out};
    lookback::cli::output_file::commit(files);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: lookback_scene SCENE.png DEPTH.png\n");
        return 2;
    }
    try {
        draw(argv[1], 3, lookback::cli::dtype::uint8, pixel_at);
        draw(argv[2], 1, lookback::cli::dtype::uint16, depth_at);
    } catch (const std::exception& problem) {
        fmt::print(stderr, "lookback_scene: {}\n", problem.what());
        return 2;
    }
    return 0;
}
