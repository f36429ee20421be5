// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/ingest/load.h"

namespace rankscope::cli {

/// One line on standard error that says how far the work has come. Silent where standard error is no terminal.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// From any thread; drawn at most ten times a second. `total` of 0 means unknown.
    void show(const std::string& what, std::uint64_t done, std::uint64_t total);
    void clear();

  private:
    std::mutex mutex_;
    const bool terminal_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_;
};

/// Turns what a load reports into a progress line, and keeps why files failed.
class LoadProgress : public LoadObserver {
  public:
    LoadProgress(const RunSource& source, ProgressLine& line);

    void fileProgress(std::size_t file, std::uint64_t done, std::uint64_t total, std::uint64_t json_bytes) override;
    void fileFailed(std::size_t file, const Error& error) override;

    /// The files of the run that could not be read, in the order in which that came out.
    [[nodiscard]] const std::vector<Error>& failures() const { return failures_; }

  private:
    std::string name_;
    ProgressLine& line_;
    std::vector<std::uint64_t> done_;
    std::uint64_t total_ = 0;
    std::vector<Error> failures_;
};

}  // namespace rankscope::cli
