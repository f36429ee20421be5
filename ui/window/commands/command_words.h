// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include "ui/window/main_window.h"

/// How the files that add commands write a command's title and its id.
namespace rankscope::ui::command_words {

/// A title, translated among the words of commands: in the context of the namespace, which is where Qt's tools put a
/// tr() that belongs to no class.
inline QString tr(const char* words) {
    return QCoreApplication::translate("rankscope::ui", words);
}

/// The id of a command, like "file.open-files", as the registry takes it.
inline QString id(const char* name) {
    return QLatin1String(name);
}

}  // namespace rankscope::ui::command_words
