// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/collectives/collective_index.h"
#include "core/analysis/counters/counter_series.h"
#include "core/analysis/gaps/running_ranks.h"
#include "core/base/time.h"
#include "core/diagnosis/evidence/rank_groups.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/lod/counter_lod.h"
#include "core/lod/interval_lod.h"
#include "core/lod/step_lod.h"
#include "core/lod/track_lod.h"
#include "core/trace/rank_trace.h"
#include "ui/theme/slice_colors.h"
#include "ui/timeline/rows/rank_tracks.h"

namespace rankscope::ui {

/// How a name looks and what it equals, over all ranks.
struct NameLook {
    std::uint32_t hash = 0;  ///< of the whole name: slices of one name have the same on every rank
    Shade shade = 0;
};

/// What drawing one rank needs beside its trace; built once off the GUI thread.
struct RankIndex {
    std::vector<TrackLod> tracks;       ///< as RankTrace::tracks
    std::vector<NameLook> names;        ///< by StringId
    std::vector<std::size_t> launches;  ///< how many launch calls a track makes, as RankTrace::tracks
    RankTracks listed;
};

/// Gaps from here up are drawn and visited (design 4.4).
inline constexpr DurationNs kShownGapNs = 20'000;

/// A gap as it is drawn, on the clock of the rank's file.
struct DrawnGap {
    TimeSpan span;
    RankStepPosition step;
    std::uint32_t gap = 0;  ///< in RankStep::gaps
    std::int32_t device = -1;
    DurationNs before_ns = 0;  ///< length of all drawn gaps before this one
};

/// A step as it is drawn, on the clock of the rank's file.
struct DrawnStep {
    TimeSpan span;
    std::int64_t index = 0;  ///< its number, as the trace has it
    RankStepPosition step;
    bool complete = true;
};

/// What drawing the facts of one rank needs beside them; built once off the GUI thread.
struct FactIndex {
    IntervalLod overlap;  ///< of RankFacts::overlap
    IntervalLod exposed;  ///< of RankFacts::exposed_communication
    IntervalSet busy;     ///< of the device: all its work
    IntervalLod busy_lod;
    std::vector<DrawnStep> steps;  ///< all steps, in order of time
    std::vector<DrawnGap> gaps;    ///< those of kShownGapNs at least, in order of time
};

/// How many ranks of one host ran at each time, if some of them stalled. See runningRanks.
struct HostIndex {
    std::string host;                   ///< empty where no file names it
    std::vector<RankPosition> ranks;    ///< of the host, by position
    TimeSpan window;                    ///< which the changes are known for, on the run's clock
    std::vector<RunningRanks> changes;  ///< on the run's clock
    StepLod lod;                        ///< of RunningRanks::running
};

/// The counters of one rank, or of a run, as rows of their own show them; built once off the GUI thread, where they are
/// shown.
struct CounterIndex {
    TimeSpan window;  ///< what was recorded, on the clock of the series: to its end the last values hold
    std::vector<CounterSeries> series;
    std::vector<CounterLod> lods;  ///< as `series`
};

/// How the ranks of one run can be arranged, and where its collectives are; built once off the GUI thread.
struct RunIndex {
    std::array<std::vector<RankPosition>, kRankOrderCount> orders;  ///< orderedRanks, by RankOrder
    std::vector<AlikeRanks> alike;
    CollectiveIndex collectives;
    std::vector<HostIndex> hosts;  ///< those with a host thread that stalls, by name
};

/// What is drawn of one rank.
struct RankSource {
    std::shared_ptr<const RankTrace> trace;  ///< nullptr where only what is about the whole run is wanted
    std::shared_ptr<const AnalysedRun> run;
    const RankFacts* facts = nullptr;  ///< of `run`; nullptr while they are not known
    RankPosition rank = {};            ///< in `run`
    bool counters = false;             ///< its counters are shown
    bool run_counters = false;         ///< those of `run` are
};

/// FNV-1a of a name, the same on every rank.
[[nodiscard]] std::uint32_t nameHash(std::string_view name);
/// Builds the index of `rank`; gives up between two tracks, returning nullptr, when `stop` is set.
[[nodiscard]] std::shared_ptr<const RankIndex> buildRankIndex(const RankTrace& rank, const std::atomic<bool>& stop);
/// Builds the index of one rank's facts. O(n log n) in its steps, gaps and intervals.
[[nodiscard]] std::shared_ptr<const FactIndex> buildFactIndex(const RankFacts& facts);
/// Builds the counters of a rank, whose facts must be known.
[[nodiscard]] std::shared_ptr<const CounterIndex> buildCounterIndex(const AnalysedRun& run, RankPosition rank);
/// The same of a whole run; gives up between two ranks, returning nullptr, when `stop` is set.
[[nodiscard]] std::shared_ptr<const CounterIndex> buildCounterIndex(const AnalysedRun& run,
                                                                    const std::atomic<bool>& stop);
/// Builds the index of a run; see alikeRanks for what is not linear in it.
[[nodiscard]] std::shared_ptr<const RunIndex> buildRunIndex(const AnalysedRun& run);

/// The indices of the ranks in sight. They are built on worker threads and kept for as long as someone wants their
/// rank, so that a run that is set again with one more rank costs that rank only, and one that two views show is built
/// once.
class IndexStore : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(IndexStore)

  public:
    explicit IndexStore(QObject* parent = nullptr);
    ~IndexStore() override;

    /// From now on `viewer` wants `ranks` and nothing else. Drops what no viewer wants and starts building what is new.
    void want(const std::vector<RankSource>& ranks, const void* viewer = nullptr);
    /// `viewer` wants nothing any more.
    void forget(const void* viewer);
    /// The index of `rank`, or nullptr while it is being built.
    [[nodiscard]] std::shared_ptr<const RankIndex> find(const RankTrace* rank) const;
    /// The index of a rank's facts, or nullptr while it is being built.
    [[nodiscard]] std::shared_ptr<const FactIndex> find(const RankFacts* facts) const;
    /// The counters of a rank, by its facts; nullptr while they are being built, and where no viewer wants them.
    [[nodiscard]] std::shared_ptr<const CounterIndex> findCounters(const RankFacts* facts) const;
    /// The same of a whole run.
    [[nodiscard]] std::shared_ptr<const CounterIndex> findCounters(const AnalysedRun* run) const;
    /// The index of a run, or nullptr while it is being built.
    [[nodiscard]] std::shared_ptr<const RunIndex> find(const AnalysedRun* run) const;
    /// Waits until all that is wanted is built.
    void finish();

    /// `built` is emitted at most once in this many milliseconds, for thousands of ranks together.
    static constexpr int kTellEveryMs = 16;

  Q_SIGNALS:
    /// More indices can be found.
    void built();

  private:
    template <class Index>
    struct Job {
        std::shared_ptr<const void> source;  ///< held, so that nothing else can come to be at its address
        std::atomic<bool> stop = false;
        std::shared_ptr<const Index> index;   // set on the GUI thread
        std::shared_ptr<const Index> result;  // set by the worker, read after it is done
    };
    template <class Index>
    using Jobs = std::unordered_map<const void*, std::shared_ptr<Job<Index>>>;

    using Tasks = std::vector<std::function<void()>>;

    /// Adds a job to `jobs` where there is none for `key`, and to `tasks` what does it.
    template <class Index, class Build>
    void start(Jobs<Index>& jobs, const void* key, const std::shared_ptr<const void>& source, Build build,
               Tasks& tasks);
    /// Has the pool do them, several at a time where there are many: each time costs this thread a lock.
    void run(Tasks tasks);
    template <class Index>
    void collect(const std::shared_ptr<Job<Index>>& job);

    void wantCounters(const RankSource& rank, Tasks& tasks);

    /// What a viewer wants: the keys of jobs.
    struct Wanted {
        std::vector<const void*> keys;      // of ranks_, facts_ and runs_
        std::vector<const void*> counters;  // of counters_ and run_counters_
    };
    [[nodiscard]] static Wanted keysOf(const std::vector<RankSource>& ranks);
    /// A viewer no longer wants any of that: what no other viewer wants is dropped.
    void release(const Wanted& wanted);

    std::map<const void*, Wanted> wanted_;  // by viewer
    // By key: how many viewers want it. One that wants a single run must not cost what all ranks of another one cost.
    std::unordered_map<const void*, int> uses_;
    std::unordered_map<const void*, int> counter_uses_;
    Jobs<RankIndex> ranks_;
    Jobs<FactIndex> facts_;
    Jobs<CounterIndex> counters_;      // by facts
    Jobs<CounterIndex> run_counters_;  // by AnalysedRun
    Jobs<RunIndex> runs_;
    QTimer tell_;  // runs while indices have been built that `built` has not announced
    QThreadPool pool_;
};

}  // namespace rankscope::ui
