// Masks of classes, in a program that is compiled for this machine: with AVX-512 they are found by
// other instructions than in the other tests.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

#include "lookback/detail/cpu/class_mask.hpp"

namespace {

using lookback::detail::class_block;

template <class Word>
class ClassMasks : public testing::Test {};

using words = testing::Types<std::uint8_t, std::uint32_t>;
TYPED_TEST_SUITE(ClassMasks, words);

TYPED_TEST(ClassMasks, HaveTheBitOfEachItemsClass) {
    constexpr std::size_t classes = 3;
    std::mt19937 random(1);
    std::array<std::uint8_t, class_block> of;
    for (const int most : {0, 1, 2, 3}) {  // class 3 has no mask
        for (std::size_t count = 1; count <= class_block; ++count) {
            for (const std::size_t begin : {std::size_t{0}, count / 3, count}) {
                for (auto& c : of) {
                    c = static_cast<std::uint8_t>(std::uniform_int_distribution(0, most)(random));
                }
                std::array<std::uint64_t, classes> expected{};
                for (std::size_t i = 0; i < count; ++i) {
                    const std::size_t c = i < begin ? 0 : of[i];
                    if (c < classes) expected[c] |= std::uint64_t{1} << i;
                }
                EXPECT_EQ((lookback::detail::class_masks<classes, TypeParam>(
                              begin, count, [&](std::size_t i) { return of[i]; })),
                          expected)
                    << count << " items, from " << begin << " on";
            }
        }
    }
}

}  // namespace
