// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/collectives/ddp_marks.h"
#include "core/analysis/collectives/stragglers.h"
#include "core/analysis/device/communication_suspects.h"
#include "core/analysis/device/memory_use.h"
#include "core/analysis/device/work_class.h"
#include "core/analysis/efficiency/efficiency.h"
#include "core/analysis/experts/experts.h"
#include "core/analysis/gaps/host_stall.h"
#include "core/analysis/memory/memory_facts.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/serving/iterations.h"
#include "core/analysis/shards/shards.h"
#include "core/analysis/steps/phases.h"
#include "core/analysis/tables/kernels.h"
#include "core/analysis/tables/operators.h"
#include "core/analysis/tensor/tensor.h"
#include "core/analysis/verdict.h"
#include "core/base/ids.h"
#include "core/base/interval_set.h"
#include "core/base/time.h"
#include "core/trace/recorded_windows.h"

namespace rankscope {

// The facts of a run: plain structs that analyses fill and that diagnosis, reports and panels read. All times are on
// the rank's own file clock in integer nanoseconds; RunClock converts them to the run's clock.

/// Why a device was blocked (design 4.4). The vocabulary is closed and is in the JSON schema.
enum class Cause : std::uint8_t {
    DataLoader,      ///< the launching thread waited in the DataLoader's __next__
    HostSync,        ///< a sync call emptied the queue; also the late launches after it
    BlockingCopy,    ///< a copy call that waits for its own copy
    Allocator,       ///< cudaMalloc, cudaFree and their like
    Launch,          ///< inside launch calls
    LaunchLatency,   ///< from the start of the launch call to the start on the device
    Operator,        ///< operator code on the host
    Python,          ///< Python code on the host
    HostStall,       ///< the host thread did not run: other threads had the cores, or something blocked it
    Unrecorded,      ///< the host recorded nothing
    Queued,          ///< launched in time, but the device waited; the trace does not show for what
    KernelToKernel,  ///< under 5 us between two queued kernels
    InsideGraph,     ///< between two pieces of work of one graph launch
    DeviceShared,    ///< ready on an idle device that did not start it, again and again: another process had the device
    LateAnswer,      ///< the launch call had returned, but the idle device started its work late, for an unknown reason
    WarmUp,          ///< code is loaded, or a graph is instantiated or launched for the first time
    OtherRank,       ///< the device waited inside a collective for a rank that arrived later
};
inline constexpr std::size_t kCauseCount = 17;
[[nodiscard]] std::string_view causeName(Cause cause);   ///< as in the JSON: "dataloader", "host-sync"
[[nodiscard]] std::string_view causeTitle(Cause cause);  ///< for people: "DataLoader", "Host synchronisation"

/// Nanoseconds by cause.
struct CauseTimes {
    std::array<DurationNs, kCauseCount> ns{};
    [[nodiscard]] DurationNs& operator[](Cause c) { return ns[static_cast<std::size_t>(c)]; }
    [[nodiscard]] DurationNs operator[](Cause c) const { return ns[static_cast<std::size_t>(c)]; }
    [[nodiscard]] DurationNs total() const;
};

/// Up to three slices, stored inline since there are many parts of gaps.
class SliceRefs {
  public:
    constexpr SliceRefs() = default;
    constexpr SliceRefs(std::initializer_list<SliceRef> slices) {
        for (const SliceRef slice : slices) {
            add(slice);
        }
    }
    /// Ignores slices that are invalid, that it has already, or that do not fit.
    constexpr void add(SliceRef slice) {
        if (slice.valid() && size_ < slices_.size() && std::ranges::find(*this, slice) == end()) {
            slices_[size_++] = slice;
        }
    }
    [[nodiscard]] constexpr const SliceRef* begin() const { return slices_.data(); }
    [[nodiscard]] constexpr const SliceRef* end() const { return slices_.data() + size_; }
    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] constexpr const SliceRef& front() const { return slices_.front(); }

  private:
    std::array<SliceRef, 3> slices_;
    std::uint32_t size_ = 0;
};

/// A part of a gap with one cause. The parts of a gap are adjacent and fill it exactly. Its texts are strings of the
/// rank's trace, and valid as long as that.
struct GapPart {
    Cause cause = Cause::Unrecorded;
    TimeSpan span;
    std::string_view label;  ///< the op, call or line: "aten::item", "train.py(54): step"; may be empty
    SliceRefs evidence;      ///< the slices that prove it, the most significant first
    /// Part of a stretch of late host time (launch, operator, python, unrecorded) that is long compared with the usual
    /// time from one launch to the next: the host was held up, rather than launching slowly.
    bool long_stretch = false;
    SliceRef code;  ///< the innermost code around more than half of the stretch; invalid if there is none, or no long
                    ///< stretch
    std::string_view code_name;  ///< the name of `code`
};

/// A maximal interval inside a step with nothing running on any stream of the device.
struct Gap {
    TimeSpan span;
    std::int32_t device = -1;
    SliceRef releasing;  ///< the first device work after it; invalid at the end of the trace
    SliceRef launch;     ///< the host call that launched that work; invalid if unknown
    std::vector<GapPart> parts;
};

/// Where a step's time went on one device (design 4.3). compute + exposed_comm + exposed_copy + idle = the step, to the
/// nanosecond.
struct Partition {
    DurationNs compute_ns = 0;       ///< |K|
    DurationNs exposed_comm_ns = 0;  ///< |C - K|
    DurationNs exposed_copy_ns = 0;  ///< |M - K - C|
    DurationNs idle_ns = 0;          ///< the rest
    DurationNs comm_ns = 0;          ///< |C|
    DurationNs copy_ns = 0;          ///< |M|
    DurationNs overlap_ns = 0;       ///< |C n K|
    /// exposed_comm split by collectives that are matched over ranks (design 4.5), to the nanosecond; nothing on a rank
    /// none of whose collectives can be split.
    std::optional<DurationNs> exposed_transfer_ns;
    std::optional<DurationNs> exposed_wait_ns;
    std::optional<DurationNs> exposed_unsplit_ns;  ///< in collectives that cannot be split
};

/// What the last rank to arrive at a collective did while another waited there.
enum class WaitedFor : std::uint8_t { Compute, Communication, Copy, Idle, Unknown };
[[nodiscard]] std::string_view waitedForName(WaitedFor what);  ///< as in the JSON: "compute"

/// A part of a wait with one reason. The parts of a wait are adjacent and fill it exactly.
struct WaitPart {
    TimeSpan span;      ///< on the waiting rank's clock
    RankPosition rank;  ///< the rank that was waited for, at the end of the chain
    WaitedFor what = WaitedFor::Unknown;
    Cause cause = Cause::Unrecorded;  ///< why that rank's device was blocked, if `what` is Idle
    std::string_view label = {};      ///< as GapPart::label, of that rank
    SliceRef evidence = {};           ///< in that rank's trace: the most significant slice; may be invalid
};

/// A stretch of a step in which the device only waits inside a collective for another rank.
struct ExposedWait {
    TimeSpan span;
    CollectivePosition collective;
    std::vector<WaitPart> parts;
};

/// Exposed waiting by reason.
struct WaitTimes {
    CauseTimes idle;  ///< while the other rank's device was blocked, by cause
    DurationNs compute_ns = 0;
    DurationNs communication_ns = 0;
    DurationNs copy_ns = 0;
    DurationNs unknown_ns = 0;
    [[nodiscard]] DurationNs total() const {
        return idle.total() + compute_ns + communication_ns + copy_ns + unknown_ns;
    }
};

/// Where the time of a critical path went (core/analysis/critical_path.h), in nanoseconds.
struct PathTimes {
    CauseTimes idle;             ///< idle times of the device that the path is on, if the launch is known
    DurationNs compute_ns = 0;   ///< |K|
    DurationNs transfer_ns = 0;  ///< exposed
    DurationNs copy_ns = 0;      ///< exposed
    DurationNs unknown_ns = 0;   ///< idle before work whose launch is not in the trace
    DurationNs unsplit_ns = 0;   ///< exposed communication that cannot be divided, or that waits for an unknown rank
    [[nodiscard]] DurationNs total() const {
        return idle.total() + compute_ns + transfer_ns + copy_ns + unknown_ns + unsplit_ns;
    }
    PathTimes& operator+=(const PathTimes& other);
};

/// How the steps of a rank were found, best first (design 4.2).
enum class StepSource : std::uint8_t {
    ProfilerStep,
    NamedRange,
    Iteration,  ///< an iteration of a server of language models
    OptimizerStep,
    DataLoaderNext,
    WholeWindow
};
[[nodiscard]] std::string_view stepSourceName(StepSource source);
/// Whether such steps have numbers that ranks share; all others are counted.
[[nodiscard]] constexpr bool hasNumbers(StepSource source) {
    return source == StepSource::ProfilerStep || source == StepSource::NamedRange;
}

/// One step as seen by its rank alone: the first stage of the facts (core/analysis/run_facts.h).
struct MeasuredStep {
    std::int64_t index = 0;  ///< N of ProfilerStep#N, else counted from 0
    TimeSpan host;           ///< the mark on the host
    TimeSpan span;           ///< the step itself: to the end of the device work launched in it
    SliceRef mark;           ///< the slice that marks it, if any
    bool complete = true;
    std::string incomplete_reason;  ///< why it is not priced, if it is not complete
    std::uint32_t window = 0;       ///< the index of its window in RankMeasures::windows
    /// Nothing on a rank without device work. Its exposed communication is split once the other ranks are known: in
    /// RankStep.
    std::optional<Partition> partition;
    CauseTimes idle_causes;                       ///< adds up to partition->idle_ns
    std::vector<Gap> gaps;                        ///< all of them, in order; their lengths add up to partition->idle_ns
    std::optional<StepIteration> iteration = {};  ///< nothing unless the job is known to serve
};

/// One step of one rank, explained by the other ranks: what it waited for.
struct RankStep : MeasuredStep {
    bool outlier = false;  ///< left out of medians
    std::string outlier_reason;
    WaitTimes wait_causes;           ///< adds up to partition->exposed_wait_ns
    std::vector<ExposedWait> waits;  ///< in order; their lengths add up to partition->exposed_wait_ns
};

/// The step before the first that was read of a rank, if earlier steps were not read.
struct StepBefore {
    std::int64_t index = 0;  ///< as MeasuredStep::index
    TimeNs end_ns = 0;       ///< the end of its span, on the file's clock
};

/// What every stage knows about a rank besides its steps.
struct RankMeasures {
    RecordedWindows windows;  ///< when it was recorded
    WorkClasses work_classes;
    std::int32_t device = -1;  ///< the device of the partition: the one with most work; -1 if none
    std::vector<std::int32_t> other_devices;
    IntervalSet compute;                                       ///< K of that device
    IntervalSet communication;                                 ///< C
    IntervalSet copy;                                          ///< M
    IntervalSet overlap;                                       ///< C n K: communication that computation hides
    IntervalSet exposed_communication;                         ///< C - K
    std::vector<TrackId> communication_tracks;                 ///< the communicating streams of that device, sorted
    std::vector<CommunicationSuspect> communication_suspects;  ///< counted as compute; the longest first
    StepSource step_source = StepSource::WholeWindow;
    TrackId main_thread;  ///< the thread that marks the steps and launches the forward; invalid if none
    DdpMarks ddp;
    std::vector<DeviceMemory> memory;  ///< empty if no memory events were recorded
    std::vector<HostStall> stalls;     ///< the stalls of its host threads, by thread and start
};

/// Rank facts: what one rank shows by itself.
struct MeasuredRank : RankMeasures {
    std::vector<MeasuredStep> steps;
    std::optional<StepBefore> step_before = {};  ///< nothing if all steps of the file were read, or its first ones
};

/// A rank explained by the others: which steps are outliers, and what its waits in collectives were for.
struct ExplainedRank : RankMeasures {
    IntervalSet exposed_transfer;  ///< the part of `exposed_communication` in which a collective transfers
    std::vector<RankStep> steps;
};

/// What a rank spends the time of its steps on, by phase and by name.
struct RankTables {
    RankPhases phases;
    OperatorTable operators;
    KernelTable kernels;
};

/// All facts of one rank.
struct RankFacts : ExplainedRank, RankTables {
    PathTimes path;  ///< the critical path that ends on this rank
};

/// The owner of a nanosecond that is not compute (design 4.8).
enum class Owner : std::uint8_t { Blocked, ExposedTransfer, ExposedCommunication, ExposedCopy };

/// One entry of the ledger: `ns` of one (rank, step) with exactly one owner. The entries of a (rank, step) and its
/// compute add up to the step.
struct LedgerEntry {
    RankPosition rank;
    RankStepPosition step;
    Owner owner = Owner::Blocked;
    Cause cause = Cause::Unrecorded;  ///< if owner is Blocked
    std::string label;                ///< as GapPart::label; for transfers the collective's name, for copies the copy's
    /// If the cause is OtherRank: the rank that was waited for, and what it did, as in WaitPart.
    RankPosition waited_rank = {};
    WaitedFor waited_for = WaitedFor::Unknown;
    Cause waited_cause = Cause::Unrecorded;
    bool long_stretch = false;       ///< as GapPart::long_stretch
    bool slow_excess = false;        ///< for transfers: the time in which its peers would already have ended
    std::uint32_t group = kNoGroup;  ///< for transfers: the group, an index in CollectiveFacts::groups
    static constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();
    std::string code_name;  ///< as GapPart::code_name
    DurationNs ns = 0;
    std::vector<SliceRef> evidence;  ///< slices of the longest parts first, up to a few tens
};

/// A step of the run: from the last rank's end of the previous step to the last rank's end of this one.
struct RunStep {
    std::int64_t index = 0;
    DurationNs duration_ns = 0;  ///< on the run's clock
    bool follows = false;        ///< it is counted from the end of the previous step
    bool opens = false;          ///< the first step of a recorded window: the one before it was not recorded there
    /// The end of the previous step on the run's clock, if that step was not read and so is not in RunFacts::steps.
    std::optional<TimeNs> before_ns = {};
    bool complete = true;  ///< on all ranks that have the step
    bool outlier = false;
    std::string outlier_reason;                            ///< empty if it is not an outlier
    std::optional<IterationKind> kind = {};                ///< for an iteration of a server, if all its ranks agree
    bool other_kind = false;                               ///< an outlier because prices are of another kind
    RankPosition critical_rank;                            ///< the last rank to be ready
    std::vector<std::optional<RankStepPosition>> by_rank;  ///< parallel to Run::ranks

    /// The index of this step on one rank. Nothing if the rank has no step of this number: a window may begin or end
    /// earlier on one rank than on another, and a trace may lack a mark.
    [[nodiscard]] std::optional<RankStepPosition> of(RankPosition rank) const {
        return rank < by_rank.size() ? by_rank[rank] : std::nullopt;
    }
    /// The same for the critical rank, which always has this step. Throws if a step was built by hand without it.
    [[nodiscard]] RankStepPosition ofCriticalRank() const { return by_rank.at(critical_rank).value(); }
};

/// The value that represents the steps of a run, in prices and in texts.
enum class StepBasis : std::uint8_t {
    Median,  ///< the median of the steady-state steps: few are left out, and the median is a measured step
    Mean,    ///< their mean: there are too many long steps to leave out, so they count in full
};
[[nodiscard]] std::string_view stepBasisName(StepBasis basis);  ///< as in the JSON and in texts: "median", "mean"

/// The ledger of one step of one rank.
struct StepLedger {
    std::vector<LedgerEntry> entries;
    /// The owner of each part of the step's gaps, all parts of all gaps in order: an index into `entries`.
    std::vector<std::uint32_t> entry_of_part;
};

/// All facts of a run.
struct RunFacts {
    std::vector<RankFacts> ranks;  ///< parallel to Run::ranks
    std::vector<RunStep> steps;
    std::vector<LedgerEntry> ledger;  ///< for all steps of all ranks, by rank and step
    /// By rank and step: StepLedger::entry_of_part, as indices into the entries of that step.
    std::vector<std::vector<std::vector<std::uint32_t>>> entry_of_part;
    CollectiveFacts collectives;
    ParallelismFacts parallelism;
    PipelineFacts pipeline;
    ShardFacts shards;
    ExpertFacts experts;
    TensorFacts tensor;
    IterationFacts iterations;
    EfficiencyFacts efficiency;
    MemoryFacts memory;
    StragglerFacts stragglers;
    DurationNs median_step_ns = 0;  ///< over complete, steady-state steps of the run; 0 if there is none
    DurationNs mean_step_ns = 0;    ///< the same steps; 0 if there is none
    StepBasis basis = StepBasis::Median;
    /// The time in which any rank recorded, on the run's clock, without the time between steps of one window whose
    /// numbers are not consecutive: the profiler paused there.
    DurationNs recorded_ns = 0;
    /// The factor by which work takes longer while a collective waits for other ranks; nothing if the run does not show
    /// it. See core/analysis/replay/contention.h.
    std::optional<double> slowdown_beside_waiting;
    Verdict verdict;

    /// The step that prices and shares refer to: the median one, or the mean if that represents the run.
    [[nodiscard]] DurationNs pricedStep() const { return basis == StepBasis::Mean ? mean_step_ns : median_step_ns; }

    /// A step of the run on one rank; null if the rank has no step of this number.
    [[nodiscard]] const RankStep* stepOf(const RunStep& step, RankPosition rank) const {
        const std::optional<RankStepPosition> own = step.of(rank);
        return own ? &ranks[rank].steps[*own] : nullptr;
    }
};

}  // namespace rankscope
