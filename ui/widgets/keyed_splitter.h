// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

namespace rankscope::ui {

/// A splitter whose divider can be moved by keys too: Tab leads to it, arrows move it, with Shift by a pixel, Home and
/// End move it as far as it goes. Its line is thin until the keyboard is there.
class KeyedSplitter : public QSplitter {
    Q_OBJECT

  public:
    /// `divider` says to screen readers what is divided: "Timeline and side".
    KeyedSplitter(Qt::Orientation orientation, QString divider, QWidget* parent = nullptr);

  protected:
    QSplitterHandle* createHandle() override;

  private:
    QString divider_;
};

}  // namespace rankscope::ui
