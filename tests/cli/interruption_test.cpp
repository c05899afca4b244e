// What a signal does before, while and after a file takes its place.

#include "interruption.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

using namespace lookback::cli;
using testing::KilledBySignal;

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};

class interruption : public testing::Test {
 protected:
    static void SetUpTestSuite() {
        const rlimit no_core_file{0, 0};
        setrlimit(RLIMIT_CORE, &no_core_file);
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
