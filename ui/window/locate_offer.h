// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace rankscope::ui {

/// A strip that says how many files of a session are missing, and lets the user name the folder in which they lie now.
class LocateOffer : public QWidget {
    Q_OBJECT

  public:
    explicit LocateOffer(QWidget* parent = nullptr);

    /// Says that `missing` of `of_files` are not where the session says; 0 hides it.
    void setMissing(int missing, int of_files);

  Q_SIGNALS:
    /// The user has named a folder.
    void located(const QString& folder);

  private:
    void askForFolder();

    QLabel* about_;
};

}  // namespace rankscope::ui
