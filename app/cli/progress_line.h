// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "core/request/run_request.h"

namespace rankscope::cli {

/// A line on standard error that shows the progress. Silent if standard error is not a terminal.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Callable from any thread; drawn at most ten times per second. `total` 0: unknown.
    void show(const std::string& what, std::uint64_t done, std::uint64_t total);
    void clear();

  private:
    std::mutex mutex_;
    const bool terminal_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_;
};

/// Shows on standard error what happens to a request: its progress, and what could not be read with the file, the byte
/// and the cause.
class OnStandardError : public RequestObserver {
  public:
    void progress(const Progress& at) override;
    void note(const std::string& text) override;
    void failure(const Error& error) override;
    /// Removes the line of progress, before anything else is printed.
    void clear() { line_.clear(); }

  private:
    ProgressLine line_;
};

}  // namespace rankscope::cli
