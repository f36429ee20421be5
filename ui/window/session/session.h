// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "ui/panels/memory/open_snapshots.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/window/opening/reanalysis.h"
#include "ui/window/opening/run_loader.h"

namespace rankscope::ui {

/// Whether what is opened replaces what is open, or is added to it.
enum class OpenMode : std::uint8_t { Replace, Beside };

/// Where a file was read: its own absolute path, or that of the digest that was read in its place.
[[nodiscard]] QString pathRead(const TraceFile& file);
/// The files that a run was read from, as absolute paths, each once; a digest in place of its traces.
[[nodiscard]] QStringList tracePaths(const Run& run);

/// Which runs are open. Runs that are replaced stay until the first rank of the new ones is there, so that a path that
/// cannot be read costs nothing.
class Session : public QObject {
    Q_OBJECT

  public:
    explicit Session(QObject* parent = nullptr);

    /// Opens paths together. OpenMode::Beside waits until the current load has ended. Memory snapshots among them are
    /// added to what is open, unless runs come with them and replace it.
    void open(const QStringList& paths, OpenMode mode, const AnalysisChoices& choices = {}, const LoadPart& part = {});
    /// Looks for the traces of digests by these folders too, after what the environment says.
    void setPathMap(PathMap map);
    /// By what they are looked for: the environment's folders, then those that were set.
    [[nodiscard]] PathMap pathMap() const;
    /// Closes runs()[run]. What is still being read of it is not shown any more.
    void close(std::size_t run);
    /// Closes a snapshot that is open.
    void closeSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot);
    /// Closes all runs and snapshots, and stops loading.
    void closeAll();

    /// Opens the run or the snapshot that was closed, or replaced, last again, beside what is open: a run that was
    /// closed in the place that it had among them. Nothing happens where none was.
    void reopen();
    /// Whether reopen() has something to open.
    [[nodiscard]] bool canReopen() const { return !reopenable_.empty(); }

    // What is shown stays until the run is analysed again.

    /// Analyses runs()[run] again on another clock.
    void setClocks(std::size_t run, const ClockChoice& clocks);

    /// Analyses runs()[run] again with what the user says of all groups that are called so; nothing: what is found of
    /// them holds.
    void setRole(std::size_t run, const std::string& group, std::optional<Role> role);

    /// Analyses runs()[run] again with medians and prices of a server's iterations of this kind; nothing: of those that
    /// most time goes to.
    void setIterations(std::size_t run, std::optional<IterationKind> kind);
    /// Analyses runs()[run] again with what the user says of its job.
    void setJob(std::size_t run, const JobChoice& job);

    /// Analyses all runs again, since the user's name rules are others; what is shown stays until that is done. False
    /// where no run has been analysed: those that are being loaded are when they have been read.
    bool analyseAgain();

    /// The open runs in the order in which they were opened, some of them perhaps without facts while they are read and
    /// analysed.
    [[nodiscard]] const OpenRuns& runs() const { return runs_; }
    /// What the user decided about their analysis, as runs().
    [[nodiscard]] const std::vector<AnalysisChoice>& choices() const { return choices_; }
    /// Whether runs()[run] is a part of another: a step that was opened from its trace.
    [[nodiscard]] bool isPart(std::size_t run) const { return run < parts_.size() && parts_[run].isPart(); }
    /// What of their files the runs are, as runs(): all, or a part. By no map of their own.
    [[nodiscard]] const std::vector<LoadPart>& parts() const { return parts_; }
    /// The indices of the runs that are no parts of others, in order.
    [[nodiscard]] std::vector<std::size_t> wholeRuns() const;
    /// The memory snapshots that are open.
    [[nodiscard]] const OpenSnapshots& snapshots() const { return snapshots_; }
    /// The names of the open runs, else of the open snapshots.
    [[nodiscard]] QStringList names() const;
    [[nodiscard]] Reanalysis& reanalysis() { return reanalysis_; }
    [[nodiscard]] RunLoader& loader() { return loader_; }
    /// Whether the load that goes on follows another at once, which it waited for.
    [[nodiscard]] bool goesOn() const { return goes_on_; }

  Q_SIGNALS:
    /// runs()[run] is about to be closed or replaced.
    void closing(std::size_t run);
    /// All of runs()[run], which was closed before, is there again.
    void reopened(std::size_t run);
    /// A run or a snapshot was opened or closed, or more is known of one; runs(), choices() and snapshots() show what
    /// there is now.
    void runsChanged();
    /// A memory snapshot has been opened: it is the last of snapshots().
    void snapshotOpened(const std::shared_ptr<const rankscope::ui::OpenSnapshot>& snapshot);
    /// Loading starts on these paths.
    void opening(const QStringList& paths);
    /// The first of what was read on these paths is there: a run of runs() has a rank of it, or a snapshot is.
    void opened(const QStringList& paths);
    /// pathMap() is another.
    void pathMapChanged();
    /// Nothing is being loaded or analysed any more.
    void idle();

  private:
    /// What is opened next.
    struct Request {
        QStringList paths;
        AnalysisChoices choices;
        LoadPart part = {};
        bool again = false;                     ///< it was closed, or replaced
        std::optional<std::size_t> place = {};  ///< in runs(); nothing: behind the last
    };

    void begin(const Request& request, OpenMode mode);
    /// Keeps for reopen() what was read from these paths.
    void keepClosed(Request closed);
    /// Keeps runs()[run] for reopen(), in its place or behind what will be open then.
    void keepRun(std::size_t run, bool in_place);
    /// Keeps all that is open for reopen(): the first run is the first to come back, snapshots follow the runs.
    void keepAll(bool in_place);
    /// Makes room for a run that is being loaded; returns its index in runs().
    std::size_t addRun(const Run& run);
    /// What was closed and has been loaded again is there.
    void tellReopened();
    void exchange(const std::shared_ptr<const Run>& run, const AnalysisChoice& choice,
                  const std::shared_ptr<const AnalysedRun>& result);
    void take(std::size_t run, const std::shared_ptr<const AnalysedRun>& known);
    /// Has `change` change what runs()[run] is analysed by, or is about to be, and analyses it so.
    void choose(std::size_t run, const std::function<void(AnalysisChoice&)>& change);
    void takeSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot);
    /// The first of what is being loaded is there.
    void tellOpened();

    static constexpr std::size_t kClosed = static_cast<std::size_t>(-1);

    RunLoader loader_;
    Reanalysis reanalysis_;
    OpenRuns runs_;
    OpenSnapshots snapshots_;
    std::vector<AnalysisChoice> choices_;  // as runs_
    std::vector<LoadPart> parts_;          // as runs_
    LoadPart loading_part_;                // of what is being loaded
    AnalysisChoices loading_choices_;
    bool loading_again_ = false;                // what is being loaded was closed
    std::optional<std::size_t> loading_place_;  // in runs_, of the next run; nothing: behind the last
    QStringList loading_paths_;                 // of which nothing is there yet
    PathMap map_;                               // beside the environment's
    OpenMode mode_ = OpenMode::Replace;
    bool goes_on_ = false;                          // the load follows the one before
    bool replaced_ = false;                         // the old runs have made way
    bool closed_ = false;                           // what the stopped load still reports must not reopen its run
    std::vector<std::optional<std::size_t>> slot_;  // of each run that is being loaded: index in runs_, or kClosed
    std::deque<Request> waiting_;
    std::deque<Request> reopenable_;  // the last one closed last
    bool again_ = false;  // analyseAgain() was asked for during a load, whose analysis may have read the rules by then
};

}  // namespace rankscope::ui
