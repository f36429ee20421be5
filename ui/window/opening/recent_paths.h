// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

class QSettings;

namespace rankscope::ui {

/// What was opened lately, newest first, kept in the settings. An entry is the paths that were opened together.
class RecentPaths {
  public:
    static constexpr int kKept = 8;

    explicit RecentPaths(QSettings& settings) : settings_(settings) {}

    /// What was opened lately, the latest first, at most kKept entries.
    [[nodiscard]] QList<QStringList> entries() const;
    /// Puts `paths` first; the same paths are never there twice.
    void add(const QStringList& paths);
    /// Forgets all entries.
    void clear();

    /// An entry for people: "FourWorkers", or "4 files of FourWorkers". The folders above distinguish paths of the same
    /// name: "a/traces + b/traces".
    [[nodiscard]] static QString title(const QStringList& entry);
    /// Several entries side by side, those that would be called the same with the folders above them.
    [[nodiscard]] static QStringList titles(const QList<QStringList>& entries);
    /// Whether it is certainly of several runs: of several folders or archives, or of one beside files.
    [[nodiscard]] static bool isOfSeveralRuns(const QStringList& entry);
    /// Its place: the folder around it.
    [[nodiscard]] static QString place(const QStringList& entry);

  private:
    QSettings& settings_;
};

}  // namespace rankscope::ui
