// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "ui/commands/palette_model.h"

class QSettings;
class QWidget;

namespace rankscope::ui {

class CommandRegistry;

/// The windows about commands: the palette, the list of keys, and the dialog that changes keys.
class CommandWindows : public QObject {
    Q_OBJECT

  public:
    CommandWindows(CommandRegistry& commands, QSettings& settings, QWidget* window);

    /// Opens the palette of all commands over the window, recently used ones first.
    void showPalette();
    /// Lets the user choose one of `entries` by a few letters of its name; `take` gets its id.
    void choose(std::vector<PaletteEntry> entries, const QString& hint,
                const std::function<void(const QString&)>& take);
    /// Opens the help that lists all keys.
    void showKeys();
    /// Opens the dialog in which the user gives commands other keys.
    void changeKeys();

  Q_SIGNALS:
    /// The user typed a question in SQL into the palette of commands.
    void questionAsked(const QString& sql);

  private:
    void remember(const QString& id);

    CommandRegistry& commands_;
    QSettings& settings_;
    QWidget* window_;
};

}  // namespace rankscope::ui
