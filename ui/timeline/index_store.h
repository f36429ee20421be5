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

/// The look and the hash of a name, over all ranks.
struct NameLook {
    std::uint32_t hash = 0;  ///< hash of the whole name: equal on every rank
    Shade shade = 0;
};

/// What drawing one rank needs besides its trace; built once off the GUI thread.
struct RankIndex {
    std::vector<TrackLod> tracks;       ///< as RankTrace::tracks
    std::vector<NameLook> names;        ///< by StringId
    std::vector<std::size_t> launches;  ///< number of launch calls on a track, as RankTrace::tracks
    RankTracks listed;
};

/// Gaps of at least this length are drawn and visited (design 4.4).
inline constexpr DurationNs kShownGapNs = 20'000;

/// A gap as drawn, on the clock of the rank's file.
struct DrawnGap {
    TimeSpan span;
    RankStepPosition step;
    std::uint32_t gap = 0;  ///< index in RankStep::gaps
    std::int32_t device = -1;
    DurationNs before_ns = 0;  ///< length of all drawn gaps before this one
};

/// A step as drawn, on the clock of the rank's file.
struct DrawnStep {
    TimeSpan span;
    std::int64_t index = 0;  ///< its number in the trace
    RankStepPosition step;
    bool complete = true;
};

/// What drawing the facts of one rank needs besides them; built once off the GUI thread.
struct FactIndex {
    IntervalLod overlap;  ///< index of RankFacts::overlap
    IntervalLod exposed;  ///< index of RankFacts::exposed_communication
    IntervalSet busy;     ///< all work of the device
    IntervalLod busy_lod;
    std::vector<DrawnStep> steps;  ///< all steps, in order of time
    std::vector<DrawnGap> gaps;    ///< gaps of at least kShownGapNs, in order of time
};

/// How many ranks of one host ran at each time, if some of them stalled. See runningRanks().
struct HostIndex {
    std::string host;                   ///< empty if no file names it
    std::vector<RankPosition> ranks;    ///< ranks of the host, by position
    TimeSpan window;                    ///< the time that the changes cover, on the run's clock
    std::vector<RunningRanks> changes;  ///< on the run's clock
    StepLod lod;                        ///< index of RunningRanks::running
};

/// The counters of one rank, or of a run, shown as rows of their own; built once off the GUI thread, if they are shown.
struct CounterIndex {
    TimeSpan window;  ///< the recorded time, on the clock of the series: the last values are valid to its end
    std::vector<CounterSeries> series;
    std::vector<CounterLod> lods;  ///< as `series`
};

/// The possible orders of the ranks of one run, and an index of its collectives; built once off the GUI thread.
struct RunIndex {
    std::array<std::vector<RankPosition>, kRankOrderCount> orders;  ///< orderedRanks(), by RankOrder
    std::vector<AlikeRanks> alike;
    CollectiveIndex collectives;
    std::vector<HostIndex> hosts;  ///< hosts with a host thread that stalls, by name
};

/// What is drawn for one rank.
struct RankSource {
    std::shared_ptr<const RankTrace> trace;  ///< nullptr if only indices of the whole run are requested
    std::shared_ptr<const AnalysedRun> run;
    const RankFacts* facts = nullptr;  ///< facts of `run`; nullptr while they are not known
    RankPosition rank = {};            ///< in `run`
    bool counters = false;             ///< its counters are shown
    bool run_counters = false;         ///< the counters of `run` are shown
};

/// FNV-1a of a name, the same on every rank.
[[nodiscard]] std::uint32_t nameHash(std::string_view name);
/// Builds the index of `rank`; stops between two tracks, returning nullptr, if `stop` is requested.
[[nodiscard]] std::shared_ptr<const RankIndex> buildRankIndex(const RankTrace& rank, const std::atomic<bool>& stop);
/// Builds the index of one rank's facts. O(n log n) in its steps, gaps and intervals.
[[nodiscard]] std::shared_ptr<const FactIndex> buildFactIndex(const RankFacts& facts);
/// Builds the counters of a rank, whose facts must be known.
[[nodiscard]] std::shared_ptr<const CounterIndex> buildCounterIndex(const AnalysedRun& run, RankPosition rank);
/// The same for a whole run; stops between two ranks, returning nullptr, if `stop` is requested.
[[nodiscard]] std::shared_ptr<const CounterIndex> buildCounterIndex(const AnalysedRun& run,
                                                                    const std::atomic<bool>& stop);
/// Builds the index of a run; see alikeRanks() for the part that is not linear.
[[nodiscard]] std::shared_ptr<const RunIndex> buildRunIndex(const AnalysedRun& run);

/// The indices of the ranks in view. Worker threads build them, and they are kept as long as a viewer requests their
/// rank. So a run that is set again with one more rank costs only that rank, and a run that two views show is indexed
/// once.
class IndexStore : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(IndexStore)

  public:
    explicit IndexStore(QObject* parent = nullptr);
    ~IndexStore() override;

    /// From now on `viewer` requests `ranks` and nothing else. Drops what no viewer requests and starts building what
    /// is new.
    void want(const std::vector<RankSource>& ranks, const void* viewer = nullptr);
    /// `viewer` no longer requests anything.
    void forget(const void* viewer);
    /// The index of `rank`, or nullptr while it is being built.
    [[nodiscard]] std::shared_ptr<const RankIndex> find(const RankTrace* rank) const;
    /// The index of a rank's facts, or nullptr while it is being built.
    [[nodiscard]] std::shared_ptr<const FactIndex> find(const RankFacts* facts) const;
    /// The counters of a rank, by its facts; nullptr while they are being built, and if no viewer requests them.
    [[nodiscard]] std::shared_ptr<const CounterIndex> findCounters(const RankFacts* facts) const;
    /// The same for a whole run.
    [[nodiscard]] std::shared_ptr<const CounterIndex> findCounters(const AnalysedRun* run) const;
    /// The index of a run, or nullptr while it is being built.
    [[nodiscard]] std::shared_ptr<const RunIndex> find(const AnalysedRun* run) const;
    /// Waits until everything requested is built.
    void finish();

    /// `built` is emitted at most once in this many milliseconds, for thousands of ranks together.
    static constexpr int kTellEveryMs = 16;

  Q_SIGNALS:
    /// More indices can be found.
    void built();

  private:
    template <class Index>
    struct Job {
        std::shared_ptr<const void> source;  ///< kept alive, so that nothing else can get its address
        std::atomic<bool> stop = false;
        std::shared_ptr<const Index> index;   // set on the GUI thread
        std::shared_ptr<const Index> result;  // set by the worker, read after it is done
    };
    template <class Index>
    using Jobs = std::unordered_map<const void*, std::shared_ptr<Job<Index>>>;

    using Tasks = std::vector<std::function<void()>>;

    /// Adds a job to `jobs` if there is none for `key`, and the work to `tasks`.
    template <class Index, class Build>
    void start(Jobs<Index>& jobs, const void* key, const std::shared_ptr<const void>& source, Build build,
               Tasks& tasks);
    /// Runs them in the pool, in batches if there are many: each call costs this thread a lock.
    void run(Tasks tasks);
    template <class Index>
    void collect(const std::shared_ptr<Job<Index>>& job);

    void wantCounters(const RankSource& rank, Tasks& tasks);

    /// What a viewer requests: the keys of jobs.
    struct Wanted {
        std::vector<const void*> keys;      // keys of ranks_, facts_ and runs_
        std::vector<const void*> counters;  // keys of counters_ and run_counters_
    };
    [[nodiscard]] static Wanted keysOf(const std::vector<RankSource>& ranks);
    /// A viewer no longer requests any of that: what no other viewer requests is dropped.
    void release(const Wanted& wanted);

    std::map<const void*, Wanted> wanted_;  // by viewer
    // By key: the number of viewers that request it. A viewer of a single run must not cost as much as all ranks of
    // another run.
    std::unordered_map<const void*, int> uses_;
    std::unordered_map<const void*, int> counter_uses_;
    Jobs<RankIndex> ranks_;
    Jobs<FactIndex> facts_;
    Jobs<CounterIndex> counters_;      // by facts
    Jobs<CounterIndex> run_counters_;  // by AnalysedRun
    Jobs<RunIndex> runs_;
    QTimer tell_;  // runs while `built` has not announced all indices
    QThreadPool pool_;
};

}  // namespace rankscope::ui
