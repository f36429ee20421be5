// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <deque>
#include <optional>
#include <vector>

#include "ui/panels/open_runs.h"
#include "ui/window/run_loader.h"

namespace rankscope::ui {

/// Whether what is opened takes the place of what is open, or stands beside it.
enum class OpenMode : std::uint8_t { Replace, Beside };

/// Which runs are open. Runs that are replaced stay until the first rank of the new ones is there, so that a path that
/// cannot be read costs nothing.
class Session : public QObject {
    Q_OBJECT

  public:
    explicit Session(QObject* parent = nullptr);

    /// Paths that are opened together. Opening beside waits until the load that is going on has ended.
    void open(const QStringList& paths, OpenMode mode);
    /// Closes all runs, and stops loading.
    void close();

    [[nodiscard]] const OpenRuns& runs() const { return runs_; }
    [[nodiscard]] RunLoader& loader() { return loader_; }

  Q_SIGNALS:
    void runsChanged();
    /// Loading starts on these paths.
    void opening(const QStringList& paths);
    /// Nothing is being loaded or analysed any more.
    void idle();

  private:
    void begin(const QStringList& paths, OpenMode mode);
    void take(std::size_t run, const std::shared_ptr<const AnalysedRun>& known);

    RunLoader loader_;
    OpenRuns runs_;
    OpenMode mode_ = OpenMode::Replace;
    bool replaced_ = false;                         // the old runs have made way
    bool closed_ = false;                           // what the stopped load still tells must not reopen its run
    std::vector<std::optional<std::size_t>> slot_;  // of each run that is being loaded: index in runs_
    std::deque<QStringList> waiting_;
};

}  // namespace rankscope::ui
