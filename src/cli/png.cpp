// libpng reports an error by a longjmp, which skips destructors. So only `steps` call it: functions
// that have no objects with destructors. The callbacks do not throw and have no such objects
// either. Between the steps there is plain C++.

#include "png.hpp"

#include <png.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "error.hpp"

namespace lookback::cli {
namespace {

constexpr std::size_t signature_bytes = 8;
constexpr bool is_little_endian = std::endian::native == std::endian::little;

// The most bytes of an image that one byte compressed by deflate can stand for.
constexpr std::size_t most_compression = 1032;

// What went wrong, kept where a longjmp does not lose it.
struct png_problem {
    char message[200] = "";
};

[[noreturn]] void give_up(png_structp png, png_const_charp message) {
    auto* const problem = static_cast<png_problem*>(png_get_error_ptr(png));
    std::snprintf(problem->message, sizeof problem->message, "%s", message);
    png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

// Runs a step: a function object that calls libpng and has no objects with destructors. Returns
// false if libpng has given up.
template <class Step>
bool has_run(png_structp png, const Step& step) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    step();
    return true;
}

// ---- reading

class png_reader {
 public:
    png_reader(std::string_view file, std::string_view path)
        : rest_(file),
          file_bytes_(file.size()),
          path_(path),
          png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &problem_, give_up, ignore_warning)),
          info_(png_ == nullptr ? nullptr : png_create_info_struct(png_)) {
        if (info_ != nullptr) return;
        png_destroy_read_struct(&png_, &info_, nullptr);
        throw std::bad_alloc();
    }
    png_reader(const png_reader&) = delete;
    png_reader& operator=(const png_reader&) = delete;
    ~png_reader() { png_destroy_read_struct(&png_, &info_, nullptr); }

    image read() {
        run([this] { read_header(); });
        check_size();
        run([this] { expand(); });
        image result{.height = height_,
                     .width = width_,
                     .channels = png_get_channels(png_, info_),
                     .type = png_get_bit_depth(png_, info_) == 16 ? dtype::uint16 : dtype::uint8,
                     .samples = {}};
        png_bytep const rows = reinterpret_cast<png_bytep>(result.samples.room(result.bytes()));
        result.samples.grow(result.bytes());
        run([this, rows] { read_rows(rows); });
        return result;
    }

 private:
    template <class Step>
    void run(const Step& step) {
        if (has_run(png_, step)) return;
        if (is_cut_) fail("{}: truncated: the PNG image goes on behind its end", path_);
        fail("{}: broken PNG image: {}", path_, problem_.message);
    }

    // A callback.
    static void take(png_structp png, png_bytep to, std::size_t bytes) {
        auto* const self = static_cast<png_reader*>(png_get_io_ptr(png));
        if (bytes > self->rest_.size()) {
            self->is_cut_ = true;
            png_error(png, "truncated");
        }
        std::memcpy(to, self->rest_.data(), bytes);
        self->rest_.remove_prefix(bytes);
    }

    // ---- steps
    void read_header() {
        png_set_read_fn(png_, this, take);
        png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
        png_read_info(png_, info_);
        height_ = png_get_image_height(png_, info_);
        width_ = png_get_image_width(png_, info_);
        row_bytes_ = png_get_rowbytes(png_, info_);
    }

    void expand() {
        png_set_expand(png_);  // palettes, depths below 8 bits, transparent colours
        if (is_little_endian) png_set_swap(png_);
        passes_ = png_set_interlace_handling(png_);
        png_read_update_info(png_, info_);
    }

    void read_rows(png_bytep rows) {
        const std::size_t row = png_get_rowbytes(png_, info_);
        for (int pass = 0; pass < passes_; ++pass) {
            for (std::size_t y = 0; y < height_; ++y) png_read_row(png_, rows + y * row, nullptr);
        }
        png_read_end(png_, nullptr);
    }

    // A file of a few bytes may declare an image that does not fit in any memory.
    void check_size() const {
        if (row_bytes_ <= file_bytes_ * most_compression / height_) return;
        fail("{}: truncated: {} x {} pixels are more than {} bytes of a PNG file can hold", path_,
             width_, height_, file_bytes_);
    }

    std::string_view rest_;  // the part of the file that has not been read
    std::size_t file_bytes_;
    std::string_view path_;
    png_problem problem_;
    bool is_cut_ = false;
    std::size_t height_ = 0;
    std::size_t width_ = 0;
    std::size_t row_bytes_ = 0;  // in the file
    int passes_ = 1;
    png_structp png_;
    png_infop info_;
};

// ---- writing

class png_writer {
 public:
    explicit png_writer(std::string_view path)
        : path_(path),
          png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, &problem_, give_up, ignore_warning)),
          info_(png_ == nullptr ? nullptr : png_create_info_struct(png_)) {
        if (info_ != nullptr) return;
        png_destroy_write_struct(&png_, &info_);
        throw std::bad_alloc();
    }
    png_writer(const png_writer&) = delete;
    png_writer& operator=(const png_writer&) = delete;
    ~png_writer() { png_destroy_write_struct(&png_, &info_); }

    byte_buffer write(const image& picture) {
        if (!has_run(png_, [this, &picture] { write_all(picture); })) {
            if (has_no_memory_) throw std::bad_alloc();
            fail("{}: cannot write {} x {} pixels as PNG: {}", path_, picture.width, picture.height,
                 problem_.message);
        }
        return std::move(file_);
    }

 private:
    // Callbacks. Exceptions must not go through libpng.
    static void put(png_structp png, png_bytep data, std::size_t bytes) {
        auto* const self = static_cast<png_writer*>(png_get_io_ptr(png));
        if (!self->append(data, bytes)) png_error(png, "not enough memory");
    }
    static void flush(png_structp) {}
    bool append(png_bytep data, std::size_t bytes) noexcept {
        try {
            std::memcpy(file_.room(bytes), data, bytes);
            file_.grow(bytes);
        } catch (const std::bad_alloc&) {
            has_no_memory_ = true;
        }
        return !has_no_memory_;
    }

    // A step.
    void write_all(const image& picture) {
        constexpr int color_types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                       PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
        constexpr std::size_t longest = PNG_UINT_31_MAX;
        png_set_write_fn(png_, this, put, flush);
        png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
        if (std::max(picture.width, picture.height) > longest) png_error(png_, "too large");
        const int depth = picture.type == dtype::uint16 ? 16 : 8;
        png_set_IHDR(png_, info_, static_cast<png_uint_32>(picture.width),
                     static_cast<png_uint_32>(picture.height), depth,
                     color_types[picture.channels - 1], PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        png_write_info(png_, info_);
        if (is_little_endian && depth == 16) png_set_swap(png_);
        const std::size_t row = picture.bytes() / picture.height;
        const auto* const rows = reinterpret_cast<png_const_bytep>(picture.samples.data());
        for (std::size_t y = 0; y < picture.height; ++y) png_write_row(png_, rows + y * row);
        png_write_end(png_, info_);
    }

    std::string_view path_;
    png_problem problem_;
    bool has_no_memory_ = false;
    byte_buffer file_;
    png_structp png_;
    png_infop info_;
};

}  // namespace

image read_png(std::string_view file, std::string_view path) {
    constexpr std::string_view signature("\x89PNG\r\n\x1a\n", signature_bytes);
    if (file.empty()) fail("{}: the file is empty; expected a PNG image", path);
    if (!file.starts_with(signature)) {
        fail("{}: not a PNG file: it begins with {}", path,
             quoted(file.substr(0, signature_bytes)));
    }
    return png_reader(file, path).read();
}

byte_buffer format_png(const image& picture, std::string_view path) {
    return png_writer(path).write(picture);
}

}  // namespace lookback::cli
