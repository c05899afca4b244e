#include "svg.hpp"

#include <fmt/format.h>

#include <iterator>

namespace lookback::strategies {
namespace {

constexpr unsigned pitch = 40;   // between columns, and between steps
constexpr unsigned margin = 40;  // room for labels
constexpr unsigned radius = 8;
constexpr unsigned most_labelled = 32;

class drawing {
 public:
    explicit drawing(const network& net) : net_(net) {
        for (const network::node& op : net.operators()) steps_ = std::max(steps_, op.step);
    }

    std::string document(const std::string& title) {
        const unsigned width = 2 * margin + pitch * (std::max(net_.inputs(), 1U) - 1);
        const unsigned height = bottom() + margin;
        add(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" )"
            R"(height="{1}" font-family="sans-serif" font-size="11" text-anchor="middle">)",
            width, height);
        add("<title>{}</title>", title);
        add(R"(<rect width="100%" height="100%" fill="white"/>)");
        add(R"(<g stroke="#52606d" stroke-width="1.2" fill="none">)");
        for (const network::node& op : net_.operators()) wires_to(op);
        for (const value v : net_.outputs()) wire(x(net_.column(v)), y(net_.step(v)), bottom());
        add("</g>");
        add(R"(<g fill="#1f77b4">)");
        for (const network::node& op : net_.operators()) {
            add(R"(<circle cx="{}" cy="{}" r="{}"/>)", x(op.column), y(op.step), radius);
        }
        add("</g>");
        add(R"(<g stroke="white" stroke-width="1.5">)");
        for (const network::node& op : net_.operators()) plus(x(op.column), y(op.step));
        add("</g>");
        if (net_.inputs() <= most_labelled) labels();
        add("</svg>");
        return std::move(text_);
    }

 private:
    static unsigned x(std::uint32_t column) { return margin + pitch * column; }
    static unsigned y(std::uint32_t step) { return margin + pitch * step; }
    unsigned bottom() const { return y(steps_ + 1); }

    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += '\n';
    }
    void wire(unsigned at, unsigned from, unsigned to) {
        add(R"(<path d="M{} {}V{}"/>)", at, from, to);
    }

    // The right operand comes straight down; the left one does, too, until a step before.
    void wires_to(const network::node& op) {
        wire(x(op.column), y(net_.step(op.right)), y(op.step));
        add(R"(<path d="M{} {}V{}L{} {}"/>)", x(net_.column(op.left)), y(net_.step(op.left)),
            y(op.step - 1), x(op.column), y(op.step));
    }
    void plus(unsigned cx, unsigned cy) {
        constexpr unsigned arm = 4;
        add(R"(<path d="M{} {}h{}M{} {}v{}"/>)", cx - arm, cy, 2 * arm, cx, cy - arm, 2 * arm);
    }
    void labels() {
        add(R"(<g fill="#323f4b">)");
        for (std::uint32_t i = 0; i < net_.inputs(); ++i) {
            add(R"(<text x="{}" y="{}">x{}</text>)", x(i), y(0) - 8, i);
            add(R"(<text x="{}" y="{}">{}</text>)", x(i), bottom() + 16,
                i == 0 ? "x0" : fmt::format("x0:x{}", i));
        }
        add("</g>");
    }

    const network& net_;
    std::uint32_t steps_ = 0;
    std::string text_;
};

}  // namespace

std::string draw_svg(const network& net, const std::string& title) {
    return drawing(net).document(title);
}

}  // namespace lookback::strategies
