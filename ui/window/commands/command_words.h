// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include "ui/window/main_window.h"

/// Titles and ids of commands, for the files that add commands.
namespace rankscope::ui::command_words {

/// A title, translated in the context of the namespace: there Qt's tools put a tr() that belongs to no class.
inline QString tr(const char* words) {
    return QCoreApplication::translate("rankscope::ui", words);
}

/// The id of a command, like "file.open-files", for the registry.
inline QString id(const char* name) {
    return QLatin1String(name);
}

}  // namespace rankscope::ui::command_words
