// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

namespace rankscope::ui {

/// A splitter whose divider can also be moved with keys: Tab leads to it, arrows move it, with Shift by a pixel, Home
/// and End as far as possible. Its line is thin until it has the keyboard focus.
class KeyedSplitter : public QSplitter {
    Q_OBJECT

  public:
    /// `divider` is its text for screen readers: "Timeline and side".
    KeyedSplitter(Qt::Orientation orientation, QString divider, QWidget* parent = nullptr);

  protected:
    QSplitterHandle* createHandle() override;

  private:
    QString divider_;
};

}  // namespace rankscope::ui
