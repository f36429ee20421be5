// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/trace_dialogs.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

namespace rankscope::ui {
namespace {

const QString kFolderKey = QStringLiteral("last_folder");

}  // namespace

void beginDialogsBeside(QSettings& settings, const QString& path) {
    if (const QFileInfo chosen(path); chosen.exists()) {
        settings.setValue(kFolderKey, chosen.absolutePath());
    }
}

QStringList askForTraceFiles(QWidget* parent, QSettings& settings, const QString& title) {
    QStringList files = QFileDialog::getOpenFileNames(
        parent, title, settings.value(kFolderKey).toString(),
        QObject::tr("Traces, snapshots, logs and dumps (*.json *.json.gz *.json.zst *.gz "
                    "*.zst *.pftrace *.perfetto-trace *.zip *.tar *.tgz *.sqlite *.pickle *.pkl *.log *.out *.txt);;"
                    "All files (*)"));
    if (!files.isEmpty()) {
        beginDialogsBeside(settings, files.first());
    }
    return files;
}

QString askForTraceFolder(QWidget* parent, QSettings& settings, const QString& title) {
    QString folder = QFileDialog::getExistingDirectory(parent, title, settings.value(kFolderKey).toString());
    if (!folder.isEmpty()) {
        beginDialogsBeside(settings, folder);
    }
    return folder;
}

}  // namespace rankscope::ui
