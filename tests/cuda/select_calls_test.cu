// Selections on the GPU: from the end, with counts on the device, when the numbers of launches
// begin again, and what is refused.
#include "lookback/partition.hpp"
#include "lookback/select.hpp"
#include "support/compaction_cases.hpp"
#include "support/select_items.hpp"

namespace lookback::test {
namespace {

using detail::device::access;

TEST(Select, FromTheEndBackwards) {
    const auto keys = keys_in_runs(100'003, 3, 5);
    shifted_array<std::uint32_t> in(keys, 0), out(keys.size(), 0);
    lookback::gpu gpu;
    std::vector<std::uint32_t> want;
    for (auto k = keys.rbegin(); k != keys.rend(); ++k) {
        if (*k < 50) want.push_back(*k);
    }
    const auto last = std::make_reverse_iterator(in.data());
    const auto first = std::make_reverse_iterator(in.data() + keys.size());
    EXPECT_EQ(select_if(gpu, first, last, out.data(), below{50}), want.size());
    out.expect(want, "select_if");
    // Written downwards from the end of an array: read backward, the items have the input's order.
    shifted_array<std::uint32_t> turned(keys.size(), 0);
    const auto end = std::make_reverse_iterator(turned.data() + keys.size());
    EXPECT_EQ(select_if(gpu, first, last, end, below{50}), want.size());
    std::vector<std::uint32_t> got(want.size());
    check(cudaMemcpy(got.data(), turned.data() + keys.size() - want.size(), want.size() * 4,
                     cudaMemcpyDeviceToHost),
          "reading");
    EXPECT_TRUE(std::equal(want.rbegin(), want.rend(), got.begin()));
}

TEST(Select, CountsStayOnTheDevice) {
    // One call reads what the call before it kept.
    const auto keys = keys_in_runs(1'000'003, 4, 6);
    shifted_array<std::uint32_t> in(keys, 0), runs(keys.size(), 0), out(keys.size(), 0);
    device_array<std::uint64_t> counts(2);
    stream s;
    lookback::gpu gpu{s};
    gpu.reserve(keys.size());
    lookback::unique(gpu, in.data(), in.data() + keys.size(), runs.data(), count_to{counts.data()});
    select_if(gpu, runs.data(), count_at<std::uint64_t>{counts.data(), keys.size()}, out.data(),
              count_to{counts.data() + 1}, below{64});
    std::vector<std::uint32_t> heads, want;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || keys[i] != keys[i - 1]) heads.push_back(keys[i]);
    }
    for (const auto k : heads) {
        if (k < 64) want.push_back(k);
    }
    EXPECT_EQ(counts.get(), (std::vector<std::uint64_t>{heads.size(), want.size()}));
    out.expect(want, "select_if");
}

TEST(Select, EpochsBeginAgain) {
    // The numbers of launches begin again after 2^32 launches. There are two teams of threads, and
    // two look-backs take turns.
    const std::uint64_t n = 3'000'001;
    const auto keys = keys_in_runs(n, 3, 9);
    std::vector<std::uint32_t> heads;
    std::vector<float> values(n), values_of_heads;
    for (std::uint64_t i = 0; i < n; ++i) {
        values[i] = static_cast<float>(i);
        if (i == 0 || keys[i] != keys[i - 1]) {
            heads.push_back(keys[i]);
            values_of_heads.push_back(values[i]);
        }
    }
    shifted_array<std::uint32_t> in(keys, 0);
    shifted_array<float> d_values(values, 0);
    lookback::gpu gpu;
    for (const unsigned blocks : {0U, 2U}) {
        access::limit_blocks(gpu, blocks);
        for (int turn = 0; turn < 5; ++turn) {
            if (turn == 2) access::set_epoch<std::uint32_t>(gpu, 0xfffffffe);
            shifted_array<std::uint32_t> keys_out(n, 0);
            shifted_array<float> values_out(n, 0);
            ASSERT_EQ(unique_by_key(gpu, in.data(), in.data() + n, d_values.data(), keys_out.data(),
                                    values_out.data()),
                      heads.size());
            keys_out.expect(heads, "keys");
            values_out.expect(values_of_heads, "values");
        }
    }
}

template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return "nothing was refused";
}

TEST(Select, SaysWhatIsWrong) {
    lookback::gpu gpu;
    device_array<std::uint32_t> x(8), out(8), count(1);
    device_array<std::uint8_t> flags(8);
    std::uint32_t* nothing = nullptr;
    const count_to to{count.data()};
    const auto says = [](const std::string& text, const char* what) {
        EXPECT_NE(text.find(what), std::string::npos) << text;
    };
    const below low{1};
    says(refusal([&] { select_if(gpu, nothing, nothing + 5, out.data(), to, low); }),
         "the input is a null pointer, with 5 items");
    says(refusal([&] { select_if(gpu, x.data(), x.data() + 5, nothing, to, low); }),
         "the output is a null pointer, with 5 items");
    says(refusal([&] {
             select_flagged(gpu, x.data(), x.data() + 5, static_cast<std::uint8_t*>(nullptr),
                            out.data(), to);
         }),
         "null pointer, with 5 items");
    says(refusal(
             [&] { select_if(gpu, x.data(), x.data() + 5, out.data(), count_to{nothing}, low); }),
         "count_to.at is a null pointer");
    says(refusal([&] { select_if(gpu, x.data() + 5, x.data(), out.data(), to, low); }),
         "ends before it begins (-5 items)");
    says(refusal([&] { select_if(gpu, x.data(), x.data() + 5, x.data() + 1, to, low); }),
         "an output begins within the input, 4 bytes from its beginning");
    says(refusal([&] { partition_if(gpu, x.data(), x.data() + 5, x.data(), to, low); }),
         "an output begins within the input, 0 bytes from its beginning");
    says(
        refusal([&] {
            select_if(gpu, x.data(), count_at<std::uint32_t>{count.data(), 5}, out.data(), to, low);
        }),
        "count_to and count_at are the same memory");
    const std::uint64_t many = (std::uint64_t{1} << 32) + 5;
    auto* const far_away = reinterpret_cast<std::uint32_t*>(4096);  // nothing is written
    says(refusal([&] { unique(gpu, x.data(), x.data() + many, far_away, to); }),
         "up to 4294967301 items are counted in an integer that holds 4294967295");
}

}  // namespace
}  // namespace lookback::test
