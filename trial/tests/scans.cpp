// Scans on trial: every driver, kind, direction, placement and alignment; the count on the host and
// in device memory; several scans in a row, on one stream or two.
#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>

#include "lookback/pixel.hpp"
#include "support/check_scan.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

using detail::device::access;
using test::kind;

template <class A>
constexpr std::uint64_t most_light_items = std::rbegin(detail::device::light<A>)->most_items;

/// Is each kind of scan tried in both directions? Otherwise exclusive scans go one way and
/// inclusive ones without an initial value the other, which compiles in a third of the time.
template <class In, class Out, class A>
constexpr bool every_kind = std::is_same_v<In, Out> &&
                            (std::is_same_v<A, std::int32_t> || std::is_same_v<A, test::span_of>);

/// If not: is it the exclusive scan that goes forward?
template <class In, class Out>
constexpr bool exclusive_forward = std::is_same_v<In, Out> && sizeof(In) != 3;

template <class In, class Out, class A, class Op>
class scan_trial {
 public:
    scan_trial(case_choices& choices, Op op, bool helps = false)
        : choices_(choices), op_(op), helps_(helps) {}

    /// All arrays are made before the first call, so that no call waits for another.
    void run() {
        const gpu_stream streams[2];
        lookback::gpu gpus[2] = {lookback::gpu(streams[0]), lookback::gpu(streams[1])};
        for (lookback::gpu& gpu : gpus) choose_driver(choices_, gpu);
        // Sometimes epochs begin again.
        if (choices_.one_in(8)) access::set_epoch<A>(gpus[0], 0xffffffffU - 1);
        const auto calls = choices_.said("calls", choices_.between(1, 3));
        std::vector<std::unique_ptr<call>> all;
        for (std::uint64_t i = 0; i < calls; ++i) all.push_back(draw());
        cudaDeviceSynchronize();
        for (const auto& c : all) start(gpus[choices_.one_in(4)], *c);
        for (const auto& c : all) check(*c);
    }

    /// Launches at the end of the epochs, several times: the last launch of each round clears the
    /// status words.
    void run_at_the_end_of_epochs() {
        lookback::gpu gpu;
        choose_driver(choices_, gpu);
        for (int round = 0; round < 3; ++round) {
            access::set_epoch<A>(gpu, 0xffffffffU);
            for (int launch = 0; launch < 2; ++launch) {
                const auto c = draw();
                start(gpu, *c);
                check(*c);
            }
        }
    }

 private:
    struct call {
        std::unique_ptr<gpu_array<In>> in;
        std::unique_ptr<gpu_array<Out>> out;  // nullptr: in place
        std::vector<In> items;
        std::vector<Out> want;
        A init;
        kind what;
        bool backward;
        std::uint64_t at_most;      // the bound of the count, which chooses the driver
        std::uint64_t skipped = 0;  // backward, the scan begins at the end of the arrays
        gpu_array<std::uint64_t> count{1};
    };

    // A case for one driver, which a bound of the count in device memory chooses.
    std::unique_ptr<call> draw() {
        using detail::device::light;
        // Helping is tried in place, with light drivers of many tiles.
        const auto which =
            choices_.said("driver", helps_ ? choices_.between(2, std::size(light<A>) - 1)
                                           : choices_.below(std::size(light<A>) + 1));
        const bool is_light = which < std::size(light<A>);
        constexpr std::size_t staged =
            std::max({sizeof(In), sizeof(Out), detail::device::narrowest_staged<A>});
        std::uint64_t tile = detail::device::large_tile_items<A, staged>, most_tiles = 6;
        std::uint64_t at_most = most_light_items<A> + 1;
        if (is_light) {
            const auto& shape = light<A>[which];
            tile = static_cast<std::uint64_t>(shape.warps * shape.rows * 32) *
                   detail::device::vector_items<A>;
            most_tiles = std::min<std::uint64_t>(shape.most_items / tile, 5);
            at_most = most_tiles * tile;
            if (which > 0) at_most = std::max(at_most, light<A>[which - 1].most_items + 1);
        }
        const std::uint64_t n = choices_.size_around(tile, most_tiles);
        const kind kinds[] = {kind::inclusive, kind::exclusive, kind::inclusive_init};
        const kind what =
            kinds[choices_.said("kind", choices_.below(every_kind<In, Out, A> ? 3 : 2))];
        const bool backward =
            choices_.said("backward", every_kind<In, Out, A> ? choices_.coin()
                                                             : (what == kind::exclusive) !=
                                                                   exclusive_forward<In, Out>);
        const bool in_place =
            std::is_same_v<In, Out> && choices_.said("in place", helps_ || choices_.coin());
        // Bytes may begin anywhere between boundaries of 16 bytes.
        const auto shift = [&](const char* what) {
            return choices_.said(what, choices_.coin() ? choices_.below(17) : 0);
        };
        const std::uint64_t shift_in = shift("shift in");
        const std::uint64_t shift_out = shift("shift out");

        auto c = std::make_unique<call>();
        c->items = test::random_values<In>(n, choices_.bits());
        c->init = test::random_values<A>(2, choices_.bits())[1];
        c->what = what;
        c->backward = backward;
        c->at_most = at_most;
        c->want = test::sequential_scan<Out>(c->items, what, backward, op_, c->init);
        c->in = std::make_unique<gpu_array<In>>(at_most, shift_in);
        if (!in_place) c->out = std::make_unique<gpu_array<Out>>(at_most, shift_out);
        c->skipped = backward ? at_most - n : 0;
        c->in->set(c->items, c->skipped);
        c->count.set({n});
        return c;
    }

    void start(lookback::gpu& gpu, call& c) {
        const In* const from = c.in->data();
        Out* to = nullptr;
        if constexpr (std::is_same_v<In, Out>) to = c.in->data();
        if (c.out != nullptr) to = c.out->data();
        const count_at<std::uint64_t> count{c.count.data(), c.at_most};
        if (c.backward) {
            scan(gpu, c.what, std::reverse_iterator(from + c.at_most), count,
                 std::reverse_iterator(to + c.at_most), c.init);
        } else {
            scan(gpu, c.what, from, count, to, c.init);
        }
    }

    template <class First, class Last, class To>
    void scan(lookback::gpu& gpu, kind what, First first, Last last, To to, const A& init) {
        constexpr bool backward = !std::is_pointer_v<First>;
        if (what == kind::exclusive) {
            if constexpr (every_kind<In, Out, A> || backward != exclusive_forward<In, Out>) {
                lookback::exclusive_scan(gpu, first, last, to, init, op_);
            }
        } else if constexpr (every_kind<In, Out, A> || backward == exclusive_forward<In, Out>) {
            if (what == kind::inclusive) {
                lookback::inclusive_scan(gpu, first, last, to, op_);
            } else if constexpr (every_kind<In, Out, A>) {
                lookback::inclusive_scan(gpu, first, last, to, op_, init);
            }
        }
    }

    void check(call& c) {
        const std::uint64_t n = c.items.size();
        if (c.out == nullptr) {
            if constexpr (std::is_same_v<In, Out>) {
                EXPECT_TRUE(same_items(c.in->get(n, c.skipped), c.want));
            }
        } else {
            EXPECT_TRUE(same_items(c.out->get(n, c.skipped), c.want));
            EXPECT_TRUE(same_items(c.in->get(n, c.skipped), c.items)) << "the input has changed";
            EXPECT_TRUE(c.out->is_untouched_around(n, c.skipped));
        }
        EXPECT_TRUE(c.in->is_untouched_around(n, c.skipped));
    }

    case_choices& choices_;
    Op op_;
    bool helps_;
};

template <class T, class Op = plus<>>
void on_trial(int schedules, Op op = {}, bool helps = false) {
    for_schedules(schedules, [&](case_choices& c) { scan_trial<T, T, T, Op>(c, op, helps).run(); });
}

template <class In, class Out, class A, class Op>
void on_trial_converting(int schedules, Op op) {
    for_schedules(schedules, [&](case_choices& c) { scan_trial<In, Out, A, Op>(c, op).run(); });
}

template <class T, class Op = plus<>>
void at_the_end_of_epochs(int schedules, Op op = {}) {
    for_schedules(schedules, [&](case_choices& c) {
        scan_trial<T, T, T, Op>(c, op).run_at_the_end_of_epochs();
    });
}

TEST(Scans, Int32) { on_trial<std::int32_t>(60); }
TEST(Scans, Uint64Maximum) { on_trial<std::uint64_t>(30, maximum<>{}); }
TEST(Scans, Uint8) { on_trial<std::uint8_t>(30); }
TEST(Scans, Int8ToUint8) {
    on_trial_converting<std::int8_t, std::uint8_t, std::int8_t>(15, plus<>{});
}
TEST(Scans, Int16) { on_trial<std::int16_t>(30, std::plus<>{}); }
TEST(Scans, Int8Maximum) { on_trial<std::int8_t>(20, maximum<>{}); }
TEST(Scans, Uint16ExclusiveOr) { on_trial<std::uint16_t>(20, bit_xor<>{}); }
// Items of 3, 4 and 6 bytes that begin at any byte, or any two.
TEST(Scans, PixelsOf3Bytes) { on_trial<pixel<std::uint8_t, 3>>(30); }
TEST(Scans, PixelsOf4Bytes) { on_trial<pixel<std::uint8_t, 4>>(30); }
TEST(Scans, PixelsOf3Times16Bits) { on_trial<pixel<std::uint16_t, 3>>(20); }
TEST(Scans, BytesTo32Bits) {
    on_trial_converting<std::uint8_t, std::uint32_t, std::uint32_t>(30, plus<std::uint32_t>{});
}
TEST(Scans, Integers64To16Bits) {
    on_trial_converting<std::int64_t, std::uint16_t, std::int64_t>(30, plus<>{});
}
TEST(Scans, Integers16BitsBy32Bits) {
    on_trial_converting<std::uint16_t, std::uint16_t, std::uint32_t>(30, plus<std::uint32_t>{});
}
// Results wider than their accumulators are moved item by item.
TEST(Scans, IntegersToDoubles) {
    on_trial_converting<std::int32_t, double, std::int32_t>(30, plus<>{});
}
// gpu::reserve makes room for as many tiles as a scan has, whatever lies in its stages.
template <class In, class Out, class A>
void expect_room_for_tiles() {
    using namespace detail::device;
    using problem = scan_problem<false, const In*, Out*, A, plus<A>, 1>;
    constexpr std::uint64_t tile = scan_agent<problem, large<sizeof(A)>.warps, true>::tile_items;
    for (const std::uint64_t n : {1ULL << 20, (1ULL << 24) + 1, 1ULL << 32}) {
        EXPECT_GE(most_tiles<A>(n), tiles_for(n, tile)) << n << " items";
    }
}
TEST(Scans, HaveNoMoreTilesThanIsReserved) {
    using pixel3 = pixel<std::uint8_t, 3>;
    using pixel6 = pixel<std::uint16_t, 3>;
    expect_room_for_tiles<std::uint8_t, std::uint8_t, std::uint8_t>();
    expect_room_for_tiles<std::uint8_t, std::int64_t, std::int64_t>();
    expect_room_for_tiles<float, double, float>();
    expect_room_for_tiles<pixel3, pixel3, pixel3>();
    expect_room_for_tiles<pixel6, pixel6, pixel6>();
    expect_room_for_tiles<test::span_of, test::span_of, test::span_of>();
}
TEST(Scans, Affine) { on_trial<test::affine32>(60, affine{}); }
TEST(Scans, Matrix) { on_trial<test::matrix>(40, test::matrix_product{}); }
TEST(Scans, Int32Helped) { on_trial<std::int32_t>(100, plus<>{}, true); }
TEST(Scans, SpanHelped) { on_trial<test::span_of>(60, test::join{}, true); }
TEST(Scans, Int32AtTheEndOfEpochs) { at_the_end_of_epochs<std::int32_t>(40); }
TEST(Scans, AffineAtTheEndOfEpochs) { at_the_end_of_epochs<test::affine32>(40, affine{}); }
TEST(Scans, SpanAtTheEndOfEpochs) { at_the_end_of_epochs<test::span_of>(30, test::join{}); }
TEST(Scans, Span) { on_trial<test::span_of>(40, test::join{}); }

}  // namespace
}  // namespace lookback::trial
