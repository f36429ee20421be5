// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <functional>
#include <stop_token>

namespace rankscope::cli {

/// As long as it lives, Ctrl+C does not end the program. It cancels what is done by whileCancellable(), and wakes who
/// waits for input with waitingMask(). One at a time, on the main thread; threads that are started later inherit it.
class Interrupts {
  public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    /// Runs `work` with a token that is stopped by Ctrl+C, and returns when it returns.
    void whileCancellable(const std::function<void(std::stop_token stop)>& work) const;
    /// The signals to block while waiting for input with ppoll(), which Ctrl+C then ends with EINTR.
    [[nodiscard]] const sigset_t& waitingMask() const { return before_; }

  private:
    sigset_t only_interrupt_{};
    sigset_t before_{};
    struct sigaction action_before_ {};
};

}  // namespace rankscope::cli
