#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace lookback::strategies {
namespace {

constexpr unsigned pitch = 40;   // between columns, and between steps
constexpr unsigned margin = 40;  // room for labels
constexpr unsigned radius = 8;
constexpr unsigned dot_radius = 3;
constexpr unsigned most_labelled = 32;

/// What both drawings are made of: a column for each input.
class page {
 public:
    page(std::uint32_t inputs, unsigned bottom, const std::string& title) : bottom_(bottom) {
        const unsigned width = 2 * margin + pitch * (std::max(inputs, 1U) - 1);
        const unsigned height = bottom + margin;
        add(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" )"
            R"(height="{1}" font-family="sans-serif" font-size="11" text-anchor="middle">)",
            width, height);
        add("<title>{}</title>", title);
        add(R"(<rect width="100%" height="100%" fill="white"/>)");
    }

    static unsigned x(std::uint32_t column) { return margin + pitch * column; }
    unsigned bottom() const { return bottom_; }

    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += '\n';
    }
    void begin_wires() { add(R"(<g stroke="#52606d" stroke-width="1.2" fill="none">)"); }
    void wire(unsigned at, unsigned from, unsigned to) {
        add(R"(<path d="M{} {}V{}"/>)", at, from, to);
    }
    /// `name_of(i)`: the label where column i ends.
    template <class NameOf>
    void labels(std::uint32_t inputs, const NameOf& name_of) {
        if (inputs > most_labelled) return;
        add(R"(<g fill="#323f4b">)");
        for (std::uint32_t i = 0; i < inputs; ++i) {
            add(R"(<text x="{}" y="{}">x{}</text>)", x(i), margin - 8, i);
            add(R"(<text x="{}" y="{}">{}</text>)", x(i), bottom_ + 16, name_of(i));
        }
        add("</g>");
    }
    std::string document() {
        add("</svg>");
        return std::move(text_);
    }

 private:
    unsigned bottom_;
    std::string text_;
};

unsigned y(std::uint32_t step) { return margin + pitch * step; }

// The right operand comes straight down. The left one also comes straight down, until the step
// before.
void draw_wires_to(page& on, const network& net, const network::node& op) {
    on.wire(page::x(op.column), y(net.step(op.right)), y(op.step));
    on.add(R"(<path d="M{} {}V{}L{} {}"/>)", page::x(net.column(op.left)), y(net.step(op.left)),
           y(op.step - 1), page::x(op.column), y(op.step));
}

void draw_plus(page& on, unsigned cx, unsigned cy) {
    constexpr unsigned arm = 4;
    on.add(R"(<path d="M{} {}h{}M{} {}v{}"/>)", cx - arm, cy, 2 * arm, cx, cy - arm, 2 * arm);
}

/// Where comparators lie. The comparators of one step lie in rows, such that no two in a row have
/// columns that overlap.
class rows_of_comparators {
 public:
    explicit rows_of_comparators(const sorting_network& net) {
        for (const sorting_network::node& c : net.comparators()) {
            if (c.step != step_) {
                first_ = top_.empty() ? margin : lowest_;
                step_ = c.step;
                ends_.clear();
            }
            const auto free = std::ranges::find_if(ends_, [&](auto end) { return end < c.low; });
            const auto row = static_cast<unsigned>(free - ends_.begin());
            if (free == ends_.end()) {
                ends_.push_back(c.high);
            } else {
                *free = c.high;
            }
            top_.push_back(first_ + step_gap + row_pitch * row);
            lowest_ = std::max(lowest_, top_.back());
        }
    }
    unsigned of(std::size_t comparator) const { return top_[comparator]; }
    unsigned bottom() const { return lowest_ + step_gap; }

 private:
    static constexpr unsigned row_pitch = 12;
    static constexpr unsigned step_gap = 24;

    std::uint32_t step_ = 0;
    unsigned first_ = margin;
    unsigned lowest_ = margin;
    std::vector<std::uint32_t> ends_;  ///< the last column of each row of this step
    std::vector<unsigned> top_;
};

}  // namespace

std::string draw_svg(const network& net, const std::string& title) {
    std::uint32_t steps = 0;
    for (const network::node& op : net.operators()) steps = std::max(steps, op.step);
    page on(net.inputs(), y(steps + 1), title);
    on.begin_wires();
    for (const network::node& op : net.operators()) draw_wires_to(on, net, op);
    for (const value v : net.outputs()) {
        on.wire(page::x(net.column(v)), y(net.step(v)), on.bottom());
    }
    on.add("</g>");
    on.add(R"(<g fill="#1f77b4">)");
    for (const network::node& op : net.operators()) {
        on.add(R"(<circle cx="{}" cy="{}" r="{}"/>)", page::x(op.column), y(op.step), radius);
    }
    on.add("</g>");
    on.add(R"(<g stroke="white" stroke-width="1.5">)");
    for (const network::node& op : net.operators()) {
        draw_plus(on, page::x(op.column), y(op.step));
    }
    on.add("</g>");
    on.labels(net.inputs(),
              [](std::uint32_t i) { return i == 0 ? "x0" : fmt::format("x0:x{}", i); });
    return on.document();
}

std::string draw_svg(const sorting_network& net, const std::string& title) {
    const rows_of_comparators rows(net);
    page on(net.inputs(), rows.bottom(), title);
    on.begin_wires();
    for (std::uint32_t i = 0; i < net.inputs(); ++i) on.wire(page::x(i), margin, on.bottom());
    on.add("</g>");
    on.add(R"(<g stroke="#1f77b4" stroke-width="2" fill="#1f77b4">)");
    for (std::size_t i = 0; i < net.size(); ++i) {
        const sorting_network::node& c = net.comparators()[i];
        on.add(R"(<path d="M{} {}H{}"/>)", page::x(c.low), rows.of(i), page::x(c.high));
        for (const std::uint32_t end : {c.low, c.high}) {
            on.add(R"(<circle cx="{}" cy="{}" r="{}"/>)", page::x(end), rows.of(i), dot_radius);
        }
    }
    on.add("</g>");
    on.labels(net.inputs(), [](std::uint32_t i) { return fmt::format("y{}", i); });
    return on.document();
}

}  // namespace lookback::strategies
