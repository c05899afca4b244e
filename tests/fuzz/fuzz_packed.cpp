// Any bytes give a packed file, or a one-line error. And any bytes, packed and unpacked in pieces
// of any size, come back unchanged.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "packing.hpp"

using namespace lookback::cli;

static void require(bool holds) {
    if (!holds) std::abort();
}

// Unpacks at most 1 MiB, because a few bytes may become many.
static std::vector<std::byte> unpack(packing as, std::span<const std::byte> packed,
                                     std::size_t piece) {
    constexpr std::size_t most = std::size_t{1} << 20;
    const auto from = make_unpacker(as, "x");
    std::vector<std::byte> all;
    std::vector<std::byte> room(piece);
    std::span<const std::byte> left;
    while (all.size() < most) {
        const std::size_t made = from->unpack(left, room);
        all.insert(all.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(made));
        if (made > 0) continue;
        require(left.empty());
        if (packed.empty()) break;
        left = packed.first(std::min(piece, packed.size()));
        packed = packed.subspan(left.size());
    }
    return all;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    for (const packing as : {packing::gzip, packing::zstd}) {
        try {
            unpack(as, bytes, 1000);
        } catch (const error& problem) {
            require(std::string_view(problem.what()).starts_with("x: damaged"));
            require(std::string_view(problem.what()).find('\n') == std::string_view::npos);
        }
        byte_buffer packed;
        const auto to = make_packer(as);
        const std::size_t half = size / 2;
        to->pack(bytes.first(half), false, packed);
        to->pack(bytes.subspan(half), false, packed);
        to->pack({}, true, packed);
        const auto again = unpack(as, {packed.data(), packed.size()}, 1 + size % 100);
        require(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()) ||
                again.size() >= std::size_t{1} << 20);
    }
    return 0;
}
