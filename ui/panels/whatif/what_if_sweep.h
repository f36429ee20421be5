// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/whatif/what_if_run.h"
#include "ui/timeline/latest_job.h"

namespace rankscope::ui {

/// Plays changes one by one on a thread, each alone, and tells each forecast as soon as it is there.
class WhatIfSweep : public QObject {
    Q_OBJECT

  public:
    explicit WhatIfSweep(QObject* parent = nullptr);

    /// Starts from the first of these texts; the forecasts of an earlier start are dropped.
    void start(std::shared_ptr<const WhatIfRun> run, std::vector<std::string> texts);
    /// The forecasts are no longer needed.
    void stop();
    [[nodiscard]] bool busy() const { return run_ != nullptr; }
    /// The number of forecasts so far.
    [[nodiscard]] std::size_t played() const { return next_; }
    /// Waits for all forecasts, and tells them: for screenshots and tests.
    void finish();

  Q_SIGNALS:
    /// The forecast of texts[index] alone, or why this run cannot tell it.
    void known(std::size_t index, const rankscope::Result<rankscope::Forecast>& forecast);

  private:
    void playNext();

    std::shared_ptr<const WhatIfRun> run_;  // nullptr: nothing is left to do
    std::vector<std::string> texts_;
    std::size_t next_ = 0;
    LatestJob job_;
};

}  // namespace rankscope::ui
