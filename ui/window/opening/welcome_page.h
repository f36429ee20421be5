// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace rankscope::ui {

/// What is seen while nothing is open: where to drop, what was open lately, and the sample runs.
class WelcomePage : public QWidget {
    Q_OBJECT

  public:
    explicit WelcomePage(QWidget* parent = nullptr);

    /// Lists what was opened lately: each entry is the paths that were opened together.
    void setRecent(const QList<QStringList>& entries);
    /// The folders of the sample runs; empty hides the link.
    void setSamples(const QStringList& folders);

  Q_SIGNALS:
    /// The user has chosen one of the entries or a sample.
    void openRequested(const QStringList& paths);
    void openFilesRequested();
    void openFolderRequested();

  private:
    [[nodiscard]] QWidget* dropArea() const;
    /// All that the page holds, one above the other.
    [[nodiscard]] QWidget* column();

    QWidget* recent_;
    QVBoxLayout* recent_list_;
    QWidget* samples_;
    QStringList sample_folders_;
};

}  // namespace rankscope::ui
