// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>
#include <vector>

#include "core/analysis/facts.h"
#include "core/base/time.h"
#include "ui/theme/theme.h"

class QPainter;

namespace rankscope::ui {

/// One part of a bar, as wide as its share of all parts.
struct BarPart {
    DurationNs ns = 0;
    QColor colour;
    QString what;  ///< for the tool tip: "DataLoader 58.2 ms"
};

/// Draws `parts` side by side into `area`; a part that is there is at least one pixel wide.
void paintStackedBar(QPainter& painter, const QRectF& area, const std::vector<BarPart>& parts);

/// The colour that a cause has in bars and tables.
[[nodiscard]] QColor causeColour(Cause cause, const Theme& theme);

/// A bar of parts on a row of its own.
class StackedBar : public QWidget {
    Q_OBJECT

  public:
    explicit StackedBar(QWidget* parent = nullptr);
    /// Shows these parts from left to right, in proportion to their sizes, in place of the ones before.
    void setParts(std::vector<BarPart> parts);
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    std::vector<BarPart> parts_;
};

}  // namespace rankscope::ui
