// Output files appear as a whole or not at all.

#include "output_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "error.hpp"

using namespace lookback::cli;
namespace fs = std::filesystem;

static void commit(output_file& file) {
    output_file* const files[] = {&file};
    output_file::commit(files);
}

class output_file_in : public testing::Test {
 protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "lookback-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        directory = name;
    }
    void TearDown() override { fs::remove_all(directory); }

    std::string in_directory(const std::string& name) const { return (directory / name).string(); }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory), {}));
    }
    static std::string content(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    static void put(const std::string& path, const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
    }
    static std::span<const std::byte> bytes(const std::string& text) {
        return std::as_bytes(std::span(text));
    }

    fs::path directory;
};

TEST_F(output_file_in, appears_on_commit) {
    const std::string path = in_directory("x");
    {
        output_file file(path);
        EXPECT_FALSE(file.is_sequential());
        file.write_at(3, bytes("def"));
        file.write_at(0, bytes("abc"));
        EXPECT_FALSE(fs::exists(path));
        EXPECT_EQ(files(), 1u);
        commit(file);
    }
    EXPECT_EQ(content(path), "abcdef");
    EXPECT_EQ(files(), 1u);
}

TEST_F(output_file_in, leaves_the_target_alone_without_commit) {
    const std::string path = in_directory("x");
    put(path, "old");
    { output_file(path).append(bytes("new")); }
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(files(), 1u);
}

TEST_F(output_file_in, keeps_permissions) {
    const std::string path = in_directory("x");
    for (const mode_t mode : {0600U, 0640U, 0755U}) {
        put(path, "old");
        ASSERT_EQ(chmod(path.c_str(), mode), 0);
        output_file file(path);
        file.append(bytes("new"));
        commit(file);
        struct stat status {};
        ASSERT_EQ(stat(path.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777U, mode);
        EXPECT_EQ(content(path), "new");
    }
}

TEST_F(output_file_in, gives_new_files_the_usual_permissions) {
    const mode_t old_mask = umask(027);
    output_file file(in_directory("x"));
    commit(file);
    umask(old_mask);
    struct stat status {};
    ASSERT_EQ(stat(in_directory("x").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0640U);
}

TEST_F(output_file_in, replaces_what_a_link_points_to) {
    fs::create_directory(directory / "there");
    put(in_directory("there/x"), "old");
    fs::create_symlink("there/x", directory / "link");
    fs::create_symlink("link", directory / "link2");
    fs::create_symlink("there/y", directory / "dangling");
    for (const std::string name : {"link2", "dangling"}) {
        output_file file(in_directory(name));
        file.append(bytes("new"));
        commit(file);
        EXPECT_TRUE(fs::is_symlink(directory / name));
        EXPECT_EQ(content(in_directory(name)), "new");
    }
    EXPECT_EQ(content(in_directory("there/x")), "new");
}

TEST_F(output_file_in, does_not_take_another_ones_temporary_file) {
    const std::string taken = ".lookback-" + std::to_string(getpid()) + "-0.tmp";
    put(in_directory(taken), "other");
    output_file file(in_directory("x"));
    file.append(bytes("new"));
    commit(file);
    EXPECT_EQ(content(in_directory(taken)), "other");
    EXPECT_EQ(content(in_directory("x")), "new");
}

TEST_F(output_file_in, refuses_what_cannot_be_written) {
    const auto message = [&](const std::string& path) -> std::string {
        try {
            output_file file(path);
            file.append(bytes("x"));
            commit(file);
        } catch (const error& problem) {
            return problem.what();
        }
        return "no error";
    };
    const std::string d = directory.string();
    EXPECT_EQ(message(d), d + ": is a directory; expected a file");
    EXPECT_EQ(message(d + "/no/x"), d + "/no/x: cannot write: No such file or directory");
    fs::create_symlink("loop", directory / "loop");
    EXPECT_EQ(message(d + "/loop"), d + "/loop: cannot write: Too many levels of symbolic links");
    EXPECT_EQ(message("/dev/full"), "/dev/full: cannot write: No space left on device");
    EXPECT_EQ(message("/dev/null"), "no error");
}

TEST_F(output_file_in, fails_where_the_target_became_a_directory) {
    const std::string path = in_directory("x");
    {
        output_file file(path);
        fs::create_directory(path);
        EXPECT_THROW(commit(file), error);
    }
    EXPECT_EQ(files(), 1u);
}

TEST_F(output_file_in, appears_with_others) {
    const std::string x = in_directory("x"), y = in_directory("y");
    put(x, "old");
    {
        output_file first(x), second(y);
        first.append(bytes("new"));
        second.append(bytes("two"));
        EXPECT_EQ(files(), 3u);
        output_file* const both[] = {&first, &second};
        output_file::commit(both);
        EXPECT_EQ(content(x), "new");
        EXPECT_EQ(content(y), "two");
    }
    EXPECT_EQ(files(), 2u);
}

TEST_F(output_file_in, leaves_its_target_alone_where_another_fails) {
    const std::string path = in_directory("x");
    put(path, "old");
    {
        output_file file(path);
        file.append(bytes("new"));
        EXPECT_THROW(output_file(in_directory("no/y")), error);
        output_file full("/dev/full");
        EXPECT_THROW(full.append(bytes("new")), error);
        EXPECT_EQ(files(), 2u);
    }
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(files(), 1u);
}
