// What a signal does before, while and after a file takes its place.

#include "interruption.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <barrier>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace lookback::cli;
using testing::KilledBySignal;

// Without SIGSEGV and other faults, which a sanitizer may have taken over.
constexpr int ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,   SIGXCPU, SIGALRM,
                                  SIGUSR1, SIGUSR2, SIGPROF, SIGVTALRM, SIGIO,   SIGPIPE};

class interruption : public testing::Test {
 protected:
    static void SetUpTestSuite() {
        const rlimit no_core_file{0, 0};
        setrlimit(RLIMIT_CORE, &no_core_file);
        // In the background of a script, SIGINT and SIGQUIT are ignored.
        for (const int s : ending_signals) std::signal(s, SIG_DFL);
    }
};

TEST_F(interruption, is_told_while_the_file_is_unfinished) {
    for (const int s : ending_signals) {
        EXPECT_EXIT(
            {
                clean_up_on_interrupt("/no/x.tmp", "x");
                std::raise(s);
            },
            KilledBySignal(s), "^lookback: interrupted; x was not written\n$");
    }
}

TEST_F(interruption, by_other_signals) {
    for (const int s : {SIGSYS, SIGRTMIN, SIGRTMAX}) {
        EXPECT_EXIT(
            {
                clean_up_on_interrupt("/no/x.tmp", "x");
                std::raise(s);
            },
            KilledBySignal(s), "^lookback: interrupted; x was not written\n$");
    }
}

// A program cannot continue after a fault in its own code, so a fault must not be held.
TEST_F(interruption, does_not_hold_faults) {
    EXPECT_EXIT(
        {
            clean_up_on_interrupt("/no/x.tmp", "x");
            hold_interrupts();
            std::raise(SIGSYS);
        },
        KilledBySignal(SIGSYS), "^$");
}

TEST_F(interruption, by_a_reader_that_goes_away_is_told_where_a_file_is_lost) {
    const KilledBySignal killed(SIGPIPE);
    EXPECT_EXIT(
        {
            clean_up_on_interrupt("", "standard output");
            std::raise(SIGPIPE);
        },
        killed, "^$");
    EXPECT_EXIT(
        {
            clean_up_on_interrupt("", "standard output");
            clean_up_on_interrupt("/no/x.tmp", "x");
            std::raise(SIGPIPE);
        },
        killed, "^lookback: interrupted; standard output is incomplete, x was not written\n$");
}

TEST_F(interruption, waits_while_it_is_held) {
    for (const int s : ending_signals) {
        EXPECT_EXIT(
            {
                clean_up_on_interrupt("/no/x.tmp", "x");
                hold_interrupts();
                std::raise(s);
                std::fputs("in place\n", stderr);
                nothing_to_clean_up();
                std::fputs("not reached\n", stderr);
            },
            KilledBySignal(s), "^in place\n$");
    }
}

TEST_F(interruption, ends_in_silence_when_the_file_is_finished) {
    for (const int s : ending_signals) {
        EXPECT_EXIT(
            {
                clean_up_on_interrupt("/no/x.tmp", "x");
                nothing_to_clean_up();
                std::raise(s);
            },
            KilledBySignal(s), "^$");
    }
}

TEST_F(interruption, tells_of_all_unfinished_files) {
    const auto tell = [](int finished) {
        clean_up_on_interrupt("/no/x.tmp", "x");
        clean_up_on_interrupt("", "y");
        for (int i = 0; i < finished; ++i) nothing_to_clean_up();
        std::raise(SIGINT);
    };
    const KilledBySignal killed(SIGINT);
    EXPECT_EXIT(tell(0), killed, "^lookback: interrupted; x was not written, y is incomplete\n$");
    EXPECT_EXIT(tell(1), killed, "^lookback: interrupted; x was not written\n$");
    EXPECT_EXIT(tell(2), killed, "^$");
}

TEST_F(interruption, waits_until_all_files_are_in_place) {
    EXPECT_EXIT(
        {
            clean_up_on_interrupt("/no/x.tmp", "x");
            clean_up_on_interrupt("/no/y.tmp", "y");
            hold_interrupts();
            std::raise(SIGINT);
            nothing_to_clean_up();
            std::fputs("in place\n", stderr);
            nothing_to_clean_up();
            std::fputs("not reached\n", stderr);
        },
        KilledBySignal(SIGINT), "^in place\n$");
}

TEST_F(interruption, leaves_ignored_signals_ignored) {
    EXPECT_EXIT(
        {
            std::signal(SIGHUP, SIG_IGN);
            clean_up_on_interrupt("", "x");
            std::raise(SIGHUP);
            nothing_to_clean_up();
            std::raise(SIGHUP);
            std::exit(0);
        },
        testing::ExitedWithCode(0), "^$");
}

// All threads that read the input find at about the same time that it is gone.
TEST_F(interruption, tells_once_that_input_is_lost) {
    for (int run = 0; run < 20; ++run) {
        EXPECT_EXIT(
            {
                explain_lost_input("", "x is lost");
                constexpr int count = 8;
                std::barrier start(count);
                std::vector<std::jthread> threads;
                for (int t = 0; t < count; ++t) {
                    threads.emplace_back([&] {
                        start.arrive_and_wait();
                        std::raise(SIGBUS);
                    });
                }
            },
            testing::ExitedWithCode(2), "^lookback: x is lost\n$");
    }
}

TEST_F(interruption, tells_which_input_is_lost) {
    for (int lost : {0, 1}) {
        EXPECT_EXIT(
            {
                std::FILE* file = std::tmpfile();
                const std::size_t page = 1 << 16;
                char* bytes[2];
                for (int i : {0, 1}) {
                    // The file has no bytes.
                    bytes[i] = static_cast<char*>(
                        mmap(nullptr, page, PROT_READ, MAP_SHARED, fileno(file), 0));
                    explain_lost_input({bytes[i], page}, i == 0 ? "x is lost" : "y is lost");
                }
                std::exit(*static_cast<volatile char*>(bytes[lost]));
            },
            testing::ExitedWithCode(2),
            lost == 0 ? "^lookback: x is lost\n$" : "^lookback: y is lost\n$");
    }
}
