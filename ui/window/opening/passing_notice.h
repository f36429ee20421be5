// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class QTimer;

namespace rankscope::ui {

/// Words over the lower edge of a widget that disappear by themselves, or with a click: nothing below them moves.
class PassingNotice : public QLabel {
    Q_OBJECT

  public:
    explicit PassingNotice(QWidget& over);

    /// Shows these words for kShownMs, replacing the previous ones.
    void say(const QString& words);
    static constexpr int kShownMs = 8'000;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void place();

    QTimer* shown_;
};

}  // namespace rankscope::ui
