// SPDX-License-Identifier: GPL-3.0-or-later
// The process ends when it is asked to, whatever its threads are at.
#include "ui/window/commands/quit.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <csignal>
#include <thread>

namespace rankscope::ui {
namespace {

TEST(QuitDeathTest, AProcessThatHangsEndsWithItsExitCode) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto hang = [] {
        endProcessWithin(std::chrono::milliseconds(1), 7);
        std::this_thread::sleep_for(std::chrono::hours(1));
    };
    EXPECT_EXIT(hang(), testing::ExitedWithCode(7), "");
}

TEST(Quit, ASignalAsksToQuitAndTheNextOneEndsTheProcess) {
    QuitSignals signals;
    QSignalSpy asked(&signals, &QuitSignals::quitAsked);
    ASSERT_EQ(std::raise(SIGTERM), 0);
    EXPECT_TRUE(asked.wait(60'000));
    EXPECT_EQ(asked.count(), 1);
    struct sigaction now {};
    ASSERT_EQ(::sigaction(SIGTERM, nullptr, &now), 0);
    EXPECT_EQ(now.sa_handler, SIG_DFL) << "the second one is not asked about";
}

TEST(Quit, WithoutTheObjectASignalIsWhatItWas) {
    { const QuitSignals signals; }
    struct sigaction now {};
    ASSERT_EQ(::sigaction(SIGINT, nullptr, &now), 0);
    EXPECT_EQ(now.sa_handler, SIG_DFL);
}

}  // namespace
}  // namespace rankscope::ui
