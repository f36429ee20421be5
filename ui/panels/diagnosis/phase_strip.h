// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/panels/shared/painted_cells.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {

/// The phases of a step as one bar, in their order in a step. The bar is a step: each phase is as long as its share of
/// the GPU's time, or of the CPU's in a run without GPU work. Phases that overlap and fill more than a step share the
/// bar. A phase leads to its time in a typical step.
class PhaseStrip : public PaintedCells<Phase> {
    Q_OBJECT

  public:
    PhaseStrip(std::shared_ptr<const AnalysedRun> run, const Theme& theme, QWidget* parent = nullptr);

    /// Whether any phase but the rest is known.
    [[nodiscard]] bool hasPhases() const { return !phases_.empty(); }
    /// Whether lengths are of the GPU's time.
    [[nodiscard]] bool ofDevice() const { return of_device_; }
    /// Whether the shares add up to more than the step: phases run at the same time.
    [[nodiscard]] bool overlap() const;
    /// Where a phase is drawn; empty if it is not.
    [[nodiscard]] QRectF placeOf(Phase phase) const;
    [[nodiscard]] std::optional<Phase> cellAt(const QPointF& at) const override;
    [[nodiscard]] QString tipOf(const Phase& phase) const override;

    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override { return phases_.size(); }
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;
    [[nodiscard]] QSize sizeHint() const override;

  Q_SIGNALS:
    /// The user wants to see a phase: this span of a rank, on the clock of its file.
    void spanAsked(rankscope::RankPosition rank, const rankscope::TimeSpan& span);

  private:
    struct Shown {
        Phase phase = Phase::Other;
        double share = 0;  ///< share of the steps, 0 to 1
        QString name;
        QString share_text;
        QString tip;
        bool leads = false;
    };

    [[nodiscard]] const Shown* find(Phase phase) const;
    [[nodiscard]] double sumOfShares() const;
    [[nodiscard]] bool empty() const override { return phases_.empty(); }
    void layOut() override;
    void draw(QPainter& painter) const override;
    void drawOver(QPainter& painter) const override;
    [[nodiscard]] std::optional<Phase> next(int key) const override;
    void activate(const Phase& phase) override;
    [[nodiscard]] bool leads(const Phase& phase) const override;
    [[nodiscard]] QRect tipPlace(const QPointF& at) const override;
    [[nodiscard]] std::optional<QPoint> tipOfKeys(const Phase& phase) const override;

    std::shared_ptr<const AnalysedRun> run_;
    bool of_device_;
    std::vector<Shown> phases_;   // in the order of the bar
    std::vector<BarPart> parts_;  // as phases_, plus the rest of the step
};

}  // namespace rankscope::ui
