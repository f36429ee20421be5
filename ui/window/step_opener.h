// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/result.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "ui/timeline/latest_job.h"

namespace rankscope::ui {

class Session;
class TimelineWidget;

/// Opens a step of a rank from its trace, next to its run of digests: with stacks, args and all names as recorded. A
/// thread searches the trace, which is then read like any other, with progress and Cancel.
class StepOpener : public QObject {
    Q_OBJECT

  public:
    explicit StepOpener(Session& session, QObject* parent = nullptr);

    /// The step in view of the selected rank, or of the only rank.
    void open(const TimelineWidget& timeline);
    /// Step `number`, as in reports, of a rank of an open run.
    void open(const std::shared_ptr<const AnalysedRun>& run, RankPosition rank, std::int64_t number);
    /// Goes to a step of a rank of the open runs, both by their numbers in reports: opened() gives its place. While
    /// runs are being read, that waits for goOn(); a step that was not read is opened from its trace.
    void goTo(RankNumber rank, std::int64_t number);
    /// Reading has ended: goes to the step that has waited for it, unless other paths were opened since.
    void goOn();
    /// Whether a thread is searching the trace.
    [[nodiscard]] bool busy() const { return job_.busy(); }

  Q_SIGNALS:
    /// The reason why nothing is opened, in words.
    void told(const QString& words);
    /// What goTo() waits for, in words.
    void waiting(const QString& words);
    /// The trace of a rank, by its name, cannot be reached: it was in that folder.
    void notHere(const QString& rank, const QString& lay_in);
    /// A step is open and analysed, by open() or goTo(): the index of its run among the open ones, its rank and the
    /// step.
    void opened(std::uint32_t run, rankscope::RankPosition rank, rankscope::RankStepPosition step);

  private:
    /// What is being opened.
    struct Opening {
        std::int64_t number = 0;  ///< number of the step, as in reports
        std::size_t parts_before = 0;
    };

    void tellOpened();
    /// The number of open parts of runs.
    [[nodiscard]] std::size_t partsOpen() const;

    Session& session_;
    LatestJob job_;
    std::optional<Opening> opening_;
    std::optional<std::pair<RankNumber, std::int64_t>> awaited_;  // step that is being loaded
};

}  // namespace rankscope::ui
