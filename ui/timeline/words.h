// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace rankscope::ui {

/// `source`, translated among the words of the timeline: what its rows, its tooltips and its menus say.
[[nodiscard]] inline QString text(const char* source) {
    return QCoreApplication::translate("Timeline", source);
}

/// The same of so many things, which stand in place of "%n" (see plural()).
[[nodiscard]] inline QString counted(const char* source, int count) {
    return QCoreApplication::translate("Timeline", source, nullptr, count);
}

}  // namespace rankscope::ui
