// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSettings;
class QWidget;

namespace rankscope::ui {

class CommandRegistry;

/// What shows the commands themselves: the palette, the keys, and where these are changed.
class CommandWindows : public QObject {
    Q_OBJECT

  public:
    CommandWindows(CommandRegistry& commands, QSettings& settings, QWidget* window);

    void showPalette();
    void showKeys();
    void changeKeys();

  private:
    void remember(const QString& id);

    CommandRegistry& commands_;
    QSettings& settings_;
    QWidget* window_;
};

}  // namespace rankscope::ui
