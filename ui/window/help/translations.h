// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

class QCoreApplication;

namespace rankscope::ui {

/// The folder with the translations, rankscope_<language>.qm; empty if there is none.
[[nodiscard]] QString translationsFolder();

/// Translates the window into the user's language if `folder` has a translation into it, and Qt's own texts too.
/// Returns whether there was one; else everything stays English. Call it before a window is made.
bool installTranslations(QCoreApplication& app, const QLocale& locale, const QString& folder);

}  // namespace rankscope::ui
