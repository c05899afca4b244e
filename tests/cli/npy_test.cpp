// .npy headers: what is read and written, and the errors for broken ones.

#include "npy.hpp"

#include <gtest/gtest.h>

#include <string>

#include "error.hpp"

using namespace lookback::cli;
using shape_t = std::vector<std::size_t>;

static std::string file_with(const std::string& dictionary, std::size_t data_bytes) {
    std::string file = "\x93NUMPY";
    file += {1, 0, static_cast<char>(dictionary.size()), 0};
    return file + dictionary + std::string(data_bytes, '\0');
}

static std::string message(const std::string& file) {
    try {
        parse_npy(file, "x.npy");
    } catch (const error& problem) {
        return problem.what();
    }
    return "no error";
}

TEST(npy, reads_what_it_writes) {
    for (const dtype_entry& e : dtypes) {
        for (const shape_t& shape :
             {shape_t{}, shape_t{0}, shape_t{7}, shape_t{2, 0, 3}, shape_t{2, 3}}) {
            std::size_t items = 1;
            for (const std::size_t size : shape) items *= size;
            const std::string header = format_npy_header(e.type, shape);
            EXPECT_EQ(header.size() % 64, 0u);
            const npy_header read = parse_npy(header + std::string(items * e.size, 'x'), "x.npy");
            EXPECT_EQ(read.type, e.type);
            EXPECT_EQ(read.shape, shape);
            EXPECT_EQ(read.items, items);
            EXPECT_EQ(read.data_offset, header.size());
        }
    }
}

TEST(npy, writes_long_headers) {
    const shape_t shape(64, 1);
    const std::string file = format_npy_header(dtype::int8, shape) + "x";
    EXPECT_EQ(parse_npy(file, "x.npy").shape, shape);
}

TEST(npy, writes_as_numpy_does) {
    const std::string header = format_npy_header(dtype::int32, shape_t{3});
    EXPECT_EQ(header.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
    EXPECT_EQ(header.substr(10, 61),
              "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }    ");
    EXPECT_EQ(header.size(), 128u);
    EXPECT_EQ(header.back(), '\n');
}

// The room that is left for the header before the length is known.
TEST(npy, header_of_one_dimension_has_one_size) {
    for (const dtype type : {dtype::uint8, dtype::float64}) {
        for (const std::size_t length : {std::size_t{0}, std::size_t{10}, ~std::size_t{0}}) {
            EXPECT_EQ(format_npy_header(type, {&length, 1}).size(), 128u);
        }
    }
}

TEST(npy, says_what_is_wrong_and_where) {
    EXPECT_EQ(message(""), "x.npy: the file is empty; expected a NumPy array");
    EXPECT_EQ(message("PK\x03\x04...."),
              "x.npy: not a NumPy file: it begins with 'PK\\x03\\x04..'");
    EXPECT_EQ(message("\x93NUMPY"), "x.npy: truncated: the header takes 8 bytes, the file holds 6");
    EXPECT_EQ(message(file_with("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", 11)),
              "x.npy: truncated: shape (3) of int32 takes 12 bytes, the file holds 11");
    EXPECT_EQ(message(file_with("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", 13)),
              "x.npy: too long: shape (3) of int32 takes 12 bytes, the file holds 13");
    EXPECT_EQ(message(file_with("{'descr': '<i4', 'fortran_order': No", 0)),
              "x.npy: broken .npy header at byte 44: expected True or False, found 'No'");
    EXPECT_EQ(message(file_with("{'shape': (3)", 0)),
              "x.npy: broken .npy header at byte 22: expected ',', found ')'");
}

TEST(npy, reads_types_that_are_computed_with_as_others) {
    const auto type_of = [](const std::string& descr, const std::string& order, std::size_t bytes) {
        return parse_npy(file_with("{'descr': '" + descr + "', 'fortran_order': " + order +
                                       ", 'shape': (2, 1), }",
                                   bytes),
                         "x.npy");
    };
    EXPECT_EQ(type_of("|b1", "False", 2).type, boolean);
    EXPECT_EQ(type_of("<f2", "False", 4).type, float16);
    EXPECT_EQ(type_of(">i4", "True", 8).type, element(dtype::int32, encoding::plain, true));
    EXPECT_TRUE(type_of(">i4", "True", 8).is_fortran);
}

TEST(npy, names_types_that_cannot_be_scanned) {
    const auto with_type_of = [](const std::string& descr) {
        return message(
            file_with("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (1,), }", 16));
    };
    EXPECT_NE(with_type_of("|O").find("Python objects"), std::string::npos);
    EXPECT_NE(with_type_of("<c8").find("unknown type (dtype '<c8')"), std::string::npos);
    EXPECT_NE(with_type_of("").find("unknown type (dtype '')"), std::string::npos);
}
