// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/theme/notice.h"
#include "ui/theme/theme.h"
#include "ui/window/opening/run_loader.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace rankscope::ui {

class LoadingModel;
class PassingNotice;

/// Shows a load while it goes on, a row a file, and gets out of the way when it is done. Files that could not be read
/// stay, with their reasons, until the user dismisses them.
class LoadingStrip : public QWidget, public NoticeBoard {
    Q_OBJECT

  public:
    LoadingStrip(RunLoader& loader, const Theme& theme, QWidget* parent = nullptr);

    /// Draws progress and failures in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// A load of these paths begins. One that `goes_on` has waited for another: what failed of that stays, and they are
    /// counted together.
    void begin(const QStringList& paths, bool goes_on = false);
    /// Hides the strip, unless a load goes on.
    void dismiss();
    /// Something else could not be read or written; it stays until the user dismisses it.
    void showFailure(const Error& error);
    /// Says that something has been done, until it is dismissed; nothing while files are read, which is more.
    void showNotice(const QString& title, const QString& about) override;
    /// Says why a command did nothing, over the page that the window shows, whatever the strip shows.
    void showPassing(const QString& words) override;
    /// Puts away what showPassing() says: something has been done since.
    void endPassing();
    /// Says what the load is at.
    void showStage(const QString& stage);
    /// The files of the load, with what became of them.
    [[nodiscard]] const LoadingModel& model() const { return *model_; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void connectLoader(RunLoader& loader);
    void countRows();
    /// Rows of no file.
    [[nodiscard]] int otherRows() const { return failed_ranks_ + unreached_ + folders_; }
    void end(bool cancelled);
    /// Says how a load ended: `failed` of `all` files could not be read.
    void tellEnd(bool cancelled, int failed, int all);
    /// Gives each column what its words take in text of this size, and leaves the last one room.
    void fitColumns();
    /// Makes the rows as high as what they say, which is wrapped, and the table as high as the first of them.
    void fitRows();

    LoadingModel* model_;
    Theme theme_;
    QList<QStringList> opened_;  // what title_ names
    QString title_;
    bool running_ = false;
    bool goes_on_ = false;   // the load follows another
    int failed_ranks_ = 0;   // of files that were read
    int unreached_ = 0;      // places on other machines, which are no files
    int folders_ = 0;        // that hold no traces
    int loaded_before_ = 0;  // by the loads that this one follows
    int failed_before_ = 0;
    bool analysed_ = false;             // the run that came last has its facts
    PassingNotice* passing_ = nullptr;  // once there is something to say
    QLabel* head_;
    QLabel* about_;
    QProgressBar* whole_;
    QPushButton* button_;
    QTableView* rows_;
};

}  // namespace rankscope::ui
