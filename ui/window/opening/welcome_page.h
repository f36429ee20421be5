// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace rankscope::ui {

/// The page shown while nothing is open: where to drop files, the recent entries, and the sample runs.
class WelcomePage : public QWidget {
    Q_OBJECT

  public:
    explicit WelcomePage(QWidget* parent = nullptr);

    /// Lists the recent entries: each is the paths that were opened together.
    void setRecent(const QList<QStringList>& entries);
    /// The folders of the sample runs; an empty list hides the link.
    void setSamples(const QStringList& folders);

  Q_SIGNALS:
    /// The user has chosen one of the entries or a sample.
    void openRequested(const QStringList& paths);
    void openFilesRequested();
    void openFolderRequested();

  private:
    [[nodiscard]] QWidget* dropArea() const;
    /// The whole content of the page, as one column.
    [[nodiscard]] QWidget* column();

    QWidget* recent_;
    QVBoxLayout* recent_list_;
    QWidget* samples_;
    QStringList sample_folders_;
};

}  // namespace rankscope::ui
