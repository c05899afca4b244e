// Temporary files: nothing is left of them, and they lie in the right directory.

#include "temporary_file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "error.hpp"

using namespace lookback::cli;
namespace fs = std::filesystem;

class temporary_file_in : public testing::Test {
 protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "lookback-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        directory = name;
    }
    void TearDown() override { fs::remove_all(directory); }

    static std::span<const std::byte> bytes(const std::string& text) {
        return std::as_bytes(std::span(text));
    }

    fs::path directory;
};

TEST_F(temporary_file_in, is_read_as_it_was_written) {
    temporary_file file(directory);
    file.write_at(3, bytes("defg"));
    file.write_at(0, bytes("abc"));
    EXPECT_TRUE(fs::is_empty(directory));
    std::string back(5, ' ');
    file.expect(1, 100);
    file.read_at(1, std::as_writable_bytes(std::span(back)));
    EXPECT_EQ(back, "bcdef");
    EXPECT_THROW(file.read_at(3, std::as_writable_bytes(std::span(back))), error);
}

TEST_F(temporary_file_in, no_directory_is_an_error) {
    try {
        temporary_file file((directory / "no").string());
        FAIL();
    } catch (const error& problem) {
        EXPECT_EQ(std::string(problem.what()), "temporary file in the directory " +
                                                   (directory / "no").string() +
                                                   ": cannot write: No such file or directory");
    }
}

TEST_F(temporary_file_in, is_beside_what_is_written) {
    const std::string place = directory.string();
    EXPECT_EQ(directory_for("x.npy"), ".");
    EXPECT_EQ(directory_for(place + "/x.npy"), place);
    std::ofstream(place + "/there.npy") << "data";
    EXPECT_EQ(directory_for(place + "/there.npy"), place);
    fs::create_directory(directory / "links");
    fs::create_symlink(place + "/there.npy", place + "/links/x.npy");
    EXPECT_EQ(directory_for(place + "/links/x.npy"), place);
}

TEST_F(temporary_file_in, is_in_the_systems_place_for_what_is_not_a_file) {
    setenv("TMPDIR", "/some", 1);
    for (const char* const path : {"-", "/dev/stdout", "/dev/null"}) {
        EXPECT_EQ(directory_for(path), "/some");
    }
    unsetenv("TMPDIR");
    EXPECT_EQ(directory_for("-"), "/tmp");
}
