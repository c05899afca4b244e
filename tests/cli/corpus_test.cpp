// The seed files of the fuzzers: files named good_* are read, files named bad_* are refused.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "error.hpp"
#include "fuzz/npz_bytes.hpp"
#include "npy.hpp"
#include "packing.hpp"
#include "png.hpp"
#include "text.hpp"

using namespace lookback::cli;
namespace fs = std::filesystem;

static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

template <class Read>
static void check_all(const std::string& kind, std::size_t least, Read&& read) {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(LOOKBACK_CORPUS) / kind)) {
        const std::string name = entry.path().filename().string();
        const std::string bytes = content(entry.path());
        SCOPED_TRACE(name);
        if (name.starts_with("good_")) {
            EXPECT_NO_THROW(read(bytes));
        } else {
            ASSERT_TRUE(name.starts_with("bad_"));
            EXPECT_THROW(read(bytes), error);
        }
        ++files;
    }
    EXPECT_GE(files, least);
}

TEST(corpus, npy) {
    check_all("npy", 50, [](const std::string& bytes) { parse_npy(bytes, "x.npy"); });
}

TEST(corpus, npz) {
    check_all("npz", 18, [](const std::string& bytes) {
        parse_npy(read_from_npz(bytes, {"x.npz", ""}), "x.npz");
    });
}

TEST(corpus, packed) {
    check_all("packed", 11, [](const std::string& bytes) {
        const auto from = make_unpacker(packing_of_bytes(bytes).value_or(packing::gzip), "x");
        auto left = std::as_bytes(std::span(bytes));
        std::array<std::byte, 100> room;
        while (from->unpack(left, room) > 0) {
        }
        if (!from->is_complete()) fail("x: truncated");
    });
}

TEST(corpus, png) {
    check_all("png", 30, [](const std::string& bytes) { read_png(bytes, "x.png"); });
}

TEST(corpus, text) {
    check_all("text", 25, [](const std::string& bytes) { parse_text(bytes, {{}, "x"}); });
}
