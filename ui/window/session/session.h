// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "ui/panels/shared/open_runs.h"
#include "ui/window/opening/companions.h"
#include "ui/window/opening/reanalysis.h"
#include "ui/window/opening/run_loader.h"

namespace rankscope::ui {

/// Whether what is opened replaces what is open, or is added to it.
enum class OpenMode : std::uint8_t { Replace, Beside };

/// The path from which a file was read: its own absolute path, or that of the digest that was read instead.
[[nodiscard]] QString pathRead(const TraceFile& file);
/// The files from which a run was read, as absolute paths, each once; a digest instead of its traces.
[[nodiscard]] QStringList tracePaths(const Run& run);

/// The open runs. Runs that are replaced stay until the first rank of the new ones is there, so that an unreadable path
/// changes nothing.
class Session : public QObject {
    Q_OBJECT

  public:
    explicit Session(QObject* parent = nullptr);

    /// Opens paths together. OpenMode::Beside waits until the current load has ended. Companions among them are added
    /// to the open runs, unless the paths also contain runs, which replace them. Logs and dumps replace earlier ones.
    void open(const QStringList& paths, OpenMode mode, const AnalysisChoices& choices = {}, const LoadPart& part = {});
    /// Adds a forecast of an open run behind all others, and analyses it with this choice. It has no files of its own:
    /// sessions do not keep it, and it cannot be reopened.
    void addForecast(const std::shared_ptr<const Run>& forecast, AnalysisChoice choice);
    /// Also searches for the traces of digests with these folders, after the environment's.
    void setPathMap(PathMap map);
    /// The folders used for that: the environment's, then those that were set.
    [[nodiscard]] PathMap pathMap() const;
    /// Closes runs()[run]. Parts of it that are still being read are no longer shown.
    void close(std::size_t run);
    /// Closes a snapshot that is open.
    void closeSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot);
    /// Closes the logs of NCCL.
    void closeLogs();
    /// Closes the dumps of the flight recorder.
    void closeDumps();
    /// Closes all runs and companions, and stops loading.
    void closeAll();

    /// Reopens the run or companion that was closed or replaced last, next to the open ones: a closed run at its former
    /// index. Does nothing if there is none.
    void reopen();
    /// Whether reopen() has something to open.
    [[nodiscard]] bool canReopen() const { return !reopenable_.empty(); }

    // The old analysis is shown until the new one is done.

    /// Analyses runs()[run] again on another clock.
    void setClocks(std::size_t run, const ClockChoice& clocks);

    /// Analyses runs()[run] again with the user's role for all groups of this name; nothing: the role that was found
    /// applies.
    void setRole(std::size_t run, const std::string& group, std::optional<Role> role);

    /// Analyses runs()[run] again with medians and prices of a server's iterations of this kind; nothing: the kind with
    /// most time.
    void setIterations(std::size_t run, std::optional<IterationKind> kind);
    /// Analyses runs()[run] again with the user's entries about its job.
    void setJob(std::size_t run, const JobChoice& job);

    /// Analyses all runs again, because the user's name rules have changed; the old analysis is shown until that is
    /// done. False if no run has been analysed: runs that are being loaded are analysed after reading.
    bool analyseAgain();

    /// The open runs in the order of opening; some may have no facts while they are read and analysed.
    [[nodiscard]] const OpenRuns& runs() const { return runs_; }
    /// The user's choices about their analysis, as runs().
    [[nodiscard]] const std::vector<AnalysisChoice>& choices() const { return choices_; }
    /// Whether runs()[run] is a part of another: a step that was opened from its trace.
    [[nodiscard]] bool isPart(std::size_t run) const { return run < parts_.size() && parts_[run].isPart(); }
    /// Whether runs()[run] is a forecast, not a recording. Forecasts come after all recordings.
    [[nodiscard]] bool isForecast(std::size_t run) const { return run < runs_.size() && run >= recordings(); }
    /// Which part of their files the runs are, as runs(): all, or a part. Without a map of their own.
    [[nodiscard]] const std::vector<LoadPart>& parts() const { return parts_; }
    /// The indices of the runs that are not parts of others, in order.
    [[nodiscard]] std::vector<std::size_t> wholeRuns() const;
    /// The open memory snapshots.
    [[nodiscard]] const OpenSnapshots& snapshots() const { return companions_.snapshots; }
    /// What is open beside the runs.
    [[nodiscard]] const Companions& companions() const { return companions_; }
    /// Whether neither a run nor a companion is open.
    [[nodiscard]] bool empty() const { return runs_.empty() && companions_.empty(); }
    /// The names of the open runs, else of the open companions.
    [[nodiscard]] QStringList names() const;
    [[nodiscard]] Reanalysis& reanalysis() { return reanalysis_; }
    [[nodiscard]] RunLoader& loader() { return loader_; }
    /// Whether the running load follows another one, which it waited for.
    [[nodiscard]] bool goesOn() const { return goes_on_; }

  Q_SIGNALS:
    /// runs()[run] is about to be closed or replaced.
    void closing(std::size_t run);
    /// All of runs()[run], which had been closed, is there again.
    void reopened(std::size_t run);
    /// A run or a companion was opened or closed, or more is known about one; runs(), choices() and companions() are
    /// up to date.
    void runsChanged();
    /// A memory snapshot has been opened: it is the last of snapshots().
    void snapshotOpened(const std::shared_ptr<const rankscope::ui::OpenSnapshot>& snapshot);
    /// Logs of NCCL have been opened.
    void logsOpened();
    /// Dumps of the flight recorder have been opened.
    void dumpsOpened();
    /// Loading starts on these paths.
    void opening(const QStringList& paths);
    /// The first content of these paths has arrived: a run of runs() contains a rank from them, or a companion is open.
    void opened(const QStringList& paths);
    /// pathMap() has changed.
    void pathMapChanged();
    /// Nothing is being loaded or analysed any longer.
    void idle();

  private:
    /// The next request to open something.
    struct Request {
        QStringList paths;
        AnalysisChoices choices;
        LoadPart part = {};
        bool again = false;                     ///< it was closed, or replaced
        std::optional<std::size_t> place = {};  ///< index in runs(); nothing: after the last
    };

    void begin(const Request& request, OpenMode mode);
    /// The number of open runs that are no forecasts.
    [[nodiscard]] std::size_t recordings() const { return runs_.size() - forecasts_; }
    /// Stores the paths of closed runs or companions for reopen().
    void keepClosed(Request closed);
    /// Stores closed companions for reopen(), and frees them.
    void keepOld(Companions old);
    /// Stores runs()[run] for reopen(), at its index or after the runs open then.
    void keepRun(std::size_t run, bool in_place);
    /// Stores everything open for reopen(): the first run is the first to come back, companions follow the runs.
    void keepAll(bool in_place);
    /// Makes room for a run that is being loaded; returns its index in runs().
    std::size_t addRun(const Run& run);
    /// A closed run has been loaded again.
    void tellReopened();
    void exchange(const std::shared_ptr<const Run>& run, const AnalysisChoice& choice,
                  const std::shared_ptr<const AnalysedRun>& result);
    void take(std::size_t run, const std::shared_ptr<const AnalysedRun>& known);
    /// Applies `change` to the current or pending analysis choice of runs()[run], and analyses it again.
    void choose(std::size_t run, const std::function<void(AnalysisChoice&)>& change);
    void takeSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot);
    void takeLogs(const std::shared_ptr<const ReadLogs>& logs);
    void takeDumps(const std::shared_ptr<const ReadDumps>& dumps);
    /// The first content of the current load is there.
    void tellOpened();

    static constexpr std::size_t kClosed = static_cast<std::size_t>(-1);

    RunLoader loader_;
    Reanalysis reanalysis_;
    OpenRuns runs_;
    Companions companions_;
    std::vector<AnalysisChoice> choices_;  // as runs_
    std::vector<LoadPart> parts_;          // as runs_
    std::size_t forecasts_ = 0;            // the last ones of runs_
    LoadPart loading_part_;                // options of the load in progress
    AnalysisChoices loading_choices_;
    bool loading_again_ = false;                // the current load reopens something that was closed
    std::optional<std::size_t> loading_place_;  // index in runs_ of the next run; nothing: after the last
    QStringList loading_paths_;                 // paths of which nothing is there yet
    PathMap map_;                               // in addition to the environment's
    OpenMode mode_ = OpenMode::Replace;
    bool goes_on_ = false;                          // the load follows the previous one
    bool replaced_ = false;                         // the old runs have been replaced
    bool closed_ = false;                           // late reports of the stopped load must not reopen its run
    std::vector<std::optional<std::size_t>> slot_;  // for each run of the current load: its index in runs_, or kClosed
    std::deque<Request> waiting_;
    std::deque<Request> reopenable_;  // the last one closed is the last
    bool again_ = false;  // analyseAgain() was called during a load, whose analysis may have read the rules already
};

}  // namespace rankscope::ui
