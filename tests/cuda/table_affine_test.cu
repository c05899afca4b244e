// The case table for affine maps of 8, 10, 12 and 64 bytes: their composition does not commute.
#include "support/case_table.hpp"

namespace lookback::test {
namespace {

/// The map x -> scale * x + shift[i], for several x at once, modulo 2^16 or 2^32.
template <class Word, int shifts>
struct affine_vector {
    Word scale;
    Word shift[shifts];
};
struct compose {
    template <class Word, int shifts>
    LOOKBACK_HD affine_vector<Word, shifts> operator()(const affine_vector<Word, shifts>& a,
                                                       const affine_vector<Word, shifts>& b) const {
        const auto scale = static_cast<std::uint32_t>(b.scale);
        affine_vector<Word, shifts> both{static_cast<Word>(scale * a.scale), {}};
        for (int i = 0; i < shifts; ++i) {
            both.shift[i] = static_cast<Word>(scale * a.shift[i] + b.shift[i]);
        }
        return both;
    }
};

template <class Word, int shifts>
void run_affine_vectors() {
    using map = affine_vector<Word, shifts>;
    auto items = random_values<map>(table_items<map>, 3);
    for (auto& item : items) item.scale |= 1;  // invertible, so that no prefix is forgotten
    run_table(items, compose{});
}

}  // namespace

TEST(Table, AffineOf8Bytes) {
    run_table(random_values<affine32>(table_items<affine32>, 1), affine{});
}
// Some of these sizes divide a thread's chunk of shared memory, others do not; some are no power of
// two.
TEST(Table, AffineOf10Bytes) { run_affine_vectors<std::uint16_t, 4>(); }
TEST(Table, AffineOf12Bytes) { run_affine_vectors<std::uint32_t, 2>(); }
TEST(Table, AffineOf64Bytes) { run_affine_vectors<std::uint32_t, 15>(); }

}  // namespace lookback::test
