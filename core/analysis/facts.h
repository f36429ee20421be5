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
// the rank's own file clock in integer nanoseconds; RunClock carries them to the run's clock.

/// Why a device was blocked (design 4.4). The vocabulary is closed and stands in the JSON schema.
enum class Cause : std::uint8_t {
    DataLoader,      ///< the launching thread waited in the DataLoader's __next__
    HostSync,        ///< a sync call drained the queue; owns the late launches behind it too
    BlockingCopy,    ///< a copy call that waits for its own copy
    Allocator,       ///< cudaMalloc, cudaFree and their like
    Launch,          ///< inside launch calls
    LaunchLatency,   ///< from the start of the launch call to the start on the device
    Operator,        ///< operator code on the host
    Python,          ///< Python code on the host
    HostStall,       ///< the host's thread did not run: other threads had the cores, or something held it
    Unrecorded,      ///< the host recorded nothing
    Queued,          ///< launched in time, yet the device waited; for what, the trace does not tell
    KernelToKernel,  ///< under 5 us between two queued kernels
    InsideGraph,     ///< between two pieces of work that one graph launch put there
    DeviceShared,    ///< ready, again and again, on an idle device that did not start it: somebody else had it
    LateAnswer,      ///< the launch call had returned, and the idle device started its work late, whatever it was
    WarmUp,          ///< code is loaded, a graph is instantiated, or launched for the first time
    OtherRank,       ///< the device waited inside a collective for a rank that came later
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

/// Up to three slices, held in place since the parts of gaps are many.
class SliceRefs {
  public:
    constexpr SliceRefs() = default;
    constexpr SliceRefs(std::initializer_list<SliceRef> slices) {
        for (const SliceRef slice : slices) {
            add(slice);
        }
    }
    /// Leaves out what is invalid, known already, or too much.
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

/// A part of a gap with its one cause. The parts of a gap follow one another and fill it exactly. Its texts are strings
/// of the rank's trace, and live as long as that.
struct GapPart {
    Cause cause = Cause::Unrecorded;
    TimeSpan span;
    std::string_view label;  ///< which op, call or line: "aten::item", "train.py(54): step"; may be empty
    SliceRefs evidence;      ///< the slices that prove it, most telling first
    /// Part of a stretch of late host time (launch, operator, python, unrecorded) that is long against what the host
    /// usually needs from one launch to the next: not the feeding of the device, but something in its way.
    bool long_stretch = false;
    SliceRef code;  ///< then the innermost code around more than half of the stretch; invalid if there is none
    std::string_view code_name;  ///< its name
};

/// A maximal interval inside a step with nothing running on any stream of the device.
struct Gap {
    TimeSpan span;
    std::int32_t device = -1;
    SliceRef releasing;  ///< the first device work after it; invalid at the end of the trace
    SliceRef launch;     ///< the host call that launched it; invalid if unknown
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
    std::optional<DurationNs> exposed_unsplit_ns;  ///< in collectives of which it cannot be determined
};

/// What the rank that arrived last to a collective did while another waited there.
enum class WaitedFor : std::uint8_t { Compute, Communication, Copy, Idle, Unknown };
[[nodiscard]] std::string_view waitedForName(WaitedFor what);  ///< as in the JSON: "compute"

/// A part of a wait with its one reason. The parts of a wait follow one another and fill it exactly.
struct WaitPart {
    TimeSpan span;      ///< of the wait, on the waiting rank's clock
    RankPosition rank;  ///< who was waited for, at the end of the chain
    WaitedFor what = WaitedFor::Unknown;
    Cause cause = Cause::Unrecorded;  ///< why that rank's device was blocked, where `what` is Idle
    std::string_view label = {};      ///< as GapPart::label, of that rank
    SliceRef evidence = {};           ///< of that rank's trace: the slice that tells most; may be invalid
};

/// A stretch of a step in which the device does nothing but wait inside a collective for another rank.
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
    CauseTimes idle;             ///< of the device that the path is on, where its launch is known
    DurationNs compute_ns = 0;   ///< |K|
    DurationNs transfer_ns = 0;  ///< exposed
    DurationNs copy_ns = 0;      ///< exposed
    DurationNs unknown_ns = 0;   ///< idle before work whose launch is not in the trace
    DurationNs unsplit_ns = 0;   ///< exposed communication that cannot be divided, or is for nobody known
    [[nodiscard]] DurationNs total() const {
        return idle.total() + compute_ns + transfer_ns + copy_ns + unknown_ns + unsplit_ns;
    }
    PathTimes& operator+=(const PathTimes& other);
};

/// How the steps of a rank were found, best first (design 4.2).
enum class StepSource : std::uint8_t {
    ProfilerStep,
    NamedRange,
    Iteration,  ///< of a server of language models
    OptimizerStep,
    DataLoaderNext,
    WholeWindow
};
[[nodiscard]] std::string_view stepSourceName(StepSource source);
/// Whether such steps have numbers of their own, which ranks share; all others are counted.
[[nodiscard]] constexpr bool hasNumbers(StepSource source) {
    return source == StepSource::ProfilerStep || source == StepSource::NamedRange;
}

/// One step as its rank alone tells it: the first stage of the facts (core/analysis/run_facts.h).
struct MeasuredStep {
    std::int64_t index = 0;  ///< N of ProfilerStep#N, else counted from 0
    TimeSpan host;           ///< the mark on the host
    TimeSpan span;           ///< the step itself: to the end of the device work launched in it
    SliceRef mark;           ///< the slice that marks it, if any
    bool complete = true;
    std::string incomplete_reason;  ///< why it is priced nowhere, if it is not complete
    std::uint32_t window = 0;       ///< of RankMeasures::windows: which one it is in
    /// Nothing on a rank without device work. Its exposed communication is split from the stage on that knows the other
    /// ranks: in RankStep.
    std::optional<Partition> partition;
    CauseTimes idle_causes;                       ///< adds up to partition->idle_ns
    std::vector<Gap> gaps;                        ///< all of them, in order; their lengths add up to partition->idle_ns
    std::optional<StepIteration> iteration = {};  ///< nothing if nothing shows that the job serves
};

/// One step of one rank among those of the other ranks, with what it waited for.
struct RankStep : MeasuredStep {
    bool outlier = false;  ///< kept out of medians
    std::string outlier_reason;
    WaitTimes wait_causes;           ///< adds up to partition->exposed_wait_ns
    std::vector<ExposedWait> waits;  ///< in order; their lengths add up to partition->exposed_wait_ns
};

/// The step before the first that was read of a rank, where only later ones were.
struct StepBefore {
    std::int64_t index = 0;  ///< as MeasuredStep::index
    TimeNs end_ns = 0;       ///< the end of its span, on the file's clock
};

/// What every stage knows of a rank beside its steps.
struct RankMeasures {
    RecordedWindows windows;  ///< when it was recorded
    WorkClasses work_classes;
    std::int32_t device = -1;  ///< the device that the partition is about: the one with most work; -1 if none
    std::vector<std::int32_t> other_devices;
    IntervalSet compute;                                       ///< K of that device
    IntervalSet communication;                                 ///< C
    IntervalSet copy;                                          ///< M
    IntervalSet overlap;                                       ///< C n K: communication that computation hides
    IntervalSet exposed_communication;                         ///< C - K
    std::vector<TrackId> communication_tracks;                 ///< the streams of that device that communicate, sorted
    std::vector<CommunicationSuspect> communication_suspects;  ///< counted as compute; the longest first
    StepSource step_source = StepSource::WholeWindow;
    TrackId main_thread;  ///< the thread that marks the steps and launches the forward; invalid if none
    DdpMarks ddp;
    std::vector<DeviceMemory> memory;  ///< empty if no memory events were recorded
    std::vector<HostStall> stalls;     ///< of its host threads, by thread and start
};

/// Rank facts: what one rank tells by itself.
struct MeasuredRank : RankMeasures {
    std::vector<MeasuredStep> steps;
    std::optional<StepBefore> step_before = {};  ///< nothing if all steps of the file were read, or its first ones
};

/// A rank explained by the others: which steps are outliers, and what its waits in collectives were for.
struct ExplainedRank : RankMeasures {
    IntervalSet exposed_transfer;  ///< the part of `exposed_communication` in which a collective transfers
    std::vector<RankStep> steps;
};

/// What a rank's steps spend their time in, by phase and by name.
struct RankTables {
    RankPhases phases;
    OperatorTable operators;
    KernelTable kernels;
};

/// All facts of one rank.
struct RankFacts : ExplainedRank, RankTables {
    PathTimes path;  ///< the critical path that ends on this rank
};

/// What a nanosecond that is not compute belongs to (design 4.8).
enum class Owner : std::uint8_t { Blocked, ExposedTransfer, ExposedCommunication, ExposedCopy };

/// One entry of the ledger: `ns` of one (rank, step) with exactly one owner. The entries of a (rank, step) and its
/// compute add up to the step.
struct LedgerEntry {
    RankPosition rank;
    RankStepPosition step;
    Owner owner = Owner::Blocked;
    Cause cause = Cause::Unrecorded;  ///< where owner is Blocked
    std::string label;                ///< as GapPart::label; of transfers the collective's name, of copies the copy's
    /// Where the cause is OtherRank: who was waited for, and what that rank did, as WaitPart.
    RankPosition waited_rank = {};
    WaitedFor waited_for = WaitedFor::Unknown;
    Cause waited_cause = Cause::Unrecorded;
    bool long_stretch = false;       ///< as GapPart::long_stretch
    bool slow_excess = false;        ///< of transfers: the time in which peers of the collective would have been over
    std::uint32_t group = kNoGroup;  ///< of transfers: the group, as an index in CollectiveFacts::groups
    static constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();
    std::string code_name;  ///< as GapPart::code_name
    DurationNs ns = 0;
    std::vector<SliceRef> evidence;  ///< of the longest parts first, at most some tens
};

/// A step of the run: from the last member's end of the step before to the last member's end of this one.
struct RunStep {
    std::int64_t index = 0;
    DurationNs duration_ns = 0;  ///< on the run's clock
    bool follows = false;        ///< it is counted from the end of the step before it
    bool opens = false;          ///< the first step of a recorded window: none before it was recorded in that
    /// When that ended, on the run's clock, where it is none of RunFacts::steps: of steps that were not read.
    std::optional<TimeNs> before_ns = {};
    bool complete = true;  ///< on all ranks that have it
    bool outlier = false;
    std::string outlier_reason;                            ///< empty if it is none
    std::optional<IterationKind> kind = {};                ///< of a server's iteration, as all its ranks tell it
    bool other_kind = false;                               ///< an outlier since prices are of another kind
    RankPosition critical_rank;                            ///< the last to be ready
    std::vector<std::optional<RankStepPosition>> by_rank;  ///< as Run::ranks

    /// Where this step is on one rank. Nothing if the rank has no
    /// step of this number: a window may begin or end sooner on one rank than on another, and a trace may lack a mark.
    [[nodiscard]] std::optional<RankStepPosition> of(RankPosition rank) const {
        return rank < by_rank.size() ? by_rank[rank] : std::nullopt;
    }
    /// The same for the critical rank, which is one of those that have this step. Throws where a step was put together
    /// by hand without it.
    [[nodiscard]] RankStepPosition ofCriticalRank() const { return by_rank.at(critical_rank).value(); }
};

/// Which step stands for all of a run, in prices and in texts.
enum class StepBasis : std::uint8_t {
    Median,  ///< the median of the steady-state steps: what is left out is little, and its medians are steps as
             ///< measured
    Mean,    ///< their mean: too many steps are long for the long ones to be left out, so they count with all they took
};
[[nodiscard]] std::string_view stepBasisName(StepBasis basis);  ///< as in the JSON and in texts: "median", "mean"

/// The ledger of one step of one rank.
struct StepLedger {
    std::vector<LedgerEntry> entries;
    /// Who owns each part of the step's gaps, all parts of all gaps in order: a place among `entries`.
    std::vector<std::uint32_t> entry_of_part;
};

/// All facts of a run.
struct RunFacts {
    std::vector<RankFacts> ranks;  ///< as Run::ranks
    std::vector<RunStep> steps;
    std::vector<LedgerEntry> ledger;  ///< of all steps of all ranks, by rank and step
    /// By rank and step: StepLedger::entry_of_part, places among the entries of that step.
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
    /// numbers do not follow: the profiler paused there.
    DurationNs recorded_ns = 0;
    /// How many times as long work takes beside a collective that waits for other ranks; nothing if the run does not
    /// tell. See core/analysis/replay/contention.h.
    std::optional<double> slowdown_beside_waiting;
    Verdict verdict;

    /// The step that prices and shares are of: the median one, or the mean where that stands for the run.
    [[nodiscard]] DurationNs pricedStep() const { return basis == StepBasis::Mean ? mean_step_ns : median_step_ns; }

    /// A step of the run as one rank has it; null if it has no step of this number.
    [[nodiscard]] const RankStep* stepOf(const RunStep& step, RankPosition rank) const {
        const std::optional<RankStepPosition> own = step.of(rank);
        return own ? &ranks[rank].steps[*own] : nullptr;
    }
};

}  // namespace rankscope
