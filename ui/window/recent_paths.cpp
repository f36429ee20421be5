// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recent_paths.h"

#include <QDir>
#include <QFileInfo>
#include <QObject>
#include <QSettings>
#include <algorithm>

#include "core/remote/remote_path.h"

namespace rankscope::ui {
namespace {

const QString kArray = QStringLiteral("recent");
const QString kPaths = QStringLiteral("paths");

/// It may be gone by now.
bool isFolder(const QFileInfo& path) {
    return path.isDir() || (!path.exists() && path.suffix().isEmpty());
}

}  // namespace

QList<QStringList> RecentPaths::entries() const {
    QList<QStringList> all;
    const int count = settings_.beginReadArray(kArray);
    for (int i = 0; i < count; ++i) {
        settings_.setArrayIndex(i);
        const QStringList paths = settings_.value(kPaths).toStringList();
        if (!paths.isEmpty()) {
            all.append(paths);
        }
    }
    settings_.endArray();
    return all;
}

void RecentPaths::add(const QStringList& paths) {
    QStringList absolute;
    for (const QString& path : paths) {
        absolute.append(isRemotePath(path.toStdString()) ? path : QFileInfo(path).absoluteFilePath());
    }
    QList<QStringList> all = entries();
    all.removeAll(absolute);
    all.prepend(absolute);
    while (all.size() > kKept) {
        all.removeLast();
    }
    clear();
    settings_.beginWriteArray(kArray, static_cast<int>(all.size()));
    for (int i = 0; i < all.size(); ++i) {
        settings_.setArrayIndex(i);
        settings_.setValue(kPaths, all.at(i));
    }
    settings_.endArray();
}

void RecentPaths::clear() {
    settings_.remove(kArray);
}

QString RecentPaths::title(const QStringList& entry) {
    const QFileInfo first(entry.value(0));
    if (entry.size() == 1) {
        return first.fileName();
    }
    QStringList places;
    for (const QString& path : entry) {
        places.append(QFileInfo(path).absolutePath());
    }
    places.removeDuplicates();
    if (places.size() > 1 || isFolder(first)) {
        QStringList names;
        for (const QString& path : entry) {
            names.append(QFileInfo(path).fileName());
        }
        return names.mid(0, 3).join(QStringLiteral(" + ")) + (names.size() > 3 ? QStringLiteral(" + ...") : QString());
    }
    return QObject::tr("%n files of %1", nullptr, static_cast<int>(entry.size())).arg(first.dir().dirName());
}

bool RecentPaths::isOfSeveralRuns(const QStringList& entry) {
    return entry.size() > 1 && std::ranges::any_of(entry, [](const QString& path) {
               return isFolder(QFileInfo(path)) || path.endsWith(QStringLiteral(".zip"));
           });
}

QString RecentPaths::place(const QStringList& entry) {
    QString place = QFileInfo(entry.value(0)).absolutePath();
    const QString home = QDir::homePath();
    if (place.startsWith(home + QLatin1Char('/'))) {
        place.replace(0, home.size(), QStringLiteral("~"));
    }
    return place;
}

}  // namespace rankscope::ui
