// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/panels/diagnosis/late_ranks.h"
#include "ui/panels/shared/painted_cells.h"

namespace rankscope::ui {

/// The ranks of a run as dots on a line, each at its lateness: from 0 at the left to that of the latest, or to 5 % of a
/// step if that is more. Ranks that stand out have their names above. Dots that would cover each other are stacked. A
/// dot leads to its rank.
class LateDots : public PaintedCells<RankPosition> {
    Q_OBJECT

  public:
    LateDots(std::shared_ptr<const AnalysedRun> run, const Theme& theme, QWidget* parent = nullptr);

    /// Whether the lateness of ranks is known.
    [[nodiscard]] bool hasRanks() const { return !ranks_.empty(); }
    /// The middle of a rank's dot.
    [[nodiscard]] QPointF placeOf(RankPosition rank) const;
    /// The names above the line, the latest first.
    [[nodiscard]] QStringList labels() const;
    /// The rank of the nearest dot, if it is near enough.
    [[nodiscard]] std::optional<RankPosition> cellAt(const QPointF& at) const override;
    [[nodiscard]] QString tipOf(const RankPosition& rank) const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override;
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;

  Q_SIGNALS:
    /// The user wants to see a rank.
    void rankAsked(rankscope::RankPosition rank);

  private:
    struct Label {
        QRectF place;
        QString words;
    };

    [[nodiscard]] bool empty() const override { return ranks_.empty(); }
    void layOut() override;
    void placeDots();
    void placeLabels();
    void draw(QPainter& painter) const override;
    void drawOver(QPainter& painter) const override;
    [[nodiscard]] std::optional<RankPosition> next(int key) const override;
    void activate(const RankPosition& rank) override { Q_EMIT rankAsked(rank); }
    [[nodiscard]] bool leads(const RankPosition& rank) const override;
    [[nodiscard]] std::optional<QPoint> tipOfKeys(const RankPosition& rank) const override;
    /// The index of a rank in ranks_; ranks_.size() if it is not there.
    [[nodiscard]] std::size_t indexOf(RankPosition rank) const;
    [[nodiscard]] QString labelOf(const LateRank& late) const;
    [[nodiscard]] double radius() const;

    std::shared_ptr<const AnalysedRun> run_;
    std::vector<LateRank> ranks_;  // the latest first
    std::vector<QPointF> places_;  // as ranks_
    std::vector<Label> labels_;
};

}  // namespace rankscope::ui
