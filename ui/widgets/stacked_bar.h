// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>
#include <vector>

#include "core/analysis/facts.h"
#include "core/base/time.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"

class QPainter;

namespace rankscope::ui {

/// One part of a bar, as wide as its share of all parts.
struct BarPart {
    DurationNs ns = 0;  ///< or bytes, if all parts of the bar are memory
    QColor colour;
    QString what;           ///< "DataLoader 58.2 ms": in the part if it fits, and in the tooltip
    bool is_waste = false;  ///< nothing runs then, or it only waits: hatched like gaps
};

/// Draws `parts` side by side into `area`; a part that is not empty is at least one pixel wide. They do not depend on
/// colour alone: there is a line between two, waste is hatched, and a part contains its words if they fit. `surface` is
/// the colour around the bar.
void paintStackedBar(QPainter& painter, const QRectF& area, const std::vector<BarPart>& parts, const QColor& surface);

/// The place of each part of a bar over `area`: zero width for empty parts.
[[nodiscard]] std::vector<QRectF> placesOfParts(const QRectF& area, const std::vector<BarPart>& parts);
/// All parts in words, as a list: "Compute 30 ms, Idle 10 ms".
[[nodiscard]] QString partsText(const std::vector<BarPart>& parts);

/// The colour of a cause in bars and tables, as in charts and in the reports.
[[nodiscard]] QColor causeColour(Cause cause, const Theme& theme);

/// A bar of parts on a row of its own.
class StackedBar : public QWidget, public Spoken {
    Q_OBJECT

  public:
    explicit StackedBar(QWidget* parent = nullptr);
    /// Replaces the parts; they are drawn from left to right, in proportion to their sizes.
    void setParts(std::vector<BarPart> parts);
    [[nodiscard]] QSize sizeHint() const override;
    /// The text for screen readers: each part.
    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override;
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;

  protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    std::vector<BarPart> parts_;
};

}  // namespace rankscope::ui
