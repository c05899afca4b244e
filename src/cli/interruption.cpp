#include "interruption.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "error.hpp"

namespace lookback::cli {
namespace {

// All signals that end a program by default and can be caught. (SIGXFSZ is ignored where files are
// opened.)
constexpr int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
constexpr int requests[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGUSR1,   SIGUSR2, SIGPIPE, SIGALRM,
                            SIGTERM, SIGSTKFLT, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR};
template <class F>
void for_ending_signals(const F& f) {
    for (const int s : faults) f(s);
    for (const int s : requests) f(s);
    for (int s = SIGRTMIN; s <= SIGRTMAX; ++s) f(s);
}

// A signal may come on any thread, so blocking it on one thread would not hold it back.
enum class stage { working, held, interrupted, over };
std::atomic<stage> current_stage{stage::over};
std::atomic<int> held_signal{0};
std::atomic<bool> is_input_lost{false};
static_assert(std::atomic<stage>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free &&
              std::atomic<std::size_t>::is_always_lock_free);

// What the handlers read. They may not allocate, so everything is prepared before they are
// installed.
using line = std::array<char, 8192>;
struct unfinished_output {
    line file;  // empty: nothing to remove
    line fate;
};
constexpr std::size_t most_outputs = 3;  // of a command, plus a temporary file
std::array<unfinished_output, most_outputs> outputs;
std::atomic<std::size_t> open_outputs{0};
line interrupt_message;
struct mapped_input {
    std::string_view bytes;
    line message;
};
constexpr std::size_t most_inputs = 2;  // of a command
std::array<mapped_input, most_inputs> inputs;
std::atomic<std::size_t> last_input{0};

void set(line& to, const std::string& text) {
    const std::size_t length = std::min(text.size(), to.size() - 1);
    std::memcpy(to.data(), text.data(), length);
    to[length] = '\0';
}

void tell(const char* message) {
    // There is no way to report that this failed.
    [[maybe_unused]] const auto told = write(STDERR_FILENO, message, strlen(message));
}

bool is_fault(int signal_number) {
    return std::find(std::begin(faults), std::end(faults), signal_number) != std::end(faults);
}

// Returns false if there was nothing to remove.
bool remove_unfinished() {
    bool is_any = false;
    for (std::size_t i = 0; i < open_outputs; ++i) {
        if (outputs[i].file[0] == '\0') continue;
        unlink(outputs[i].file.data());
        is_any = true;
    }
    return is_any;
}

void tell_fates() {
    tell(interrupt_message.data());
    for (std::size_t i = 0; i < open_outputs; ++i) {
        if (i > 0) tell(", ");
        tell(outputs[i].fate.data());
    }
    tell("\n");
}

extern "C" void lookback_interrupted(int signal_number) {
    held_signal = signal_number;  // first: the thread that ends the hold reads it after the stage
    stage before = stage::working;
    if (current_stage.compare_exchange_strong(before, stage::interrupted)) {
        // If a reader goes away, and no file had to be removed, nothing is said.
        if (remove_unfinished() || signal_number != SIGPIPE) tell_fates();
    } else if (before != stage::over && !is_fault(signal_number)) {
        return;  // a fault would come again at once
    }
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
}

// The message of the input that a thread has just failed to read. If the address belongs to no
// input, it is the message of the last input.
const line& loss_at(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (const mapped_input& input : inputs) {
        const auto begin = reinterpret_cast<std::uintptr_t>(input.bytes.data());
        if (at >= begin && at - begin < input.bytes.size()) return input.message;
    }
    return inputs[last_input].message;
}

extern "C" void lookback_lost_input(int, siginfo_t* info, void*) {
    while (is_input_lost.exchange(true)) pause();  // another thread is ending the program
    remove_unfinished();
    tell(loss_at(info->si_addr).data());
    _exit(2);
}

// Does not replace SIG_IGN (as nohup and background jobs of a shell set it) or another handler,
// such as that of `explain_lost_input` or a sanitizer's.
void install(int signal_number, const struct sigaction& action) {
    struct sigaction before {};
    sigaction(signal_number, nullptr, &before);
    if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) return;
    sigaction(signal_number, &action, nullptr);
}

// Only for signals that `install` took over: an ignored signal stays ignored.
void restore(int signal_number) {
    struct sigaction action {};
    sigaction(signal_number, nullptr, &action);
    if (action.sa_handler == lookback_interrupted) std::signal(signal_number, SIG_DFL);
}

// The line may show a progress bar.
std::string on_clean_line(const std::string& message) {
    return (isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "") + message;
}

}  // namespace

void clean_up_on_interrupt(const std::string& unfinished, const std::string& target) {
    const std::size_t before = open_outputs;
    set(outputs.at(before).file, unfinished);
    set(outputs.at(before).fate,
        printable(target) + (unfinished.empty() ? " is incomplete" : " was not written"));
    if (before == 0) set(interrupt_message, on_clean_line("lookback: interrupted; "));
    open_outputs = before + 1;  // a handler that runs earlier does not see this output yet
    if (before > 0) return;
    held_signal = 0;
    current_stage = stage::working;
    struct sigaction action {};
    action.sa_handler = lookback_interrupted;
    for_ending_signals([&](int s) { install(s, action); });
}

void hold_interrupts() {
    stage before = stage::working;
    if (current_stage.compare_exchange_strong(before, stage::held)) return;
    while (before == stage::interrupted) pause();  // another thread is ending the program
}

void nothing_to_clean_up() {
    if (open_outputs > 1) {
        --open_outputs;
        return;
    }
    const bool was_held = current_stage.exchange(stage::over) == stage::held;
    open_outputs = 0;
    for_ending_signals(restore);
    if (was_held && held_signal != 0) std::raise(held_signal);
}

void explain_lost_input(std::string_view bytes, const std::string& message) {
    const auto unused = std::find_if(inputs.begin(), inputs.end(),
                                     [](const mapped_input& input) { return input.bytes.empty(); });
    const std::size_t at = unused != inputs.end()
                               ? static_cast<std::size_t>(unused - inputs.begin())
                               : (last_input + 1) % most_inputs;
    inputs.at(at).bytes = bytes;
    set(inputs.at(at).message, on_clean_line("lookback: " + printable(message) + "\n"));
    last_input = at;
    struct sigaction action {};
    action.sa_sigaction = lookback_lost_input;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, nullptr);
}

void forget_lost_input(std::string_view bytes) {
    for (mapped_input& input : inputs) {
        if (input.bytes.data() == bytes.data()) input.bytes = {};
    }
}

}  // namespace lookback::cli
