// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/progress.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "ui/panels/shared/analysis_choice.h"

namespace rankscope::ui {

/// Analyses open runs again, on another clock, with other roles, with prices of other iterations or by other name
/// rules, on its own threads. Of several requests for one run the newest wins.
class Reanalysis : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Reanalysis)

  public:
    explicit Reanalysis(QObject* parent = nullptr);
    /// Stops and waits for its threads.
    ~Reanalysis() override;

    /// Analyses `run` with this choice, on a thread. An earlier request for the same run is cancelled.
    void start(const std::shared_ptr<const Run>& run, const AnalysisChoice& choice);
    /// The choice with which a run is being analysed again; nothing if it is not, or if that was cancelled.
    [[nodiscard]] std::optional<AnalysisChoice> pending(const Run& run) const;
    /// Cancels all analyses; finished() follows for each, without a result.
    void cancel();
    /// Whether a run is being analysed.
    [[nodiscard]] bool busy() const { return !jobs_.empty(); }

  Q_SIGNALS:
    /// The progress of one of the analyses.
    void progressed(const rankscope::Progress& progress);
    /// The newest request for a run has ended. `result` is nullptr if it was cancelled or failed.
    void finished(const std::shared_ptr<const rankscope::Run>& run, const rankscope::ui::AnalysisChoice& choice,
                  const std::shared_ptr<const rankscope::AnalysedRun>& result);

  private:
    struct Job {
        std::uint64_t number = 0;
        AnalysisChoice choice;
        std::jthread thread;
    };

    void end(std::uint64_t number, const std::shared_ptr<const Run>& run, const AnalysisChoice& choice,
             const std::shared_ptr<const AnalysedRun>& result);

    std::map<const Run*, Job> jobs_;
    std::map<std::uint64_t, std::jthread> retired_;  // stopped, not joined yet: joining must not block the window
    std::uint64_t last_ = 0;
};

}  // namespace rankscope::ui
