// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>
#include <QToolTip>
#include <QWidget>
#include <optional>
#include <utility>

#include "ui/theme/plain_text.h"
#include "ui/theme/spoken.h"
#include "ui/theme/text_scale.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// A widget that paints cells. Pointing at a cell shows its tip, a click goes to it and activates it, keys walk from
/// cell to cell, and Enter activates the current one. `Cell` identifies a cell: a value with ==. A derived widget
/// defines where its cells are, how they are drawn, and what they say.
template <class Cell>
class PaintedCells : public QWidget, public Spoken {
  public:
    explicit PaintedCells(const Theme& theme, QWidget* parent = nullptr) : QWidget(parent), theme_(theme) {
        setFocusPolicy(Qt::StrongFocus);
        setMouseTracking(true);
    }

    /// Draws in the colours and the font of this theme from now on.
    void setTheme(const Theme& theme) {
        theme_ = theme;
        layOut();
    }
    /// The current cell of the keyboard; nothing before the first arrow or click.
    [[nodiscard]] const std::optional<Cell>& current() const { return current_; }
    /// The cell at a point of the widget; nothing outside the cells.
    [[nodiscard]] virtual std::optional<Cell> cellAt(const QPointF& at) const = 0;
    /// The tip of a cell.
    [[nodiscard]] virtual QString tipOf(const Cell& cell) const = 0;

  protected:
    /// Whether there are no cells: then only drawOver() is drawn, and keys go to the parent.
    [[nodiscard]] virtual bool empty() const = 0;
    /// Places the cells again for another size or theme, and calls redraw().
    virtual void layOut() = 0;
    /// Draws everything that does not depend on the pointer or the keyboard, over the surface. It is cached until
    /// redraw().
    virtual void draw(QPainter& painter) const = 0;
    /// Draws everything that depends on them, on top.
    virtual void drawOver(QPainter& painter) const = 0;
    /// The cell that an arrow, Home or End leads to; nothing: none. Such an arrow does nothing; Home and End then go to
    /// the parent.
    [[nodiscard]] virtual std::optional<Cell> next(int key) const = 0;
    /// The user wants to go to the target of a cell.
    virtual void activate(const Cell& cell) = 0;
    /// Whether a cell has a target, so that the pointer over it is a hand.
    [[nodiscard]] virtual bool leads(const Cell& /*cell*/) const { return true; }
    /// Whether a key with these modifiers walks and activates.
    [[nodiscard]] virtual bool walksWith(Qt::KeyboardModifiers modifiers) const { return modifiers == Qt::NoModifier; }
    /// The tip at a point; empty: none.
    [[nodiscard]] virtual QString tipAt(const QPointF& at) const {
        const auto cell = cellAt(at);
        return cell ? tipOf(*cell) : QString();
    }
    /// Where the tooltip of a cell is shown while keys walk; nothing: it is shown only for the pointer.
    [[nodiscard]] virtual std::optional<QPoint> tipOfKeys(const Cell& /*cell*/) const { return std::nullopt; }
    /// The area in which the pointer may move while the tooltip of a point stays; empty: anywhere.
    [[nodiscard]] virtual QRect tipPlace(const QPointF& /*at*/) const { return {}; }
    /// Makes a cell the current one.
    virtual void goTo(const Cell& cell) {
        current_ = cell;
        update();
        tellContentChanged(*this);
    }

    [[nodiscard]] const Theme& theme() const { return theme_; }
    /// The cell under the pointer.
    [[nodiscard]] const std::optional<Cell>& pointed() const { return pointed_; }
    /// The font of the theme in this size, which grows with the size of text.
    [[nodiscard]] QFont font(int pixels) const {
        QFont font = theme_.ui_font;
        font.setPixelSize(scaled(pixels, theme_));
        return font;
    }
    /// Clears the current cell, because other cells are shown now.
    void forgetCurrent() { current_.reset(); }
    /// Clears the cell under the pointer.
    void forgetPointed() {
        pointed_.reset();
        update();
    }
    /// The result of draw() has changed.
    void redraw() {
        drawn_ = {};
        update();
    }

    bool event(QEvent* event) override {
        if (event->type() == QEvent::ToolTip) {
            const auto* help = static_cast<QHelpEvent*>(event);
            const QString words = empty() ? QString() : tipAt(help->pos());
            words.isEmpty() ? QToolTip::hideText()
                            : QToolTip::showText(help->globalPos(), plainTip(words), this, tipPlace(help->pos()));
            return true;
        }
        return QWidget::event(event);
    }

    void paintEvent(QPaintEvent* /*event*/) override {
        if (!empty() && (drawn_.isNull() || drawn_.devicePixelRatio() != devicePixelRatioF())) {
            drawn_ = QPixmap((QSizeF(size()) * devicePixelRatioF()).toSize());
            drawn_.setDevicePixelRatio(devicePixelRatioF());
            drawn_.fill(theme_.surface);
            QPainter kept(&drawn_);
            draw(kept);
        }
        QPainter painter(this);
        if (!empty()) {
            painter.drawPixmap(0, 0, drawn_);
        }
        drawOver(painter);
    }

    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        layOut();
    }

    void mouseMoveEvent(QMouseEvent* event) override {
        const auto cell = cellAt(event->position());
        setCursor(cell && leads(*cell) ? Qt::PointingHandCursor : Qt::ArrowCursor);
        if (std::exchange(pointed_, cell) != cell) {
            update();
        }
    }

    void mouseReleaseEvent(QMouseEvent* event) override {
        if (const auto cell = event->button() == Qt::LeftButton ? cellAt(event->position()) : std::nullopt) {
            goTo(*cell);
            activate(*cell);
        }
    }

    void leaveEvent(QEvent* event) override {
        forgetPointed();
        QWidget::leaveEvent(event);
    }

    void keyPressEvent(QKeyEvent* event) override {
        const int key = event->key();
        const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
        // NOLINTNEXTLINE(bugprone-branch-clone): keys that have no use here go on, for two reasons
        if (empty() || !walksWith(event->modifiers())) {
            QWidget::keyPressEvent(event);
        } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            if (current_) {
                activate(*current_);
            }
        } else if (const auto to = arrow || key == Qt::Key_Home || key == Qt::Key_End ? next(key) : std::nullopt) {
            goTo(*to);
            if (const std::optional<QPoint> at = tipOfKeys(*to)) {
                QToolTip::showText(mapToGlobal(*at), plainTip(tipOf(*to)), this);
            }
        } else if (!arrow) {
            QWidget::keyPressEvent(event);
        }
    }

    void focusInEvent(QFocusEvent* event) override {
        QWidget::focusInEvent(event);
        update();
    }

    void focusOutEvent(QFocusEvent* event) override {
        QWidget::focusOutEvent(event);
        update();
    }

  private:
    Theme theme_;
    QPixmap drawn_;  // the cached result of draw(); null: draw again
    std::optional<Cell> current_;
    std::optional<Cell> pointed_;
};

}  // namespace rankscope::ui
