// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace rankscope::ui {

/// A strip that says how many files are missing, of a session or of the traces of digests, and lets the user name the
/// folder where they are now.
class LocateOffer : public QWidget {
    Q_OBJECT

  public:
    explicit LocateOffer(QWidget* parent = nullptr);

    /// Says that `missing` of `of_files` are not where the session expects them; 0 hides it.
    void setMissing(int missing, int of_files);
    /// Says that the traces of `missing` digests cannot be reached, and in which folder they were; 0 hides it.
    void setMissingTraces(int missing, const QString& lay_in);
    /// Shows the last text of setMissingTraces() again, even if the user dismissed it. If no trace was missing then,
    /// says that one in `lay_in` cannot be reached. Adds that a step of `rank` needs it.
    void askAgain(const QString& rank, const QString& lay_in);
    /// Says that the chosen folder contains none of them.
    void sayNotThere(const QString& folder);

  Q_SIGNALS:
    /// The user has named a folder.
    void located(const QString& folder);

  private:
    void askForFolder();

    QLabel* about_;
    int missing_ = 0;  // traces of digests
    QString lay_in_;
};

}  // namespace rankscope::ui
