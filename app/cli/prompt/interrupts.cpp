// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/prompt/interrupts.h"

#include <pthread.h>

#include <ctime>
#include <thread>

namespace rankscope::cli {
namespace {

constexpr long kLookEveryNs = 20'000'000;

/// Whether Ctrl+C was pressed; waits up to kLookEveryNs for it.
bool isInterrupted(const sigset_t& interrupt) {
    const timespec wait{0, kLookEveryNs};
    return sigtimedwait(&interrupt, nullptr, &wait) == SIGINT;
}

}  // namespace

Interrupts::Interrupts() {
    sigemptyset(&only_interrupt_);
    sigaddset(&only_interrupt_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &only_interrupt_, &before_);
    struct sigaction nothing {};
    nothing.sa_handler = [](int) {};
    sigaction(SIGINT, &nothing, &action_before_);
}

Interrupts::~Interrupts() {
    sigaction(SIGINT, &action_before_, nullptr);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interrupts::whileCancellable(const std::function<void(std::stop_token stop)>& work) const {
    std::stop_source cancelled;
    const std::jthread watcher([this, &cancelled](const std::stop_token& done) {
        while (!done.stop_requested() && !isInterrupted(only_interrupt_)) {}
        if (!done.stop_requested()) {
            cancelled.request_stop();
        }
    });
    work(cancelled.get_token());
}

}  // namespace rankscope::cli
