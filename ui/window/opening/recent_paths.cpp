// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/recent_paths.h"

#include <QDir>
#include <QFileInfo>
#include <QObject>
#include <QSettings>
#include <algorithm>
#include <vector>

#include "core/ingest/files/archive.h"
#include "core/remote/remote_path.h"

namespace rankscope::ui {
namespace {

const QString kArray = QStringLiteral("recent");
const QString kPaths = QStringLiteral("paths");

/// It may no longer exist.
bool isFolder(const QFileInfo& path) {
    return path.isDir() || (!path.exists() && path.suffix().isEmpty());
}

constexpr int kMostAbove = 6;  // folders that distinguish two of the same name

/// The name of a path with this many of the folders above it: "job-a/traces".
QString nameWith(int above, const QString& path) {
    const QStringList parts = path.split(QLatin1Char('/'), Qt::SkipEmptyParts);
    return parts.size() <= above ? path
                                 : parts.mid(std::max<qsizetype>(0, parts.size() - above - 1)).join(QLatin1Char('/'));
}

QString titleWith(int above, const QStringList& entry);

/// Titles with enough folders to distinguish different entries, at least `least`.
QStringList titlesApart(const QList<QStringList>& entries, int least) {
    std::vector<int> above(static_cast<std::size_t>(entries.size()), least);
    QStringList titles;
    bool alike = true;
    for (int round = 0; alike && round <= kMostAbove; ++round) {
        titles.clear();
        for (qsizetype i = 0; i < entries.size(); ++i) {
            titles.append(titleWith(above[static_cast<std::size_t>(i)], entries[i]));
        }
        alike = false;
        for (qsizetype i = 0; i < entries.size(); ++i) {
            for (qsizetype j = 0; j < entries.size(); ++j) {
                if (titles[i] == titles[j] && entries[i] != entries[j]) {
                    ++above[static_cast<std::size_t>(i)];
                    alike = true;
                    break;
                }
            }
        }
    }
    return titles;
}

QString titleWith(int above, const QStringList& entry) {
    const QFileInfo first(entry.value(0));
    if (entry.size() <= 1) {
        return nameWith(above, entry.value(0));
    }
    QStringList places;
    for (const QString& path : entry) {
        places.append(QFileInfo(path).absolutePath());
    }
    places.removeDuplicates();
    if (places.size() > 1 || isFolder(first)) {
        QList<QStringList> each;
        for (const QString& path : entry) {
            each.append(QStringList{path});
        }
        const QStringList names = titlesApart(each, above);
        return names.mid(0, 3).join(QStringLiteral(" + ")) + (names.size() > 3 ? QStringLiteral(" + ...") : QString());
    }
    return QObject::tr("%n files of %1", nullptr, static_cast<int>(entry.size()))
        .arg(nameWith(above, first.dir().path()));
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
    return titleWith(0, entry);
}

QStringList RecentPaths::titles(const QList<QStringList>& entries) {
    return titlesApart(entries, 0);
}

bool RecentPaths::isOfSeveralRuns(const QStringList& entry) {
    return entry.size() > 1 && std::ranges::any_of(entry, [](const QString& path) {
               return isFolder(QFileInfo(path)) || isArchiveName(path.toStdString());
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
