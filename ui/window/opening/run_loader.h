// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/progress.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/digest/step_table.h"
#include "core/ingest/load.h"
#include "ui/panels/shared/analysis_choice.h"
#include "ui/window/opening/companions.h"

namespace rankscope::ui {

/// Names one file of a load: Discovery::runs[run].files[file].
struct LoadingFile {
    std::size_t run = 0;
    std::size_t file = 0;
    friend bool operator==(const LoadingFile&, const LoadingFile&) = default;
};

/// The requested part of the files of a load, and where to find them.
struct LoadPart {
    std::optional<RankNumber> rank;    ///< only this one; nothing: all
    std::optional<std::int64_t> step;  ///< slices that touch this step, as reports number it; nothing: all
    PathMap map;                       ///< in addition to the environment's map, and after it
    bool one_run = false;              ///< all files are of one run, as the user says
    /// Whether it is less than everything.
    [[nodiscard]] bool isPart() const { return rank || step; }
    friend bool operator==(const LoadPart&, const LoadPart&) = default;
};

/// The progress of reading one file.
struct FileProgress {
    std::uint64_t done = 0;        ///< bytes on disk
    std::uint64_t total = 0;       ///< bytes on disk
    std::uint64_t json_bytes = 0;  ///< uncompressed
};

/// A run that is not analysed yet: every rank with its file's own times, relative to `zero` if it is given.
[[nodiscard]] std::shared_ptr<const AnalysedRun> withoutFacts(std::shared_ptr<const Run> run,
                                                              const std::optional<RunTime>& zero);

/// Finds, reads and analyses runs on its own threads, and reports progress on the thread it lives on. All signals
/// belong to the latest load(): those of an earlier one are dropped.
class RunLoader : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RunLoader)

  public:
    explicit RunLoader(QObject* parent = nullptr);
    /// Stops and waits for its threads.
    ~RunLoader() override;

    /// Starts loading `paths`; those on another machine (ssh://host/path) are fetched first. A running load is
    /// cancelled. `choices` apply to the runs of these names. Runs with the same name as one of `open`, in another
    /// place, get the names of folders in front of theirs.
    void load(std::vector<std::string> paths, AnalysisChoices choices = {}, const LoadPart& part = {},
              std::vector<RunSource> open = {});
    /// Asks to stop the current activity: reading, after which the ranks read so far are still analysed, or, from then
    /// on, their analysis. finished(true) follows.
    void cancel();
    /// Asks to stop both at once. finished(true) follows.
    void giveUp();
    [[nodiscard]] bool busy() const { return busy_; }

  Q_SIGNALS:
    /// Digests are made on another machine, or copied from there: the current activity, in the tool's words.
    void fetching(const QString& words);
    /// The files have been found and divided into runs; reading starts. Paths without a run are included, with the
    /// reason.
    void discovered(const rankscope::Discovery& found);
    /// All steps of all ranks of a run of digests with many ranks, from their tables: sent before a slice is read.
    void stepsKnown(const QString& name, const std::shared_ptr<const rankscope::StepTable>& steps);
    /// More of a file has been read. At most once per 40 ms and file, but always the last time.
    void fileProgressed(rankscope::ui::LoadingFile file, rankscope::ui::FileProgress progress);
    /// A file has been read; its rank is in one of the next runKnown().
    void fileLoaded(rankscope::ui::LoadingFile file);
    /// A file could not be read, and why; the other ranks of its run continue.
    void fileFailed(rankscope::ui::LoadingFile file, const rankscope::Error& error);
    /// A rank of a file is damaged and is left out; the other ranks of the file are read.
    void rankFailed(rankscope::ui::LoadingFile file, const rankscope::Error& error);
    /// What is known about a run, by its index among those discovered, or after them for a further run whose files were
    /// among another's: first the ranks so far with the files' own times and no facts, then all of them, then all
    /// facts. Ranks that arrive in quick succession are reported together, so that a run of thousands of files emits
    /// this only a few tens of times. The first rank, all ranks and the facts are reported at once.
    void runKnown(std::size_t run, const std::shared_ptr<const rankscope::AnalysedRun>& known);
    // Companions among the paths are runs after those discovered, one per kind, which never become known.

    /// A memory snapshot has been read.
    void snapshotRead(const std::shared_ptr<const rankscope::ui::OpenSnapshot>& snapshot);
    /// All logs of NCCL have been read.
    void logsRead(const std::shared_ptr<const rankscope::ReadLogs>& logs);
    /// All dumps of the flight recorder have been read.
    void dumpsRead(const std::shared_ptr<const rankscope::ReadDumps>& dumps);
    /// Nothing of a run could be read, or it could not be analysed.
    void runFailed(std::size_t run, const rankscope::Error& error);
    void analysisProgressed(std::size_t run, const rankscope::Progress& progress);
    void finished(bool cancelled);

  private:
    class Job;

    /// A run whose files are still being read.
    struct Arriving {
        Run run;                           ///< the ranks so far
        bool outdated = false;             ///< has ranks that runKnown() has not announced yet
        std::optional<RunTime> zero = {};  ///< as AnalysisChoice::base_ns
    };

    void addRank(const LoadingFile& at, const std::string& name, const std::shared_ptr<const RankTrace>& rank,
                 const std::optional<RunTime>& zero);
    void tellArrived();
    void tellKnown(std::size_t run, const std::shared_ptr<const AnalysedRun>& known);
    void forgetArrived();
    void end(bool cancelled);
    void start(std::vector<std::string> paths, AnalysisChoices choices, const LoadPart& part,
               std::vector<RunSource> open);
    void retire();

    std::jthread worker_;
    std::stop_source stop_reading_;
    std::vector<std::jthread> retired_;         // stopped, not joined yet: joining must not block the window
    std::map<std::size_t, Arriving> arriving_;  // by index of the run
    QTimer update_;                             // until the ranks that have arrived are reported
    std::optional<LoadingFile> last_loaded_;
    std::uint64_t generation_ = 0;
    bool busy_ = false;
    bool analysing_ = false;
};

}  // namespace rankscope::ui
