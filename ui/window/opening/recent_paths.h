// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

class QSettings;

namespace rankscope::ui {

/// Recently opened paths, newest first, stored in the settings. An entry is the paths that were opened together.
class RecentPaths {
  public:
    static constexpr int kKept = 8;

    explicit RecentPaths(QSettings& settings) : settings_(settings) {}

    /// The entries, newest first, up to kKept.
    [[nodiscard]] QList<QStringList> entries() const;
    /// Puts `paths` first; duplicates are removed.
    void add(const QStringList& paths);
    /// Removes all entries.
    void clear();

    /// An entry for people: "FourWorkers", or "4 files of FourWorkers". The folders above distinguish paths of the same
    /// name: "a/traces + b/traces".
    [[nodiscard]] static QString title(const QStringList& entry);
    /// The titles of several entries; equal titles get the folders above them.
    [[nodiscard]] static QStringList titles(const QList<QStringList>& entries);
    /// Whether it certainly has several runs: several folders or archives, or one next to files.
    [[nodiscard]] static bool isOfSeveralRuns(const QStringList& entry);
    /// Its place: the folder around it.
    [[nodiscard]] static QString place(const QStringList& entry);

  private:
    QSettings& settings_;
};

}  // namespace rankscope::ui
