// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/samples.h"

#include <QCoreApplication>
#include <QDir>

namespace rankscope::ui {
namespace {

/// The baseline for comparing; the slower run comes first.
const QString kBaseline = QStringLiteral("ZeroWorkers");

}  // namespace

QStringList sampleRuns() {
    const QDir program(QCoreApplication::applicationDirPath());
    // A build tree is at most this deep below the source tree: build/<preset>/<config>.
    const QStringList places = {QStringLiteral("../share/rankscope/samples"), QStringLiteral("resources/samples"),
                                QStringLiteral("../resources/samples"), QStringLiteral("../../resources/samples"),
                                QStringLiteral("../../../resources/samples")};
    for (const QString& place : places) {
        const QDir samples(QDir::cleanPath(program.absoluteFilePath(place)));
        QStringList runs;
        for (const QString& name : samples.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
            const QString path = samples.absoluteFilePath(name);
            name == kBaseline ? runs.prepend(path) : runs.append(path);
        }
        if (!runs.isEmpty()) {
            return runs;
        }
    }
    return {};
}

}  // namespace rankscope::ui
