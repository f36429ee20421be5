// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "ui/panels/communication/pipeline_legend.h"
#include "ui/panels/communication/pipeline_view.h"
#include "ui/panels/shared/run_panel.h"
#include "ui/timeline/selection/selection.h"

class QComboBox;
class QLabel;
class QScrollArea;

namespace rankscope::ui {

/// The pipelines of a job, one step at a time: ranks as rows, micro-batches as numbered boxes, with the schedule, the
/// measured and the theoretical bubble, and what is unknown.
class PipelinePanel : public RunPanel {
    Q_OBJECT

  public:
    explicit PipelinePanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows the pipeline of the selection's rank, at the step of a slice; if that rank is in no pipeline, nothing
    /// changes.
    void follow(const Selection& selection);
    /// The same for a rank of a run, at a step of that rank.
    void showRank(std::uint32_t run, RankPosition rank, const std::optional<RankStepPosition>& step);
    void setTheme(const Theme& theme) override;

    /// The text of the panel above the picture, as plain text.
    [[nodiscard]] QString summary() const;
    [[nodiscard]] PipelineView& view() { return *view_; }
    /// The shown picture; nullptr if there is none.
    [[nodiscard]] const PipelinePicture* picture() const { return picture_.get(); }
    /// Chooses a step by its index in Pipeline::steps.
    void setStep(std::size_t step);

  Q_SIGNALS:
    /// The user wants to see a slice on the timeline.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  private:
    void wireChoices();
    void offerChoices(const AnalysedRun* of) override;
    void showRun(const std::shared_ptr<const AnalysedRun>& of) override;
    void showNothing(const QString& why) override;
    /// The chosen pipeline, or nullptr.
    [[nodiscard]] const Pipeline* pipeline() const;
    /// The pipelines of the chosen run.
    [[nodiscard]] std::span<const Pipeline> pipelines() const;
    /// Offers the steps of the chosen pipeline, with its typical step chosen.
    void offerSteps();
    void showPicture(std::shared_ptr<const PipelinePicture> picture);
    void tell(const Pipeline& pipeline, std::size_t step);
    [[nodiscard]] static QString aboutBubble(const Pipeline& pipeline, std::size_t step);

    std::shared_ptr<const PipelinePicture> picture_;
    QLabel* title_;
    QLabel* about_;
    QLabel* notes_;
    QComboBox* pipeline_;
    QComboBox* step_;
    PipelineLegend* legend_;
    PipelineView* view_;
    QScrollArea* scroll_;
};

}  // namespace rankscope::ui
