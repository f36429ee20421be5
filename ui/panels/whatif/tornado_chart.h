// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/whatif/what_if_run.h"
#include "ui/panels/shared/painted_cells.h"

namespace rankscope::ui {

/// A single change in the chart.
struct SingleChange {
    std::string text;         ///< as core/whatif reads it
    QString title;            ///< with its value
    DurationNs step_ns = 0;   ///< today
    DurationNs saved_ns = 0;  ///< of a step; negative: it costs time
    DurationNs low_ns = 0;    ///< the range of that; low <= saved <= high
    DurationNs high_ns = 0;
    bool at_most = false;  ///< an upper bound

    friend bool operator==(const SingleChange&, const SingleChange&) = default;
};

/// What a change saves alone, from its forecast.
[[nodiscard]] SingleChange singleChange(const std::string& text, const QString& title, const Forecast& forecast);
/// "saves 17.1 ms (35 %)", "saves up to ...", "costs ...", "changes nothing".
[[nodiscard]] QString savedWords(const SingleChange& change);

/// Single changes as bars from one line, by the time that each saves alone, the largest first. A bar to the left costs
/// time. A line over a bar is its range. A click asks to make the change.
class TornadoChart : public PaintedCells<std::size_t> {
    Q_OBJECT

  public:
    explicit TornadoChart(const Theme& theme, QWidget* parent = nullptr);

    /// Shows these, sorted.
    void setChanges(std::vector<SingleChange> changes);
    /// The changes from top to bottom.
    [[nodiscard]] const std::vector<SingleChange>& changes() const { return changes_; }
    /// Marks those of these texts as made.
    void setMade(std::vector<std::string> texts);

    /// The place of the bar of a row; rows have the indices of changes().
    [[nodiscard]] QRectF barOf(std::size_t row) const;
    [[nodiscard]] std::optional<std::size_t> cellAt(const QPointF& at) const override;
    [[nodiscard]] QString tipOf(const std::size_t& row) const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override { return changes_.size(); }
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;

  Q_SIGNALS:
    /// The user wants to make this change, or to take it back.
    void changeAsked(const std::string& text);
    /// The keyboard has gone to the row at this place, which may be out of sight.
    void rowReached(const QRect& place);

  private:
    [[nodiscard]] bool empty() const override { return changes_.empty(); }
    void layOut() override;
    void draw(QPainter& painter) const override;
    void drawOver(QPainter& painter) const override;
    [[nodiscard]] std::optional<std::size_t> next(int key) const override;
    void activate(const std::size_t& row) override;
    void goTo(const std::size_t& row) override;
    [[nodiscard]] QRectF rowPlace(std::size_t row) const;
    [[nodiscard]] double xOf(DurationNs saved_ns) const;
    [[nodiscard]] bool isMade(std::size_t row) const;
    void drawRow(QPainter& painter, std::size_t row) const;
    /// What a change saves, with its share of the step if there is room for it.
    [[nodiscard]] QString numberOf(const SingleChange& change) const;

    std::vector<SingleChange> changes_;
    std::vector<std::string> made_;
    double titles_ = 0;       // width of the titles
    double numbers_ = 0;      // width of the numbers
    DurationNs from_ns_ = 0;  // the time at the left end of the bars
    DurationNs to_ns_ = 1;    // and at the right end
};

}  // namespace rankscope::ui
