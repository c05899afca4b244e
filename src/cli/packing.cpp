#include "packing.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>

#include "error.hpp"
#include "npz.hpp"

namespace lookback::cli {
namespace {

constexpr std::size_t piece = std::size_t{128} << 10;

// zlib counts bytes in 32 bits.
uInt at_most(std::size_t bytes) {
    return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

// What was deflated. Other classes say what is around it.
class inflating_unpacker : public unpacker {
 public:
    inflating_unpacker(const std::string& name, int window_bits) : name_(name) {
        if (inflateInit2(&state_, window_bits) != Z_OK) throw std::bad_alloc();
    }
    inflating_unpacker(const inflating_unpacker&) = delete;
    inflating_unpacker& operator=(const inflating_unpacker&) = delete;
    ~inflating_unpacker() override { inflateEnd(&state_); }

    std::size_t unpack(std::span<const std::byte>& in, std::span<std::byte> room) override {
        std::size_t made = 0;
        while (made < room.size()) {
            if (is_complete_) {
                go_on_behind_end(in);
                if (in.empty()) break;
                inflateReset(&state_);
                is_complete_ = false;
            }
            state_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
            state_.avail_in = at_most(in.size());
            state_.next_out = reinterpret_cast<Bytef*>(room.data() + made);
            state_.avail_out = at_most(room.size() - made);
            const uInt had_in = state_.avail_in, had_out = state_.avail_out;
            const int found = inflate(&state_, Z_NO_FLUSH);
            in = in.subspan(had_in - state_.avail_in);
            const std::size_t some = had_out - state_.avail_out;
            look_at(room.subspan(made, some));
            made += some;
            if (found == Z_STREAM_END) {
                is_complete_ = true;
                check_end();
            } else if (found == Z_BUF_ERROR) {
                break;  // it needs more
            } else if (found != Z_OK) {
                fail_as_damaged(state_.msg != nullptr ? state_.msg : "not enough memory");
            }
        }
        return made;
    }
    bool is_complete() const override { return is_complete_; }

 protected:
    const std::string& name() const { return name_; }

 private:
    /// Takes away from `in` what may follow, and is not data; throws for what may not.
    virtual void go_on_behind_end(std::span<const std::byte>& in) = 0;
    virtual void look_at(std::span<const std::byte> /*made*/) {}
    virtual void check_end() {}
    [[noreturn]] virtual void fail_as_damaged(const char* why) = 0;

    std::string name_;
    z_stream state_{};
    bool is_complete_ = false;
};

class gzip_unpacker final : public inflating_unpacker {
 public:
    explicit gzip_unpacker(const std::string& name) : inflating_unpacker(name, 16 + MAX_WBITS) {}

 private:
    // Another such file, or zeros to the end.
    void go_on_behind_end(std::span<const std::byte>& in) override {
        if (in.empty() || (!is_padded_ && in.front() != std::byte{})) return;
        is_padded_ = true;
        const auto not_zero = [](std::byte b) { return b != std::byte{}; };
        if (std::find_if(in.begin(), in.end(), not_zero) != in.end()) {
            fail("{}: damaged: there is more than zeros behind its end", name());
        }
        in = {};
    }
    [[noreturn]] void fail_as_damaged(const char* why) override {
        fail("{}: damaged, or not gzip: {}", name(), why);
    }

    bool is_padded_ = false;
};

class member_unpacker final : public inflating_unpacker {
 public:
    member_unpacker(const zip_member& member, const std::string& name)
        : inflating_unpacker(name, -MAX_WBITS), member_(member) {}

 private:
    void go_on_behind_end(std::span<const std::byte>& in) override {
        if (!in.empty()) fail_as_damaged("it ends before its end");
    }
    void look_at(std::span<const std::byte> made) override {
        crc_ = crc32_z(crc_, reinterpret_cast<const Bytef*>(made.data()), made.size());
        bytes_ += made.size();
    }
    void check_end() override {
        if (bytes_ != member_.bytes) fail_as_damaged("its size is another");
        if (crc_ != member_.crc) fail_as_damaged("its checksum does not match");
    }
    [[noreturn]] void fail_as_damaged(const char* why) override {
        fail("{}: damaged: {}", name(), why);
    }

    zip_member member_;
    unsigned long crc_ = 0;
    std::uint64_t bytes_ = 0;
};

class zstd_unpacker final : public unpacker {
 public:
    explicit zstd_unpacker(const std::string& name) : name_(name), state_(ZSTD_createDStream()) {
        if (!state_) throw std::bad_alloc();
    }

    std::size_t unpack(std::span<const std::byte>& in, std::span<std::byte> room) override {
        ZSTD_outBuffer to{room.data(), room.size(), 0};
        while (to.pos < to.size) {
            if (is_complete_ && in.empty()) break;
            const std::size_t had = to.pos;
            ZSTD_inBuffer from{in.data(), in.size(), 0};
            const std::size_t left = ZSTD_decompressStream(state_.get(), &to, &from);
            if (ZSTD_isError(left)) {
                fail("{}: damaged, or not Zstandard: {}", name_, ZSTD_getErrorName(left));
            }
            in = in.subspan(from.pos);
            is_complete_ = left == 0;
            if (from.pos == 0 && to.pos == had) break;  // it needs more
        }
        return to.pos;
    }
    bool is_complete() const override { return is_complete_; }

 private:
    struct free_state {
        void operator()(ZSTD_DStream* state) const { ZSTD_freeDStream(state); }
    };
    std::string name_;
    std::unique_ptr<ZSTD_DStream, free_state> state_;
    bool is_complete_ = false;
};

class gzip_packer final : public packer {
 public:
    gzip_packer() {
        constexpr int gzip = 16, memory = 8;  // zlib's default
        if (deflateInit2(&state_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip + MAX_WBITS, memory,
                         Z_DEFAULT_STRATEGY) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    gzip_packer(const gzip_packer&) = delete;
    gzip_packer& operator=(const gzip_packer&) = delete;
    ~gzip_packer() override { deflateEnd(&state_); }

    void pack(std::span<const std::byte> data, bool is_end, byte_buffer& to) override {
        for (;;) {
            state_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(data.data()));
            state_.avail_in = at_most(data.size());
            state_.next_out = reinterpret_cast<Bytef*>(to.room(piece));
            state_.avail_out = piece;
            const uInt had = state_.avail_in;
            const int found = deflate(&state_, is_end ? Z_FINISH : Z_NO_FLUSH);
            data = data.subspan(had - state_.avail_in);
            to.grow(piece - state_.avail_out);
            if (is_end ? found == Z_STREAM_END : data.empty() && state_.avail_out > 0) return;
        }
    }

 private:
    z_stream state_{};
};

class zstd_packer final : public packer {
 public:
    zstd_packer() : state_(ZSTD_createCStream()) {
        if (!state_) throw std::bad_alloc();
        ZSTD_CCtx_setParameter(state_.get(), ZSTD_c_checksumFlag, 1);
    }

    void pack(std::span<const std::byte> data, bool is_end, byte_buffer& to) override {
        ZSTD_inBuffer from{data.data(), data.size(), 0};
        for (;;) {
            ZSTD_outBuffer room{to.room(piece), piece, 0};
            const std::size_t left = ZSTD_compressStream2(state_.get(), &room, &from,
                                                          is_end ? ZSTD_e_end : ZSTD_e_continue);
            if (ZSTD_isError(left)) fail("Zstandard: {}", ZSTD_getErrorName(left));
            to.grow(room.pos);
            if (is_end ? left == 0 : from.pos == from.size) return;
        }
    }

 private:
    struct free_state {
        void operator()(ZSTD_CStream* state) const { ZSTD_freeCStream(state); }
    };
    std::unique_ptr<ZSTD_CStream, free_state> state_;
};

}  // namespace

std::optional<packing> packing_of(std::string_view path) {
    if (npz_of(path)) return std::nullopt;  // an array may have any name
    if (path.ends_with(".gz")) return packing::gzip;
    if (path.ends_with(".zst")) return packing::zstd;
    return std::nullopt;
}

std::string_view unpacked_name(std::string_view path) {
    const auto as = packing_of(path);
    if (as) path.remove_suffix(as == packing::gzip ? 3 : 4);
    return path;
}

std::optional<packing> packing_of_bytes(std::string_view beginning) {
    if (beginning.starts_with("\x1f\x8b")) return packing::gzip;
    if (beginning.starts_with("\x28\xb5\x2f\xfd")) return packing::zstd;
    return std::nullopt;
}

std::unique_ptr<unpacker> make_unpacker(packing as, const std::string& name) {
    if (as == packing::gzip) return std::make_unique<gzip_unpacker>(name);
    return std::make_unique<zstd_unpacker>(name);
}

std::unique_ptr<unpacker> make_unpacker(const zip_member& member, const std::string& name) {
    return std::make_unique<member_unpacker>(member, name);
}

std::unique_ptr<packer> make_packer(packing as) {
    if (as == packing::gzip) return std::make_unique<gzip_packer>();
    return std::make_unique<zstd_packer>();
}

}  // namespace lookback::cli
