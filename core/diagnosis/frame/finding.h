// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/analysis/confidence.h"
#include "core/analysis/steps/coverage.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/diagnosis/prices/bucket_forecast.h"
#include "core/diagnosis/prices/remedy_cost.h"

namespace rankscope {

/// Which problem a finding is about. Each has a rule in core/diagnosis/rules, in the file of the same name.
enum class FindingId : std::uint8_t {
    DataloaderStall,       ///< the device waits for the DataLoader
    UnpinnedMemcpy,        ///< copies to the device from pageable memory, or by calls that wait for them
    HostSync,              ///< a call or operator makes the host wait for the device
    AllocatorStall,        ///< memory is allocated or freed inside the step
    HostStall,             ///< host threads stall: they do not get the cores, or something holds them
    HostCode,              ///< one piece of code keeps the host from launching
    LaunchBound,           ///< the host launches work later than the device could do it
    DeviceShared,          ///< somebody else uses the device of a rank, and its work has to wait
    LateAnswer,            ///< the device is idle, and starts launched work late
    WarmUp,                ///< graphs and modules are loaded for the first time
    UnexplainedIdle,       ///< the device is idle, and the trace does not show why
    FindUnusedParameters,  ///< DDP searches for parameters that were not used
    GradientCopies,        ///< DDP copies gradients out of its buckets
    BucketSize,            ///< DDP's buckets are too large or too small
    ShardGatherLate,       ///< gathers of FSDP's or ZeRO's parameters begin too late to be hidden
    TensorCommunication,   ///< divided layers or sequences are summed without computation at the same time
    ExpertImbalance,       ///< the experts of some ranks have more to do than those of others
    SlowCollective,        ///< some collectives are slower than others of their kind and size
    ExposedCommunication,  ///< transfers that are not overlapped with computation
    StepSpikes,            ///< rare long steps that share a cause
    StragglerRank,         ///< the same ranks delay the others in most steps
    MovingStraggler,       ///< a rank delays the others in most steps, and not always the same
    GpuSlowsDown,          ///< the same kernels take longer as time goes on
    PipelineBubble,        ///< the ranks of a pipeline are idle while it fills, empties and waits for stages
    NoTensorCores,         ///< float32 products on plain cores of a device that has tensor cores for them
    LowPrecisionUnused,    ///< products of 32-bit numbers on a device with 16-bit tensor cores
    StageImbalance,        ///< one stage of a pipeline takes longer than the others
    MemoryPressure,        ///< the device's memory is nearly full
    TraceHealth            ///< what is wrong with the traces themselves
};
inline constexpr std::size_t kFindingIds = 29;

/// The id as in reports, advice.json and sentences.json: "dataloader-stall".
[[nodiscard]] std::string_view findingName(FindingId id);

/// What most of the time went to by which a rank was later than the others.
enum class LateBecause : std::uint8_t {
    SlowerKernels,  ///< as many kernels that take longer: clocks, heat, or more work in each
    MoreKernels,    ///< more of them: an uneven shard
    DataLoader,
    HostSync,
    BlockingCopy,
    Allocator,
    Host,          ///< launches, operators, Python, and what is not recorded
    DeviceShared,  ///< its device was somebody else's
    LateAnswer,    ///< its device started launched work late
    Copies,
    Throttling,  ///< the same kernels, launched alike, take longer: sensors prove it, or they do so more and more
};
[[nodiscard]] std::string_view lateBecauseName(LateBecause cause);  ///< as in the JSON: "slower-kernels"

/// What rare long steps do that the others do not, as far as the trace shows.
enum class SpikeCause : std::uint8_t {
    Checkpoint,  ///< a rank copies its memory to the host, or code named for it runs
    Evaluation,  ///< more forward work, and no more of a backward
    DataLoader,  ///< the device waits for a batch: the loader's queue had run empty
    Allocator,   ///< memory of the device is allocated or given back
    Profiler,    ///< the profiler's own work
    Collection,  ///< Python's garbage collection, by the name of its function
    HostCode,    ///< code that is recorded in no other step
    HostPause    ///< the host does not get on, and nothing recorded says why
};
/// As in the reports, and as the conditions and sentences of `step-spikes`: "checkpoint".
[[nodiscard]] std::string_view spikeCauseName(SpikeCause cause);

/// Why a transfer does not overlap with computation.
enum class ExposedBecause : std::uint8_t {
    SameStream,   ///< it is on the stream of the computation: nothing can overlap there
    Awaited,      ///< the next computation is queued, and waits for it
    IssuedLate,   ///< the CPU calls it when the computation before it has ended
    NothingLeft,  ///< it was called in time, and no computation is queued until it ends
};
inline constexpr std::size_t kExposedBecauses = 4;
[[nodiscard]] std::string_view exposedBecauseName(ExposedBecause cause);  ///< as in the JSON: "same-stream"

/// What makes the ranks of a finding late, its steps long, or its transfers exposed; of other findings nothing.
using FindingCause = std::variant<std::monostate, LateBecause, SpikeCause, ExposedBecause>;
/// As in the JSON, and as conditions of remedies: "dataloader"; empty if there is none.
[[nodiscard]] std::string_view findingCauseName(const FindingCause& cause);

/// See severityOf(). Below a saving of 1 % of the step there is no finding.
enum class Severity : std::uint8_t { Low, Medium, High };

/// The severity as in the reports and behind `--fail-on`: "low", "medium" or "high".
[[nodiscard]] std::string_view severityName(Severity severity);

/// A slice that proves a finding: a place to jump to.
struct Evidence {
    RankPosition rank;
    std::int64_t step = 0;  ///< RankStep::index
    SliceRef slice;
    std::string note;  ///< what it shows: "blocks the device for 58.2 ms"
};

/// A stretch of time in which a rank was later than it should be, and the others waited for it.
struct LateWindow {
    RankPosition rank;
    std::int64_t step = 0;  ///< RankStep::index
    TimeSpan span;          ///< the rank's segment time, from one blocking collective to the next, on its file clock
};

/// A row of what a finding is made of.
struct FindingPart {
    /// The cause and what it is in: "Operator: aten::mm", or where all parts have one cause "aten::mm"; of the rest
    /// "12 shorter ones".
    std::string what;
    DurationNs time_ns = 0;  ///< of the step
    SliceRef slice;          ///< the longest of what makes it; invalid for the rest, and where nothing is recorded
};

/// What a finding owns in one typical step of one rank: the one that comes nearest to Finding::blocked_ns.
struct FindingExample {
    RankPosition rank;
    std::int64_t step = 0;           ///< RankStep::index
    DurationNs total_ns = 0;         ///< what the parts add up to
    std::vector<FindingPart> parts;  ///< at most eight, the longest first; the rest, and what is below 1 %, is the last
};

/// How a saving changes once other findings are fixed: what they save together is not the sum.
struct Overlap {
    FindingId with = FindingId::DataloaderStall;  ///< the finding before it (see Attribution) that changes it most
    DurationNs alone_ns = 0;                      ///< what it saves per step alone
    DurationNs after_ns = 0;                      ///< what it adds to what all findings before it save together
};

/// From where to where a saving may be.
struct SavingRange {
    DurationNs low_ns = 0;   ///< a step
    DurationNs high_ns = 0;  ///< a step
};

/// What to change, in PyTorch's own terms.
struct Remedy {
    std::string action;      ///< "Set num_workers=4 or more on the DataLoader, up to one or two per free CPU core."
    std::string detail;      ///< why it helps and what to watch for
    std::string brief = {};  ///< the change for a cell of a table, up to 30 characters: "num_workers=4"
    bool is_quick = false;   ///< one line of code or a launch option, without side effects to think about
};

/// One diagnosed problem (design section 5).
struct Finding {
    FindingId id = FindingId::DataloaderStall;
    Severity severity = Severity::Low;
    Confidence confidence = Confidence::Low;
    std::vector<RankPosition> ranks;         ///< the culprits
    std::vector<RankPosition> paying_ranks;  ///< who loses time to it, waiting for a culprit included
    std::vector<std::int64_t> steps;         ///< RankStep::index of the steps it was seen in
    DurationNs blocked_ns = 0;               ///< ledger time it owns a step, median (Price::blocked_ns says on whom)
    /// What a replay without it saves of the run's step, median, less what the remedy likely costs (`cost`).
    DurationNs saving_ns = 0;
    double share = 0.0;  ///< saving_ns / median step, 0 to 1
    Coverage coverage;   ///< the steps that its price is based on; of none without a price
    /// The saving is that of an ideal, such as a host that takes no time: no change of the code reaches all of it.
    bool at_most = false;
    /// The 95 % range of the mean saving of as many other steps, if it varies from step to step as in these. Nothing
    /// for an upper bound, for late ranks, and with fewer than three steps. For the bubble of a pipeline: from the
    /// change that it names to no bubble at all. Where the remedy has a cost, from the most that it may be to the
    /// least.
    std::optional<SavingRange> range;
    std::optional<RemedyCost> cost;  ///< of the first remedy, where it takes something itself
    std::optional<Overlap> overlap;  ///< where the two differ by at least 1 % of the step
    FindingCause cause;
    /// Of exposed transfers: how much of their time that cause is, 0 to 1; of other findings nothing.
    std::optional<double> cause_share;
    std::string title;
    std::string summary;                      ///< what it comes down to, in one sentence
    std::string why;                          ///< whole sentences with the numbers in them
    std::vector<std::string> why_confidence;  ///< sentences: why its price can be trusted so far and no further
    /// Nothing for what owns no time of its own in a step: late ranks, rare long steps, and what has no price.
    std::optional<FindingExample> example;
    std::vector<Remedy> remedies;
    std::vector<Evidence> evidence;
    std::vector<LateWindow> late;  ///< of stragglers: when they were late, by rank and time
};

/// The parts of DDP that have a price.
enum class DdpPartKind : std::uint8_t { SearchUnused, CopyToGradient, BroadcastBuffers };
[[nodiscard]] std::string_view ddpPartName(DdpPartKind part);  ///< as in the JSON: "broadcast_buffers"

/// Whether a saving of a step of `step_ns` is so uncertain that it is shown as a range: by more than 2 % of the step.
[[nodiscard]] bool isToldAsRange(const Finding& finding, DurationNs step_ns);

/// What cannot be known from the traces at hand, and what to record to be able to.
struct CannotTell {
    FindingId id = FindingId::DataloaderStall;  ///< the finding that cannot be judged
    std::string reason;                         ///< why
    std::string record;                         ///< what to record
};

/// What a part of DDP costs, worth a finding or not.
struct DdpPrice {
    DdpPartKind part = DdpPartKind::SearchUnused;
    DurationNs blocked_ns = 0;  ///< as Finding::blocked_ns
    DurationNs saving_ns = 0;   ///< as Finding::saving_ns
};

/// What a run comes down to, before all numbers: see headlineOf().
struct Headline {
    std::string title;        ///< "launch-bound", "held up by rank 3"
    std::string text;         ///< a sentence or two, with the share of the step
    bool of_finding = false;  ///< the first finding gives it, not the verdict
    bool known = true;  ///< whether a finding names what limits the step, or it computes; else `text` says why not
};

/// All findings of a run, in the order of isWorthMore().
struct Diagnosis {
    std::vector<Finding> findings;
    Headline headline;
    std::vector<CannotTell> cannot_tell;
    Coverage prices;            ///< the steps that prices are based on, except prices of long steps
    std::vector<DdpPrice> ddp;  ///< of the parts that did anything in a step that counts for prices
    /// Where it was asked for (AnalysisOptions::bucket_sizes), and DDP sends buckets.
    std::optional<BucketForecast> buckets;
};

}  // namespace rankscope
