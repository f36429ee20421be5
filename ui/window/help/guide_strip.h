// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/words/guide.h"
#include "ui/theme/theme.h"

class QLabel;
class QPushButton;

namespace rankscope::ui {

/// A guided tour of a run, stop by stop, in a strip above the timeline that covers nothing: a question, what is seen
/// here, what would be seen otherwise, and what to do.
class GuideStrip : public QWidget {
    Q_OBJECT

  public:
    explicit GuideStrip(QWidget* parent = nullptr);

    /// Begins at the first stop. If the run has no step for a tour, it says what to record.
    void start(std::shared_ptr<const AnalysedRun> run);
    /// Ends the tour if `runs` no longer contain its run.
    void keepTo(const std::vector<std::shared_ptr<const AnalysedRun>>& runs);
    /// The run of the tour; nullptr if there is none.
    [[nodiscard]] const std::shared_ptr<const AnalysedRun>& run() const { return run_; }
    /// The text of the current stop, as plain text.
    [[nodiscard]] QString words() const;

  Q_SIGNALS:
    /// The tour has reached this stop of run().
    void stopReached(const rankscope::report::GuideStop& stop);

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void goTo(std::size_t stop);
    void end();

    std::shared_ptr<const AnalysedRun> run_;
    std::vector<report::GuideStop> stops_;
    std::size_t at_ = 0;
    QLabel* question_;
    QLabel* where_;
    QLabel* seen_;
    QLabel* otherwise_;
    QLabel* next_;
    QPushButton* back_;
    QPushButton* forward_;
};

}  // namespace rankscope::ui
