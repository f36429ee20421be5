// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/samples.h"

#include <QCoreApplication>
#include <QDir>

namespace rankscope::ui {

QStringList sampleRuns() {
    const QDir program(QCoreApplication::applicationDirPath());
    // A build tree lies at most this deep below the source tree: build/<preset>/<config>.
    const QStringList places = {QStringLiteral("../share/rankscope/samples"), QStringLiteral("resources/samples"),
                                QStringLiteral("../resources/samples"), QStringLiteral("../../resources/samples"),
                                QStringLiteral("../../../resources/samples")};
    for (const QString& place : places) {
        const QDir samples(QDir::cleanPath(program.absoluteFilePath(place)));
        QStringList runs;
        for (const QString& name : samples.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
            runs.append(samples.absoluteFilePath(name));
        }
        if (!runs.isEmpty()) {
            return runs;
        }
    }
    return {};
}

}  // namespace rankscope::ui
