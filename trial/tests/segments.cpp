// Scans of segments on trial: by key, by flags, by offsets and of rows, with every driver.
#include "support/segments.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>

#include "lookback/axis_scan.hpp"
#include "lookback/segmented.hpp"
#include "tests/call_cases.hpp"

namespace lookback::trial {
namespace {

using detail::device::segmented_tile_items;

enum class form { by_key, by_flags, by_offsets, in_rows };

/// Scans of items in values of type V. One K for each item tells the segments.
template <form how, class V, class K, class Op, class Item>
class segments_trial {
 public:
    segments_trial(case_choices& choices, Op op) : choices_(choices), op_(op) {}

    void run() {
        using status = std::conditional_t<how == form::in_rows, V, segment_value<V>>;
        calls_by_one_driver<status>(choices_, [&] { return prepare(); });
    }

 private:
    struct call {
        std::vector<Item> items;
        std::vector<V> want;
        std::vector<K> marks;  // keys or flags
        std::unique_ptr<gpu_array<Item>> in;
        std::unique_ptr<gpu_array<V>> out;  // none: in place
        std::unique_ptr<gpu_array<K>> of_marks;
        std::unique_ptr<gpu_array<std::int64_t>> offsets;
        std::unique_ptr<gpu_array<std::uint64_t>> count;
        std::uint64_t n, length;
        bool exclusive, counted, backward;
        V init;
    };

    pending_call prepare() {
        constexpr std::uint64_t tile =
            how == form::in_rows ? detail::device::large_tile_items<V> : segmented_tile_items<K, V>;
        auto c = std::make_shared<call>();
        // Sometimes rows are longer than a batch of tiles.
        c->n = choices_.size_around(tile, how == form::in_rows && choices_.one_in(5) ? 80 : 5);
        // `mean`: the average length of segments. Sometimes one segment has all items.
        const std::uint64_t mean = choices_.said(
            "length", choices_.of<std::uint64_t>({1, 2, 10, 19, 20, 21, 39, 40, 41, 79, 80, 81, 300,
                                                  1001, tile, tile + 1, 4 * tile, 35 * tile + 7}));
        c->length = mean;
        if (how == form::in_rows) c->n -= c->n % mean;
        c->backward = how == form::in_rows && choices_.said("backward", choices_.one_in(4));
        std::vector<bool> heads(c->n);
        std::vector<std::int64_t> offsets(choices_.between(1, 2));
        K mark{};
        for (std::uint64_t i = 0; i < c->n; ++i) {
            heads[i] = i == 0 || (how == form::in_rows ? i % mean == 0 : choices_.one_in(mean));
            if (how == form::by_key && heads[i]) ++mark;
            if (how == form::by_flags) {
                mark = static_cast<K>(heads[i] && i > 0 ? 1U << choices_.below(8) : 0U);
            }
            c->marks.push_back(mark);
            if (heads[i]) {
                offsets.insert(offsets.end(), choices_.between(1, 2), static_cast<std::int64_t>(i));
            }
        }
        offsets.insert(offsets.end(), choices_.between(1, 2), static_cast<std::int64_t>(c->n));

        c->exclusive = how == form::in_rows ? c->backward != exclusive_forward
                                            : choices_.said("exclusive", choices_.coin());
        c->items = test::random_values<Item>(c->n, choices_.bits());
        c->init = test::random_values<V>(2, choices_.bits())[1];
        const std::optional<V> before =
            c->exclusive ? std::optional<V>(c->init) : std::optional<V>();
        std::vector<V> in_order(c->items.begin(), c->items.end());
        if (c->backward) std::reverse(in_order.begin(), in_order.end());
        c->want = test::sequential<V>(in_order, heads, before, c->exclusive, op_);
        if (c->backward) std::reverse(c->want.begin(), c->want.end());

        // The arrays have room for more items if the count is in device memory.
        c->counted = how != form::in_rows && choices_.said("counted", choices_.coin());
        const std::uint64_t room = c->counted ? c->n + choices_.below(2 * tile) : c->n;
        // Each array at any place of a cache line, or all on boundaries of 16 bytes.
        const bool aligned = choices_.one_in(4);
        const auto shift = [&]<class T>(T) {
            return choices_.said("shift", aligned ? 0 : choices_.below(128 / sizeof(T)));
        };
        c->in = std::make_unique<gpu_array<Item>>(room, shift(Item{}));
        c->in->set(c->items);
        if (!std::is_same_v<V, Item> || !choices_.said("in place", choices_.coin())) {
            c->out = std::make_unique<gpu_array<V>>(room, shift(V{}));
        }
        c->of_marks = std::make_unique<gpu_array<K>>(room, shift(K{}));
        c->of_marks->set(c->marks);
        c->offsets = std::make_unique<gpu_array<std::int64_t>>(offsets, 1);
        c->count = std::make_unique<gpu_array<std::uint64_t>>(std::vector<std::uint64_t>{c->n});
        return {[this, c](lookback::gpu& gpu) { start(gpu, *c); }, [this, c] { check(*c); }};
    }

    void start(lookback::gpu& gpu, call& c) {
        const Item* const in = c.in->data();
        V* const out = results(c).data();
        const K* const marks = c.of_marks->data();
        const count_at<std::uint64_t> count{c.count->data(), c.in->items()};
        if constexpr (how == form::by_key) {
            if (c.counted) {
                by_key(gpu, c, marks, count, in, out);
            } else {
                by_key(gpu, c, marks, marks + c.n, in, out);
            }
        } else if constexpr (how == form::in_rows) {
            if (c.backward) {
                const auto n = static_cast<std::ptrdiff_t>(c.n);
                in_rows<!exclusive_forward>(gpu, c, std::reverse_iterator(in + n),
                                            std::reverse_iterator(out + n));
            } else {
                in_rows<exclusive_forward>(gpu, c, in, out);
            }
        } else if constexpr (how == form::by_flags) {
            if (c.counted) {
                by_segments(gpu, c, in, count, head_flags{marks}, out);
            } else {
                by_segments(gpu, c, in, in + c.n, head_flags{marks}, out);
            }
        } else {
            const std::int64_t* const offsets = c.offsets->data();
            by_segments(gpu, c, in, in + c.n,
                        segment_offsets{offsets, offsets + c.offsets->items()}, out);
        }
    }
    // Rows of a type are scanned by one kind forward and by the other backward, which compiles in
    // half the time of both.
    static constexpr bool exclusive_forward =
        std::is_same_v<V, test::affine32> || std::is_signed_v<V>;
    template <bool exclusive, class In, class Out>
    void in_rows(lookback::gpu& gpu, const call& c, const In& in, const Out& out) {
        using namespace detail::device;
        const axis_extents extents{c.n / c.length, c.length, 1};
        // The public function compiles columns too: once is enough.
        if constexpr (exclusive && std::is_same_v<V, test::affine32>) {
            lookback::exclusive_scan(gpu, in, extents, out, c.init, op_);
        } else if (c.n == 0) {
            return;
        } else if constexpr (exclusive) {
            scan_rows<true, V>(gpu, in, extents, out, begin_each_with<V>(c.init), op_);
        } else {
            scan_rows<false, V>(gpu, in, extents, out,
                                begin_each_with<V>(detail::no_initial_value{}), op_);
        }
    }
    template <class Last>
    void by_key(lookback::gpu& gpu, const call& c, const K* keys, Last last, const Item* in,
                V* out) {
        if (c.exclusive) {
            lookback::exclusive_scan_by_key(gpu, keys, last, in, out, c.init, op_);
        } else {
            lookback::inclusive_scan_by_key(gpu, keys, last, in, out, op_);
        }
    }
    template <class Last, class Segments>
    void by_segments(lookback::gpu& gpu, const call& c, const Item* in, Last last,
                     Segments segments, V* out) {
        if (c.exclusive) {
            lookback::exclusive_segmented_scan(gpu, in, last, segments, out, c.init, op_);
        } else {
            lookback::inclusive_segmented_scan(gpu, in, last, segments, out, op_);
        }
    }

    static gpu_array<V>& results(const call& c) {
        if constexpr (std::is_same_v<V, Item>) {
            if (c.out == nullptr) return *c.in;
        }
        return *c.out;
    }

    void check(call& c) {
        gpu_array<V>& out = results(c);
        EXPECT_TRUE(same_items(out.get(c.n), c.want));
        EXPECT_TRUE(out.is_untouched_around(c.n));
        if (c.out != nullptr) {
            EXPECT_TRUE(same_items(c.in->get(c.n), c.items)) << "the input has changed";
        }
        EXPECT_TRUE(same_items(c.of_marks->get(c.n), c.marks)) << "keys or flags have changed";
    }

    case_choices& choices_;
    Op op_;
};

template <form how, class V, class K, class Item = V, class Op>
void on_trial(int schedules, Op op) {
    for_schedules(schedules,
                  [&](case_choices& c) { segments_trial<how, V, K, Op, Item>(c, op).run(); });
}

TEST(Segments, AffineByKeysOf4Bytes) {
    on_trial<form::by_key, test::affine32, std::uint32_t>(40, affine{});
}
TEST(Segments, WordsByKeysOf2Bytes) {
    on_trial<form::by_key, std::uint16_t, std::uint16_t>(20, plus<>{});
}
TEST(Segments, BytesByKeysOf4Bytes) {
    on_trial<form::by_key, std::uint8_t, std::uint32_t>(20, plus<>{});
}
TEST(Segments, BytesInWideSumsByKey) {
    on_trial<form::by_key, std::int64_t, std::uint32_t, std::uint8_t>(20, plus<std::int64_t>{});
}
TEST(Segments, Uint32ByFlags) {
    on_trial<form::by_flags, std::uint32_t, std::uint8_t>(40, plus<>{});
}
TEST(Segments, Uint32ByOffsets) {
    on_trial<form::by_offsets, std::uint32_t, std::uint8_t>(40, plus<>{});
}
TEST(Segments, SpansInRows) {
    on_trial<form::in_rows, test::span_of, std::uint8_t>(30, test::join{});
}
TEST(Segments, BytesInRows) { on_trial<form::in_rows, std::uint8_t, std::uint8_t>(20, plus<>{}); }
TEST(Segments, WordsInRows) {
    on_trial<form::in_rows, std::int16_t, std::uint8_t>(30, maximum<std::int16_t>{});
}
TEST(Segments, SignedBytesInRows) {
    on_trial<form::in_rows, std::int8_t, std::uint8_t>(30, minimum<>{});
}
TEST(Segments, AffineInRows) {
    on_trial<form::in_rows, test::affine32, std::uint8_t>(20, affine{});
}

}  // namespace
}  // namespace lookback::trial
