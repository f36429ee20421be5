// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/device/overlap_efficiency.h"
#include "ui/charts/run_chart.h"

namespace rankscope::ui {

/// One rank over its steady-state steps, or one step of a rank.
struct OverlapBar {
    RankPosition rank;
    std::optional<RankStepPosition> step;  ///< nothing: the sum over the counted steps
    OverlapEfficiency overlap;

    /// The average of a sum per step.
    [[nodiscard]] DurationNs mean(DurationNs sum_ns) const {
        return sum_ns / static_cast<DurationNs>(overlap.steps > 0 ? overlap.steps : 1);
    }
};
/// A bar per rank; for one rank a bar for each of its steps. Without steps that are incomplete or outliers, and those
/// without computation or communication.
[[nodiscard]] std::vector<OverlapBar> overlapBars(const AnalysedRun& run, std::optional<RankPosition> rank);
/// "rank 3", or "step 7".
[[nodiscard]] QString overlapTitle(const AnalysedRun& run, const OverlapBar& bar);

/// Hidden and exposed communication next to each other: of each rank, or of each step of one.
class OverlapChart : public RunChart {
    Q_OBJECT

  public:
    explicit OverlapChart(const Theme& theme, QWidget* parent = nullptr);

    /// Draws the steps of this rank; nothing: all ranks.
    void setRank(std::optional<RankPosition> rank);
    /// The drawn bars, in the order of the keyboard.
    [[nodiscard]] const std::vector<OverlapBar>& bars() const { return bars_; }

  protected:
    QString fill() override;
    void refresh() override;

  private:
    [[nodiscard]] QString words(const OverlapBar& bar) const;
    void activate(const OverlapBar& bar);

    std::optional<RankPosition> rank_;
    std::vector<OverlapBar> bars_;
    QGraphicsItem* names_ = nullptr;
};

}  // namespace rankscope::ui
