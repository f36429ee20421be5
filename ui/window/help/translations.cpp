// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/translations.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QTranslator>
#include <memory>

namespace rankscope::ui {

QString translationsFolder() {
    const QDir program(QCoreApplication::applicationDirPath());
    // A build tree is at most this deep below the source tree: build/<preset>/<config>.
    for (const char* place : {"../share/rankscope/translations", "resources/translations", "../resources/translations",
                              "../../resources/translations", "../../../resources/translations"}) {
        const QString path = program.absoluteFilePath(QLatin1String(place));
        if (QDir(path).exists()) {
            return QDir::cleanPath(path);
        }
    }
    return {};
}

// Qt's own translation only together with ours: a half translated dialog is worse than an English one.
bool installTranslations(QCoreApplication& app, const QLocale& locale, const QString& folder) {
    auto own = std::make_unique<QTranslator>(&app);
    if (folder.isEmpty() || !own->load(locale, QStringLiteral("rankscope"), QStringLiteral("_"), folder)) {
        return false;
    }
    QCoreApplication::installTranslator(own.release());
    auto of_qt = std::make_unique<QTranslator>(&app);
    if (of_qt->load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                    QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(of_qt.release());
    }
    return true;
}

}  // namespace rankscope::ui
