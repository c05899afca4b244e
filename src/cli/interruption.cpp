#include "interruption.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace lookback::cli {
namespace {

// What the handlers read. They may not allocate, so everything is ready before they are installed.
using line = std::array<char, 8192>;
line unfinished_file;
line interrupt_message;
line lost_input_message;

void set(line& to, const std::string& text) {
    const std::size_t length = std::min(text.size(), to.size() - 1);
    std::memcpy(to.data(), text.data(), length);
    to[length] = '\0';
}

void tell(const line& message) {
    // Nobody is left to hear that this failed.
    [[maybe_unused]] const auto told = write(STDERR_FILENO, message.data(), strlen(message.data()));
}

void remove_unfinished() {
    if (unfinished_file[0] != '\0') unlink(unfinished_file.data());
}

extern "C" void lookback_interrupted(int signal_number) {
    remove_unfinished();
    tell(interrupt_message);
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
}

extern "C" void lookback_lost_input(int) {
    remove_unfinished();
    tell(lost_input_message);
    _exit(2);
}

void install(int signal_number, void (*handler)(int)) {
    struct sigaction action {};
    sigaction(signal_number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) return;  // nohup, or a shell's background job
    action = {};
    action.sa_handler = handler;
    sigaction(signal_number, &action, nullptr);
}

// A progress bar may be on the line.
std::string on_clean_line(const std::string& message) {
    return (isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "") + message + "\n";
}

}  // namespace

void clean_up_on_interrupt(const std::string& unfinished, const std::string& target) {
    set(unfinished_file, unfinished);
    set(interrupt_message,
        on_clean_line("lookback: interrupted; " + target +
                      (unfinished.empty() ? " is incomplete" : " was not written")));
    for (const int s : {SIGINT, SIGTERM, SIGHUP}) install(s, lookback_interrupted);
}

void nothing_to_clean_up() { unfinished_file[0] = '\0'; }

void explain_lost_input(const std::string& path) {
    set(lost_input_message, on_clean_line("lookback: " + path +
                                          ": cannot read: it was truncated during the run, or its "
                                          "disk failed"));
    install(SIGBUS, lookback_lost_input);
}

}  // namespace lookback::cli
