// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/quit.h"

#include <unistd.h>

#include <QSocketNotifier>
#include <array>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <thread>

namespace rankscope::ui {
namespace {

constexpr std::array kSignals = {SIGTERM, SIGINT, SIGHUP};

// A signal handler may call almost nothing, and gets no argument: it writes a byte into this pipe.
std::array<int, 2> g_pipe = {-1, -1};

void onSignal(int /*signal*/) {
    const char byte = 0;
    if (::write(g_pipe[1], &byte, 1) < 0) {
        std::signal(SIGTERM, SIG_DFL);
    }
}

void handle(void (*handler)(int)) {
    for (const int signal : kSignals) {
        struct sigaction action {};
        action.sa_handler = handler;
        action.sa_flags = handler == SIG_DFL ? 0 : static_cast<int>(SA_RESETHAND | SA_RESTART);
        ::sigaction(signal, &action, nullptr);
    }
}

}  // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {
    if (::pipe(g_pipe.data()) != 0) {
        return;  // in this case the signals end the process, as by default
    }
    notifier_ = new QSocketNotifier(g_pipe[0], QSocketNotifier::Read, this);
    connect(notifier_, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        if (::read(g_pipe[0], &byte, 1) == 1) {
            Q_EMIT quitAsked();
        }
    });
    handle(onSignal);
}

QuitSignals::~QuitSignals() {
    if (notifier_ == nullptr) {
        return;
    }
    handle(SIG_DFL);
    delete notifier_;
    for (int& end : g_pipe) {
        ::close(end);
        end = -1;
    }
}

void endProcessWithin(std::chrono::milliseconds patience, int exit_code) {
    try {
        std::thread([patience, exit_code] {
            std::this_thread::sleep_for(patience);
            std::_Exit(exit_code);
        }).detach();
    } catch (const std::system_error&) {  // no thread could be started to wait for the others
        std::_Exit(exit_code);
    }
}

}  // namespace rankscope::ui
