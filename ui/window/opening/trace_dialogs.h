// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QSettings;
class QWidget;

namespace rankscope::ui {

// Every dialog for traces starts in the folder of the last opened or chosen path, which `settings` store.

/// Makes the next one start in the folder of this file, or in this folder; ignores paths that do not exist here.
void beginDialogsBeside(QSettings& settings, const QString& path);
/// Lets the user choose files to open; empty if cancelled.
[[nodiscard]] QStringList askForTraceFiles(QWidget* parent, QSettings& settings, const QString& title);
/// Lets the user choose a folder of traces; empty if cancelled.
[[nodiscard]] QString askForTraceFolder(QWidget* parent, QSettings& settings, const QString& title);

}  // namespace rankscope::ui
