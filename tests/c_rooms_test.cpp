// What lookback/c.h does with the caller's room for calls on a GPU. The table's functions for GPUs
// are replaced here by some that say what they were given.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "lookback/c.h"
#include "table/device/device_arrays.hpp"

namespace {

constexpr std::size_t need = 24;
const void* const nothing = &need;  // no call sets it
const void* used = nothing;         // the room of the last call

}  // namespace

namespace lookback::on_device {

void check_device(const place&) {}
std::size_t bytes_of(item_type) { return 4; }
void scan_axis(const place&, item_type, operation, const void*, const axis_extents&, item_type,
               void*) {}
void scan_from(const place&, item_type, operation, bool, const void*, std::size_t, const void*,
               void*) {}
void linear_recurrence(const place&, item_type, const void*, const void*, std::size_t, std::size_t,
                       void*) {}
void run_length_encode(const place&, item_type, const void*, std::size_t, void*, std::int64_t*,
                       std::int64_t*) {}
void sort(const place&, item_type, const void*, std::size_t, void*, bool) {}
void select_flagged(const place&, std::size_t, const void*, std::size_t, const std::uint8_t*, void*,
                    std::int64_t*) {}
std::size_t segment_folds_room(std::size_t, std::size_t) { return need; }
void fold_segments(const place&, item_type, operation, const void*, std::size_t,
                   const std::int64_t*, std::size_t, void*, void* room) {
    used = room;
}
std::size_t sort_order_room(std::size_t) { return need; }
void sort_order(const place&, item_type, const void*, std::size_t, std::int64_t*, bool,
                void* room) {
    used = room;
}

}  // namespace lookback::on_device

namespace {

class rooms : public testing::Test {
 protected:
    rooms() { EXPECT_EQ(lookback_create(&lb), LOOKBACK_OK); }
    ~rooms() override { lookback_destroy(lb); }

    lookback_handle* lb = nullptr;
    std::array<std::int32_t, 2> x{1, 0};
    std::array<std::int64_t, 2> offsets{0, 2};
    std::array<std::int64_t, 2> order{};
    alignas(8) std::array<std::byte, need + 8> room{};

    // Each of the calls that take room.
    template <class Check>
    void each(void* given, std::size_t bytes, const Check& check) {
        used = nothing;
        check(lookback_reduce_segments(lb, LOOKBACK_INT32, LOOKBACK_SUM, x.data(), 2,
                                       offsets.data(), 1, x.data(), given, bytes));
        used = nothing;
        check(lookback_sort_order(lb, LOOKBACK_INT32, x.data(), 2, 0, order.data(), given, bytes));
    }

    void expect_sizes(std::size_t expected) {
        std::size_t bytes = 1;
        EXPECT_EQ(lookback_reduce_segments_room(lb, 2, 1, &bytes), LOOKBACK_OK);
        EXPECT_EQ(bytes, expected);
        bytes = 1;
        EXPECT_EQ(lookback_sort_order_room(lb, 2, &bytes), LOOKBACK_OK);
        EXPECT_EQ(bytes, expected);
    }
};

TEST_F(rooms, go_to_the_gpu) {
    ASSERT_EQ(lookback_set_device(lb, 0, nullptr), LOOKBACK_OK);
    expect_sizes(need);
    each(room.data(), need, [&](lookback_status status) {
        EXPECT_EQ(status, LOOKBACK_OK) << lookback_message(lb);
        EXPECT_EQ(used, room.data());
    });
    each(nullptr, 0, [&](lookback_status status) {
        EXPECT_EQ(status, LOOKBACK_OK) << lookback_message(lb);
        EXPECT_EQ(used, nullptr);
    });
}

TEST_F(rooms, that_are_too_small_are_refused) {
    ASSERT_EQ(lookback_set_device(lb, 0, nullptr), LOOKBACK_OK);
    each(room.data(), need - 1, [&](lookback_status status) {
        EXPECT_EQ(status, LOOKBACK_WRONG_ARGUMENT);
        EXPECT_STREQ(lookback_message(lb), "lookback: room_bytes is 23; expected at least 24");
        EXPECT_EQ(used, nothing);
    });
    each(room.data() + 4, need, [&](lookback_status status) {
        EXPECT_EQ(status, LOOKBACK_WRONG_ARGUMENT);
        EXPECT_NE(std::string(lookback_message(lb)).find("8 bytes"), std::string::npos);
        EXPECT_EQ(used, nothing);
    });
    EXPECT_EQ(lookback_sort_order_room(lb, 2, nullptr), LOOKBACK_WRONG_ARGUMENT);
}

TEST_F(rooms, are_not_used_by_cores) {
    expect_sizes(0);
    each(nullptr, 0, [&](lookback_status status) { EXPECT_EQ(status, LOOKBACK_OK); });
    EXPECT_EQ(used, nothing);
}

}  // namespace
