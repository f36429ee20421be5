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

/// Shows a load while it runs, a row per file, and hides when it is done. Files that could not be read stay, with their
/// reasons, until the user dismisses them.
class LoadingStrip : public QWidget, public NoticeBoard {
    Q_OBJECT

  public:
    LoadingStrip(RunLoader& loader, const Theme& theme, QWidget* parent = nullptr);

    /// Draws progress and failures in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// A load of these paths begins. One that `goes_on` has waited for another: failures of that one stay, and both are
    /// counted together.
    void begin(const QStringList& paths, bool goes_on = false);
    /// Hides the strip, unless a load is running.
    void dismiss();
    /// Something else could not be read or written; it stays until the user dismisses it.
    void showFailure(const Error& error);
    /// Says that something has been done, until it is dismissed; does nothing while files are being read.
    void showNotice(const QString& title, const QString& about) override;
    /// Says why a command did nothing, over the page that the window shows, independent of the strip.
    void showPassing(const QString& words) override;
    /// Removes the text of showPassing(): something has been done since.
    void endPassing();
    /// Shows the stage of the load.
    void showStage(const QString& stage);
    /// The files of the load, with their states.
    [[nodiscard]] const LoadingModel& model() const { return *model_; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void connectLoader(RunLoader& loader);
    void countRows();
    /// Rows that are not files.
    [[nodiscard]] int otherRows() const { return failed_ranks_ + unreached_ + folders_; }
    void end(bool cancelled);
    /// Shows how a load ended: `failed` of `all` files could not be read.
    void tellEnd(bool cancelled, int failed, int all);
    /// Gives each column the width of its words at this text size, and the rest to the last one.
    void fitColumns();
    /// Makes the rows as high as their wrapped text, and the table as high as its first rows.
    void fitRows();

    LoadingModel* model_;
    Theme theme_;
    QList<QStringList> opened_;  // what title_ names
    QString title_;
    bool running_ = false;
    bool goes_on_ = false;   // the load follows another one
    int failed_ranks_ = 0;   // ranks of files that were read
    int unreached_ = 0;      // places on other machines, which are not files
    int folders_ = 0;        // folders without traces
    int loaded_before_ = 0;  // read by the loads that this one follows
    int failed_before_ = 0;
    bool analysed_ = false;             // the last run has its facts
    PassingNotice* passing_ = nullptr;  // created when there is something to say
    QLabel* head_;
    QLabel* about_;
    QProgressBar* whole_;
    QPushButton* button_;
    QTableView* rows_;
};

}  // namespace rankscope::ui
