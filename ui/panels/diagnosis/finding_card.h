// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"

class QLabel;

namespace rankscope::ui {

/// One finding in three lines: what fixing it saves, what it is, where it is and what to change. A click, Enter or
/// Space activates it; the right button does too, and opens a menu of its actions().
class FindingCard : public QFrame, public Spoken {
    Q_OBJECT

  public:
    FindingCard(const AnalysedRun& run, const Finding& finding, const Theme& theme, QWidget* parent = nullptr);

    /// Marks or unmarks the card as the selected one.
    void setSelected(bool selected);
    /// Whether the card is marked.
    [[nodiscard]] bool selected() const { return selected_; }
    /// Draws the card in the colours of this theme from now on.
    void setTheme(const Theme& theme);

    /// For screen readers: a button with its price, its ranks and its first remedy.
    [[nodiscard]] QAccessible::Role spokenRole() const override { return QAccessible::Button; }
    [[nodiscard]] QString spokenContent() const override;

  Q_SIGNALS:
    /// The card was clicked, or activated by a key.
    void activated();

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    Theme theme_;
    Severity severity_;
    Confidence confidence_;
    bool selected_ = false;
    bool hovered_ = false;
    QLabel* saving_;
};

}  // namespace rankscope::ui
