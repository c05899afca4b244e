// `lookback select` and `lookback partition`: the numbers for which a condition or a mask holds,
// and the other numbers.

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "error.hpp"
#include "line_job.hpp"
#include "parsed_condition.hpp"
#include "progress.hpp"
#include "segments.hpp"
#include "table/flags.hpp"
#include "table/sorting.hpp"
#include "table/table.hpp"
#include "text.hpp"

namespace lookback::cli {
namespace {

// Says which numbers are wanted: by a condition, or by a mask.
class choice {
 public:
    choice(const where_arguments& arguments, const line_job& of) : arguments_(arguments), of_(of) {
        if (arguments.where) {
            follow();
        } else {
            open_mask(*arguments.mask, arguments.in);
        }
        if (of.where.is_gpu && (needs_flags() || arguments.indices)) {
            fail("--device cuda: does not support {}; expected --device cpu",
                 mask_          ? "--mask"
                 : where_->test ? "%"
                                : "--indices-out");
        }
    }

    // The numbers of the next window may have another type.
    void follow() {
        if (mask_ || type_ == of_.in.stored()) return;
        type_ = of_.in.stored();
        where_ = parse_condition(*arguments_.where, "--where", *type_);
    }

    bool needs_flags() const { return mask_.has_value() || where_->test.has_value(); }
    const parsed_condition& where() const { return *where_; }
    void check_complete() const {
        if (mask_) mask_->check_complete();
    }

    // Sets a flag for each of the items from `first` on, which are in memory: 1 for wanted items,
    // or, if `is_of_others`, for the other items.
    void find_flags(std::size_t first, const void* items, std::size_t count, bool is_of_others,
                    std::uint8_t* flags) const {
        if (mask_) {
            mask_->fetch(first, count);
            const auto* const wanted =
                static_cast<const std::uint8_t*>(mask_->load(first, count, mask_->type(), flags));
            for (std::size_t i = 0; i < count; ++i) flags[i] = (wanted[i] != 0) != is_of_others;
            return;
        }
        const flag_test plain{.what = flag_test::kind::numbers, .set = where_->holds};
        table::find_flags(of_.in.type(), items, count, where_->test ? *where_->test : plain, flags,
                          of_.where.threads);
        for (std::size_t i = 0; is_of_others && i < count; ++i) flags[i] ^= 1;
    }

 private:
    void open_mask(const std::string& path, const std::string& in_path) {
        const file_kind format = parse_format(of_.arguments);
        const bool is_npy =
            (path == "-" ? format : kind_of_name(path)) == std::optional(file_kind::npy);
        mask_.emplace(open_input(path, "--mask", is_npy ? std::nullopt : std::optional(boolean),
                                 held(of_.arguments)));
        if (size_of(mask_->type()) > 1) {
            fail("{}: holds {}; expected bool", path, name(mask_->stored()));
        }
        if (mask_->shape() != of_.in.shape()) {
            fail("{}: has shape ({}), {} has ({}); expected a bool for each number", path,
                 fmt::join(mask_->shape(), ", "), in_path, fmt::join(of_.in.shape(), ", "));
        }
    }

    const where_arguments& arguments_;
    const line_job& of_;
    std::optional<element> type_;  // of the numbers for which where_ was parsed
    std::optional<parsed_condition> where_;
    std::optional<array_input> mask_;
};

// Options that do not go together are reported before anything is read.
void check_choice(const where_arguments& arguments) {
    if (arguments.where.has_value() == arguments.mask.has_value()) {
        fail("--where and --mask: expected one of them");
    }
    if (arguments.mask) check_inputs(arguments.in, "IN", *arguments.mask, "--mask");
}

// Writes the wanted items, or the others, and their positions.
void select_to(array_output& out, array_output* indices_out, const line_job& of, choice& which,
               bool is_of_others, progress& bar) {
    const int threads = of.where.threads;
    const bool has_flags = which.needs_flags() || indices_out != nullptr;
    std::vector<std::uint8_t> flags;
    input_windows windows =
        windows_of(of, indices_out ? sizeof(std::int64_t) : size_of(of.in.type()));
    while (windows.next()) {
        const dtype type = of.in.type();
        out.become(of.in.stored());
        which.follow();
        const std::size_t items = windows.items();
        std::byte* const kept = out.room(items);
        const void* const all = windows.load(type, kept);
        std::size_t count = 0;
        if (has_flags) {
            flags.resize(items);
            which.find_flags(windows.first(), all, items, is_of_others, flags.data());
            count = select_flagged(size_of(type), all, items, flags.data(), kept, threads);
        } else {
            const number_set& wanted = is_of_others ? which.where().fails : which.where().holds;
            count = select(of.where.on(), type, all, items, kept, wanted.get());
        }
        out.append(kept, count);
        if (indices_out != nullptr) {
            std::byte* const at = indices_out->room(items);
            count_up(windows.first(), items, sizeof(std::int64_t), at, threads);
            select_flagged(sizeof(std::int64_t), at, items, flags.data(), at, threads);
            indices_out->append(at, count);
        }
        bar.advance(items * of.in.item_bytes());
    }
}

void partition_to(array_output& out, array_output& rest_out, const line_job& of, choice& which,
                  progress& bar) {
    std::vector<std::byte> room;
    std::vector<std::uint8_t> flags;
    input_windows windows = windows_of(of, size_of(of.in.type()));
    while (windows.next()) {
        const std::size_t items = windows.items();
        const dtype type = of.in.type();
        out.become(of.in.stored());
        rest_out.become(of.in.stored());
        which.follow();
        if (!of.in.lies_as(type)) room.resize(items * size_of(type));
        if (which.needs_flags()) flags.resize(items);
        std::byte* const kept = out.room(items);
        std::byte* const rest = rest_out.room(items);
        const void* const all = windows.load(type, room.data());
        std::size_t count = 0;
        if (which.needs_flags()) {
            for (const bool is_of_others : {false, true}) {
                which.find_flags(windows.first(), all, items, is_of_others, flags.data());
                const std::size_t found =
                    select_flagged(size_of(type), all, items, flags.data(),
                                   is_of_others ? rest : kept, of.where.threads);
                if (!is_of_others) count = found;
            }
        } else {
            count =
                partition(of.where.on(), type, all, items, kept, rest, which.where().holds.get());
        }
        out.append(kept, count);
        rest_out.append(rest, items - count);
        bar.advance(items * of.in.item_bytes());
    }
}

}  // namespace

void run_select(const where_arguments& arguments) {
    check_choice(arguments);
    const auto targets = find_outputs(arguments, arguments.indices, "--indices-out", "OUT", false);
    const bool may_stream = !arguments.mask && takes_any_type(arguments, targets[0]);
    run_on_line(arguments, targets, "kept", may_stream, [&](const line_job& of) {
        choice which(arguments, of);
        array_output out(targets[0], of.in.stored(), of.where.threads);
        out.begin_to_grow();
        std::optional<array_output> indices_out;
        if (arguments.indices) indices_out.emplace(targets[1], dtype::int64).begin_to_grow();
        progress bar(bytes_to_read(of));
        select_to(out, indices_out ? &*indices_out : nullptr, of, which, false, bar);
        which.check_complete();
        std::vector<array_output*> outputs{&out};
        if (indices_out) outputs.push_back(&*indices_out);
        of.finish(out.appended(), outputs);
    });
}

void run_partition(const where_arguments& arguments) {
    check_choice(arguments);
    const auto targets =
        find_outputs(arguments, arguments.rest, "--rest", "REST", arguments.dtype.has_value());
    const bool may_stream = !arguments.mask && arguments.rest &&
                            takes_any_type(arguments, targets[0]) &&
                            takes_any_type(arguments, targets[1]);
    run_on_line(arguments, targets, "kept", may_stream, [&](const line_job& of) {
        choice which(arguments, of);
        array_output out(targets[0], of.in.stored(), of.where.threads);
        out.begin_to_grow();
        if (!arguments.rest) {
            // The others come after the last wanted item. They are not stored until then: the input
            // is read a second time to select them. This moves 3 n items, whatever the condition. A
            // temporary file for the others would move 2 n items and twice the others, and would
            // need room for them.
            progress bar(2 * of.in.bytes());
            select_to(out, nullptr, of, which, false, bar);
            const std::size_t count = out.appended();
            select_to(out, nullptr, of, which, true, bar);
            which.check_complete();
            of.finish(count, {&out});
            return;
        }
        array_output rest_out(targets[1], of.in.stored(), of.where.threads);
        rest_out.begin_to_grow();
        progress bar(bytes_to_read(of));
        partition_to(out, rest_out, of, which, bar);
        which.check_complete();
        of.finish(out.appended(), {&out, &rest_out});
    });
}

}  // namespace lookback::cli
