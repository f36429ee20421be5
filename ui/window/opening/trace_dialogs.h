// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QSettings;
class QWidget;

namespace rankscope::ui {

// Every dialog for traces begins beside what was opened or chosen last, which `settings` keep.

/// Lets the next one begin beside this file or folder; one that is not here changes nothing.
void beginDialogsBeside(QSettings& settings, const QString& path);
/// Lets the user choose files that can be opened; empty where that is cancelled.
[[nodiscard]] QStringList askForTraceFiles(QWidget* parent, QSettings& settings, const QString& title);
/// Lets the user choose a folder of traces; empty where that is cancelled.
[[nodiscard]] QString askForTraceFolder(QWidget* parent, QSettings& settings, const QString& title);

}  // namespace rankscope::ui
