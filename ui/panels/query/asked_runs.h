// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/query/database.h"
#include "core/tables/selection_table.h"
#include "ui/panels/query/answer.h"
#include "ui/timeline/selection/asked_marks.h"

namespace rankscope::ui {

/// A question, and what came of it.
struct Asked {
    std::shared_ptr<const Answer> answer;     ///< nullptr if it failed or was cancelled
    std::shared_ptr<const AskedMarks> marks;  ///< its places; nullptr if there are none
    std::optional<Error> error;               ///< why it failed
    std::chrono::nanoseconds took{0};         ///< to find the rows
};

/// The area on the timeline that a question is asked with.
struct AskedArea {
    std::optional<tables::AreaOfRun> area;
    std::uint64_t revision = 0;  ///< another one for each other area
};

/// The open runs as a database. It is made for the first question, and then kept with its indices. Only for the thread
/// that asks.
class AskedRuns {
  public:
    /// All runs are analysed.
    AskedRuns(OpenRuns runs, JobCompanions companions) : runs_(std::move(runs)), companions_(std::move(companions)) {}

    /// Answers a question. `rows` counts them meanwhile.
    [[nodiscard]] Asked ask(const std::string& sql, const AskedArea& area, std::atomic<std::uint64_t>& rows,
                            const std::stop_token& stop);

  private:
    OpenRuns runs_;
    JobCompanions companions_;
    AskedArea area_;
    std::unique_ptr<query::Database> database_;
};

}  // namespace rankscope::ui
