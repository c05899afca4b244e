"""How many times the networks apply the operator in a scan of n items.

    work_plot.py OUTPUT...        OUTPUT.svg or OUTPUT.png

As figures 9.4 and 9.8 of Kirk & Hwu, "Programming Massively Parallel Processors". The tests
check that the networks have these numbers. Needs matplotlib (Debian's python3-matplotlib).
"""

from plotting import (BLUE, GREEN, GREY, ORANGE, PURPLE, draw_lines, finish, label_ends, main,
                      plain_numbers, pyplot, size_axis)

LOGS = range(4, 11)
LINES = (("serial", lambda n, log: n - 1, {"color": GREY, "marker": "v"}),
         ("Brent-Kung: work-efficient", lambda n, log: 2 * n - 2 - log,
          {"color": BLUE, "marker": "s"}),
         ("reduce-then-scan, radix 2", lambda n, log: 3 * (n - 1) - 2 * log,
          {"color": GREEN, "marker": "^"}),
         ("Sklansky: least depth", lambda n, log: n * log // 2, {"color": PURPLE, "marker": "P"}),
         ("Kogge-Stone, Hillis & Steele: least depth", lambda n, log: n * log - (n - 1),
          {"color": ORANGE, "marker": "D"}))


def draw():
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.8))
    draw_lines(left, ((label, [(1 << log, work(1 << log, log)) for log in LOGS], style)
                      for label, work, style in LINES))
    draw_lines(right, ((label, [(1 << log, work(1 << log, log) / ((1 << log) - 1))
                                for log in LOGS], style) for label, work, style in LINES))
    for axes, title in ((left, "operators"), (right, "operators, in those of the serial network")):
        size_axis(axes, [1 << log for log in LOGS])
        axes.set_title(title, fontsize=11)
    left.set_yscale("log")
    plain_numbers(left.yaxis)
    right.set_ylim(bottom=0)
    label_ends(right, digits=1)
    return finish(figure, "The work of scan networks, lower is better",
                  "counted, not measured: the same on every machine", wspace=0.14)


if __name__ == "__main__":
    main(__doc__, None, draw)
