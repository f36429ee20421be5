// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"

class QPainter;

namespace rankscope::ui {

/// Cells of a map are striped from this heat on, so that the hottest do not depend on colour alone.
inline constexpr double kStripedHeat = 0.8;

/// Draws stripes over a cell.
void paintStripes(QPainter& painter, const QRectF& place, const Theme& theme);
/// Draws the cell of a rank without a file.
void paintMissing(QPainter& painter, const QRectF& place, const Theme& theme);

/// The legend of a map's colours: its scale with both ends, and how missing cells are drawn.
class HeatLegend : public QWidget, public Spoken {
    Q_OBJECT

  public:
    explicit HeatLegend(const Theme& theme, QWidget* parent = nullptr);

    /// The ends of the scale, for people; `unknown` and `missing`: whether there are such cells.
    void setScale(const QString& from, const QString& to, bool unknown, bool missing);
    /// Whether the hottest cells are striped; true by default.
    void setStriped(bool striped);
    [[nodiscard]] bool striped() const { return striped_; }
    void setTheme(const Theme& theme);

    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] QAccessible::Role spokenRole() const override { return QAccessible::Graphic; }
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] QFont legendFont() const;

    Theme theme_;
    QString from_;
    QString to_;
    bool unknown_ = false;
    bool missing_ = false;
    bool striped_ = true;
};

}  // namespace rankscope::ui
