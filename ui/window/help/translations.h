// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

class QCoreApplication;

namespace rankscope::ui {

/// The folder with the translations, rankscope_<language>.qm; empty where there is none.
[[nodiscard]] QString translationsFolder();

/// Has the window speak the user's language where `folder` has a translation into it, and Qt's own texts with it.
/// Returns whether there was one; without, all stays English. To be called before a window is made.
bool installTranslations(QCoreApplication& app, const QLocale& locale, const QString& folder);

}  // namespace rankscope::ui
