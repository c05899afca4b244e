/// \file
/// The commands of the program.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace lookback::cli {

/// Bytes of a window. It has several tiles for each core, and two windows of results still fit the
/// caches.
inline constexpr std::size_t usual_window = std::size_t{4} << 20;

/// Arguments as they were given: those that all commands on arrays share.
struct array_arguments {
    std::string in;
    std::optional<std::string> out;
    std::optional<std::string> dtype;
    std::optional<std::string> column;
    std::optional<std::string> delimiter;
    std::optional<std::string> format;
    std::optional<std::string> threads;
    std::optional<std::string> window;
    std::optional<std::string> device;
    bool wants_json = false;
};

struct scan_arguments : array_arguments {
    std::optional<std::string> op;
    std::optional<std::string> init;
    std::optional<std::string> axis;
    std::optional<std::string> by_key;
    std::optional<std::string> segments;
    std::optional<std::string> key_dtype;
    std::optional<std::string> key_column;
    std::optional<std::string> out_dtype;
    std::optional<std::string> strategy;
    bool is_promoted = false;
    bool is_exclusive = false;
    bool is_backward = false;
};

/// Of select and partition. Exactly one of `where` and `mask` is given.
struct where_arguments : array_arguments {
    std::optional<std::string> where;
    std::optional<std::string> mask;
    std::optional<std::string> rest;     ///< of partition
    std::optional<std::string> indices;  ///< of select
};

struct rle_arguments : array_arguments {
    std::optional<std::string> lengths;
};

/// `in` has the keys, or, with by_key, the values that are moved with them.
struct sort_arguments : array_arguments {
    std::optional<std::string> by_key;
    std::optional<std::string> key_dtype;
    std::optional<std::string> key_column;
    std::optional<std::string> keys_out;
    bool is_descending = false;
    bool wants_order = false;
};

/// Of reduce.
struct fold_arguments : array_arguments {
    std::optional<std::string> op;
    std::optional<std::string> out_dtype;
    bool is_promoted = false;
};

/// Of reduce-by-key: `in` has the values, and `out` is where the keys go.
struct reduce_arguments : fold_arguments {
    std::string keys;
    std::optional<std::string> key_dtype;
    std::optional<std::string> key_column;
    std::optional<std::string> values_out;
};

/// Of sat: an array of images, or a PNG file.
struct sat_arguments : array_arguments {
    std::optional<std::string> squares;
    std::optional<std::string> out_dtype;
    bool is_exclusive = false;
    bool has_channels = false;
    bool is_stack = false;
};

/// What the commands share that make one PNG file from another.
struct picture_arguments {
    std::string in;
    std::string out;
    std::optional<std::string> threads;
    std::optional<std::string> device;
    bool wants_json = false;
};

struct blur_arguments : picture_arguments {
    std::string radius;  ///< a number, or *.npy
    std::optional<std::string> border;
};

struct dof_arguments : picture_arguments {
    std::string depth;
    std::string focus;
    std::string aperture;
    bool keeps_sharp_apart = false;
};

struct network_arguments {
    std::string name;
    std::string inputs;
    std::optional<std::string> out;
};

struct manual_arguments {
    std::string kind;
};

/// All commands throw `error`.
void run_scan(const scan_arguments& arguments);
void run_select(const where_arguments& arguments);
void run_partition(const where_arguments& arguments);
void run_unique(const array_arguments& arguments);
void run_rle(const rle_arguments& arguments);
void run_reduce(const fold_arguments& arguments);
void run_reduce_by_key(const reduce_arguments& arguments);
void run_sort(const sort_arguments& arguments);
void run_sat(const sat_arguments& arguments);
void run_blur(const blur_arguments& arguments);
void run_dof(const dof_arguments& arguments);
void run_network(const network_arguments& arguments);
void run_strategies();
void run_info();

/// Writes the whole text to standard output.
void print(const std::string& text);

}  // namespace lookback::cli
