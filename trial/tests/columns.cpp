// Scans down columns on trial: extents of every kind, whose tiles are whole blocks, strips, or
// batches in long chains; every driver; forward and backward.
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>

#include "lookback/axis_scan.hpp"
#include "lookback/pixel.hpp"
#include "support/segments.hpp"
#include "tests/call_cases.hpp"

namespace lookback::trial {
namespace {

// `T`: accumulators.
template <class In, class Out, class T, class Op>
class columns_trial {
 public:
    columns_trial(case_choices& choices, Op op) : choices_(choices), op_(op) {}

    void run() {
        calls_by_one_driver<T>(choices_, [&] { return prepare(); });
    }

 private:
    struct call {
        axis_extents extents;
        std::vector<In> items;
        std::vector<Out> want;
        std::unique_ptr<gpu_array<In>> in;
        std::unique_ptr<gpu_array<Out>> out;  // nullptr: in place
        bool backward;
        T init;
    };

    // Extents of a few tiles.
    axis_extents draw_extents() {
        using namespace detail::device;
        const auto size = std::clamp(sizeof(In), least_staged_size<T>, sizeof(T));
        const auto of_tile = static_cast<std::uint64_t>(column_tile_items(size));
        const std::uint64_t most = of_tile * choices_.between(1, 6);
        axis_extents e{};
        switch (choices_.below(5)) {
            case 0:  // many small blocks
                e.inner = choices_.between(2, 40);
                e.length = choices_.between(1, 70);
                e.outer = choices_.between(1, 1 + most / (e.inner * e.length));
                break;
            case 1:  // one long chain, or a few
                e.inner = choices_.of<std::uint64_t>({2, 3, 4, 7, 8, 12, 16, 20});
                e.outer = choices_.between(1, 2);
                e.length = 1 + most / (e.inner * e.outer);
                break;
            case 2:  // strips
                e.inner = choices_.of<std::uint64_t>({31, 32, 33, 64, 100, 128, 130, 300, 1000});
                e.outer = choices_.between(1, 2);
                e.length = 1 + most / (e.inner * e.outer);
                break;
            case 3:  // few columns: a row is one item, also for the drivers of small arrays
                e.inner = choices_.of<std::uint64_t>({2, 4, 8});
                e.outer = 1;
                e.length = choices_.between(1, 5000);
                break;
            default:  // low and wide
                e.length = choices_.between(1, 4);
                e.inner = 1 + most / e.length;
                e.outer = 1;
        }
        e.length -= choices_.below(std::min<std::uint64_t>(e.length, 5));
        choices_.said("outer", e.outer);
        choices_.said("length", e.length);
        choices_.said("inner", e.inner);
        return e;
    }

    pending_call prepare() {
        auto c = std::make_shared<call>();
        c->extents = draw_extents();
        const auto& e = c->extents;
        const std::uint64_t n = e.outer * e.length * e.inner;
        c->items = test::random_values<In>(n, choices_.bits());
        c->init = test::random_values<T>(2, choices_.bits())[1];
        c->backward = choices_.said("backward", choices_.one_in(4));
        if constexpr (std::is_same_v<T, test::span_of>) {
            // The spans of a column join up if no row is left out and no two rows are swapped.
            for (std::uint64_t i = 0; i < n; ++i) {
                const std::uint64_t k = c->backward ? n - 1 - i : i;
                const std::uint64_t at = k % e.inner << 40 | k / e.inner;
                c->items[i] = {1, at, at};
            }
        }
        std::vector<In> in_order = c->items;
        if (c->backward) std::reverse(in_order.begin(), in_order.end());
        const std::vector<T> folds =
            c->backward ? test::down_columns<T>(in_order, e, std::nullopt, false, op_)
                        : test::down_columns<T>(in_order, e, std::optional(c->init), true, op_);
        for (const T& fold : folds) c->want.push_back(static_cast<Out>(fold));
        if (c->backward) std::reverse(c->want.begin(), c->want.end());
        c->in = std::make_unique<gpu_array<In>>(c->items, choices_.shift());
        if (!std::is_same_v<In, Out> || !choices_.said("in place", choices_.coin())) {
            c->out = std::make_unique<gpu_array<Out>>(n, choices_.shift());
        }
        return {[this, c](lookback::gpu& gpu) { start(gpu, *c); }, [this, c] { check(*c); }};
    }

    // Exclusive forward, inclusive backward: each is one kernel for each driver. The public
    // function would compile the kernels of rows too.
    void start(lookback::gpu& gpu, call& c) {
        using namespace detail::device;
        const In* const in = c.in->data();
        Out* const out = result(c).data();
        if (c.backward) {
            scan_columns<false, T>(gpu, std::reverse_iterator(in + c.items.size()), c.extents,
                                   std::reverse_iterator(out + c.items.size()),
                                   begin_each_with<T>(detail::no_initial_value{}), op_);
        } else {
            scan_columns<true, T>(gpu, in, c.extents, out, begin_each_with<T>(c.init), op_);
        }
    }

    void check(call& c) {
        const std::uint64_t n = c.items.size();
        gpu_array<Out>& out = result(c);
        EXPECT_TRUE(same_items(out.get(), c.want));
        EXPECT_TRUE(out.is_untouched_around(n));
        if (c.out != nullptr) {
            EXPECT_TRUE(same_items(c.in->get(), c.items)) << "the input has changed";
        }
    }

    static gpu_array<Out>& result(call& c) {
        if constexpr (std::is_same_v<In, Out>) {
            if (c.out == nullptr) return *c.in;
        }
        return *c.out;
    }

    case_choices& choices_;
    Op op_;
};

template <class In, class Out = In, class T = In, class Op>
void on_trial(int schedules, Op op) {
    for_schedules(schedules, [&](case_choices& c) { columns_trial<In, Out, T, Op>(c, op).run(); });
}

TEST(Columns, Uint8) { on_trial<std::uint8_t>(40, plus<>{}); }
TEST(Columns, Int16) { on_trial<std::int16_t>(30, maximum<>{}); }
TEST(Columns, Int8) { on_trial<std::int8_t>(30, minimum<>{}); }
TEST(Columns, Uint32) { on_trial<std::uint32_t>(40, plus<>{}); }
// Items and results of other sizes than accumulators, narrower and wider.
TEST(Columns, BytesBy32Bits) {
    on_trial<std::uint8_t, std::uint8_t, std::uint32_t>(30, plus<std::uint32_t>{});
}
TEST(Columns, BytesTo64Bits) {
    on_trial<std::uint8_t, std::int64_t, std::int64_t>(30, plus<std::int64_t>{});
}
TEST(Columns, Integers64To16Bits) {
    on_trial<std::int64_t, std::uint16_t, std::int64_t>(30, plus<>{});
}
// Narrow items whose rows begin anywhere, of a size that is no power of two.
TEST(Columns, PixelsOf3Bytes) { on_trial<pixel<std::uint8_t, 3>>(30, plus<>{}); }
TEST(Columns, Affine) { on_trial<test::affine32>(60, affine{}); }
TEST(Columns, Span) { on_trial<test::span_of>(40, test::join{}); }

}  // namespace
}  // namespace lookback::trial
