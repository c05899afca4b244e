/// \file
/// Short segments whose items have values are sorted as numbers of 32 bits. The high bits of a
/// number are a fragment of the item's word. The low bits are the place of the item in its segment,
/// which keeps equal items in order. So networks (segmented_sort_network.hpp) compare words of any
/// size as cheaply as words of 4 bytes. The words stay where they are in shared memory; the result
/// is a list of where they are.
///
/// Most segments are in order after one sort, by as many bits as a number has room for: the highest
/// bits in which words can differ once the segment's least word is subtracted. If two neighbours
/// with the same fragment turn out to be in the wrong order, the segment is sorted again by all
/// fragments, from the lowest to the highest, as by digits.
///
/// Cost, of 2^p items: one network; where one is not enough, one more for each 31 - p bits of a
/// word. And some 20 instructions for each row of 32 items.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/segmented_sort_classes.hpp"
#include "lookback/detail/device/segmented_sort_network.hpp"
#include "lookback/detail/device/sort_problem.hpp"

namespace lookback::detail::device {

/// Sorts a segment with `lanes` lanes, a power of two, each of which has room for `items` items.
/// All lanes of the warp call it, for as many segments at once as the warp has room for.
template <class Word, int items>
class fragment_sort {
    using number = network_word<std::uint32_t>;
    static constexpr bool has_one_lane = items < network_items<Word>;

 public:
    /// `words` and `sources`: of all segments of the block, at places given by `spread`.
    __device__ fragment_sort(const Word* words, std::uint16_t* sources, int begin, int length,
                             int lanes)
        : words_(words),
          sources_(sources),
          begin_(begin),
          length_(length),
          lanes_(lanes),
          among_(lane() & (lanes - 1)),
          place_bits_(highest_bit(static_cast<unsigned>(items * lanes))) {}

    __device__ void run(const digit_range& digits) const {
        const int room = 31 - place_bits_;
        const Word bits = digits.bits<Word>();
        Word least = 0;
        int low = 0, end = 0;
        bool is_guess = true, is_ordered = false;
#pragma unroll 1
        while (true) {
            Word word[items];
            if (is_ordered) {
                take(word, bits, [&](int at) { return source(at); });
            } else {
                const int begin = anew(begin_);
                take(word, bits, [&](int at) { return begin + at; });
            }
            if (is_guess) {
                const Word range = find_range(word, least);
                end = highest_bit_of(range) + 1;
                low = end - room > digits.first ? end - room : digits.first;
            }
            number mine[items];
            make_numbers(word, least, low, end - low < room ? end - low : room, mine);
            sort_in_lane(mine);
            if constexpr (!has_one_lane) merge_lanes(mine, lanes_);
            const bool tie = is_guess && ties(mine) && low > digits.first;
            note(mine, is_ordered);
            if (is_guess) {
                if (ballot(tie) == 0 || !is_out_of_order(bits)) return;
                is_guess = false;
                low = digits.first;
            } else {
                low += room;
                if (ballot(low < end) == 0) return;
                is_ordered = true;
            }
        }
    }

 private:
    // Where the item with number `at` in the sorted segment is.
    __device__ std::uint16_t& source(int at) const {
        return sources_[spread<std::uint16_t>(begin_ + at)];
    }
    __device__ Word word_at(int place) const { return words_[spread<Word>(place)]; }

    // Loads the bits of `mask` of this lane's words. Behind the last item, the last item's word
    // fills the remaining room.
    template <class PlaceOf>
    __device__ void take(Word (&word)[items], Word mask, const PlaceOf& place_of) const {
        const int last = anew(length_ > 0 ? length_ - 1 : 0);
        each_taken([&](int i, int at) {
            word[i] = static_cast<Word>(word_at(place_of(at < last ? at : last)) & mask);
        });
    }
    // Calls `f` with the numbers of the items that this lane takes. They are computed anew each
    // time, because there are not enough registers to keep them.
    template <class F>
    __device__ void each_taken(const F& f) const {
        const int lanes = has_one_lane ? 1 : anew(lanes_), among = has_one_lane ? 0 : anew(among_);
#pragma unroll
        for (int i = 0; i < items; ++i) f(i, i * lanes + among);
    }

    // The difference between the segment's greatest word and its least.
    __device__ Word find_range(const Word (&word)[items], Word& least) const {
        Word most = word[0];
        least = word[0];
        const auto take_in = [&](Word low, Word high) {
            least = low < least ? low : least;
            most = most < high ? high : most;
        };
#pragma unroll
        for (int i = 1; i < items; ++i) take_in(word[i], word[i]);
#pragma unroll 1
        for (int span = 1; span < lanes_; span *= 2) {
            take_in(from_lane_across(least, span), from_lane_across(most, span));
        }
        return static_cast<Word>(most - least);
    }

    // The numbers behind the last item are above all others, and no two of them have the same
    // fragment.
    __device__ void make_numbers(const Word (&word)[items], Word least, int low, int bits,
                                 number (&mine)[items]) const {
        const int shift = bits > 0 ? low : 0;
        const std::uint32_t mask = bits > 0 ? (1U << bits) - 1 : 0;
        each_taken([&](int i, int at) {
            const auto place = static_cast<std::uint32_t>(at);
            const auto above = static_cast<Word>(word[i] - least);
            const std::uint32_t fragment = static_cast<std::uint32_t>(above >> shift) & mask;
            mine[i].bits =
                at < length_ ? fragment << place_bits_ | place : 1U << 31 | place << place_bits_;
        });
    }

    // Whether two neighbours have the same fragment.
    __device__ bool ties(const number (&mine)[items]) const {
        const std::uint32_t next = from_lane_above(mine[0].bits, 1);
        std::uint32_t least = among_ + 1 < lanes_ ? mine[items - 1].bits ^ next : ~0U;
#pragma unroll
        for (int i = 0; i + 1 < items; ++i) {
            const std::uint32_t differ = mine[i].bits ^ mine[i + 1].bits;
            least = differ < least ? differ : least;
        }
        return least >> place_bits_ == 0;
    }

    // Writes where the items are, in this order.
    __device__ void note(number (&mine)[items], bool is_ordered) const {
        const std::uint32_t mask = (1U << place_bits_) - 1;
        const int first = has_one_lane ? 0 : anew(among_) * items, end = anew(length_);
        const auto each = [&](const auto& f) {
#pragma unroll
            for (int i = 0; i < items; ++i) {
                if (first + i < end) f(first + i, mine[i].bits);
            }
        };
        if (is_ordered) {
            each([&](int, std::uint32_t& bits) { bits = source(static_cast<int>(bits & mask)); });
            sync_warp();  // all lanes have read
            each(
                [&](int at, std::uint32_t bits) { source(at) = static_cast<std::uint16_t>(bits); });
        } else {
            const auto begin = static_cast<std::uint32_t>(anew(begin_));
            each([&](int at, std::uint32_t bits) {
                source(at) = static_cast<std::uint16_t>(begin + (bits & mask));
            });
        }
        sync_warp();
    }

    // Whether any segment of the warp is out of order, by the bits of `mask`.
    __device__ bool is_out_of_order(Word mask) const {
        bool falls = false;
        for (int at = among_; at + 1 < length_; at += lanes_) {
            const auto here = static_cast<Word>(word_at(source(at)) & mask);
            falls = falls || static_cast<Word>(word_at(source(at + 1)) & mask) < here;
        }
        const bool some = ballot(falls) != 0;
        sync_warp();  // all lanes have read
        return some;
    }

    const Word* words_;
    std::uint16_t* sources_;
    int begin_, length_;
    int lanes_;  ///< of the segment
    int among_;  ///< this lane's number among the segment's lanes
    int place_bits_;
};

}  // namespace lookback::detail::device
