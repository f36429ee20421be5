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

/// The problem that a finding is about. Each has a rule in core/diagnosis/rules, in the file of the same name.
enum class FindingId : std::uint8_t {
    DataloaderStall,       ///< the device waits for the DataLoader
    UnpinnedMemcpy,        ///< copies to the device from pageable memory, or by calls that wait for them
    HostSync,              ///< a call or operator makes the CPU wait for the GPU
    AllocatorStall,        ///< memory is allocated or freed during the step
    HostStall,             ///< host threads stall: they get no core, or something blocks them
    HostCode,              ///< one piece of code keeps the host from launching
    LaunchBound,           ///< the CPU launches kernels more slowly than the GPU runs them
    DeviceShared,          ///< another process uses the device of a rank, and the rank's work has to wait
    LateAnswer,            ///< the device is idle, and starts launched work late
    WarmUp,                ///< graphs and modules are loaded for the first time
    UnexplainedIdle,       ///< the device is idle, and the trace does not show why
    FindUnusedParameters,  ///< DDP searches for unused parameters
    GradientCopies,        ///< DDP copies gradients out of its buckets
    BucketSize,            ///< DDP's buckets are too large or too small
    ShardGatherLate,       ///< gathers of FSDP's or ZeRO's parameters start too late to overlap
    TensorCommunication,   ///< divided layers or sequences are summed without computation at the same time
    ExpertImbalance,       ///< the experts of some ranks have more work than those of others
    SlowCollective,        ///< some collectives are slower than others of their kind and size
    ExposedCommunication,  ///< transfers that are not overlapped with computation
    StepSpikes,            ///< rare long steps that share a cause
    StragglerRank,         ///< the same ranks delay the others in most steps
    MovingStraggler,       ///< a rank delays the others in most steps, but not always the same rank
    GpuSlowsDown,          ///< the same kernels take longer over time
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

/// The part in which most of a rank's lateness arose.
enum class LateBecause : std::uint8_t {
    SlowerKernels,  ///< as many kernels that take longer: clocks, heat, or more work in each
    MoreKernels,    ///< more kernels: an uneven shard
    DataLoader,
    HostSync,
    BlockingCopy,
    Allocator,
    Host,          ///< launches, operators, Python, and what is not recorded
    DeviceShared,  ///< another process used its device
    LateAnswer,    ///< its device started launched work late
    Copies,
    Throttling,  ///< the same kernels, launched with the same grid, take longer: sensors prove it, or they become
                 ///< slower and slower
};
[[nodiscard]] std::string_view lateBecauseName(LateBecause cause);  ///< as in the JSON: "slower-kernels"

/// What rare long steps do that the others do not, as far as the trace shows it.
enum class SpikeCause : std::uint8_t {
    Checkpoint,  ///< a rank copies its memory to the host, or code with such a name runs
    Evaluation,  ///< more forward work, but no more backward work
    DataLoader,  ///< the device waits for a batch: the loader's queue was empty
    Allocator,   ///< device memory is allocated or freed
    Profiler,    ///< the profiler's own work
    Collection,  ///< Python's garbage collection, by its function name
    HostCode,    ///< code that is recorded in no other step
    HostPause    ///< the CPU makes no progress, and nothing recorded says why
};
/// As in the reports, and in the conditions and sentences of `step-spikes`: "checkpoint".
[[nodiscard]] std::string_view spikeCauseName(SpikeCause cause);

/// Why a transfer does not overlap with computation.
enum class ExposedBecause : std::uint8_t {
    SameStream,   ///< it is on the stream of the computation: nothing can overlap there
    Awaited,      ///< the next computation is queued, and waits for the transfer
    IssuedLate,   ///< the CPU calls it after the computation before it has ended
    NothingLeft,  ///< it was called in time, but no computation is queued until it ends
};
inline constexpr std::size_t kExposedBecauses = 4;
[[nodiscard]] std::string_view exposedBecauseName(ExposedBecause cause);  ///< as in the JSON: "same-stream"

/// What makes the ranks of a finding late, its steps long, or its transfers exposed; empty for other findings.
using FindingCause = std::variant<std::monostate, LateBecause, SpikeCause, ExposedBecause>;
/// As in the JSON, and in conditions of remedies: "dataloader"; empty if there is none.
[[nodiscard]] std::string_view findingCauseName(const FindingCause& cause);

/// See severityOf(). Below a saving of 1 % of the step there is no finding.
enum class Severity : std::uint8_t { Low, Medium, High };

/// The severity as in the reports and in `--fail-on`: "low", "medium" or "high".
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

/// A part of a finding's time in its example step.
struct FindingPart {
    /// The cause and where it occurs: "Operator: aten::mm", or only "aten::mm" if all parts have one cause; the rest is
    /// "12 shorter ones".
    std::string what;
    DurationNs time_ns = 0;  ///< per step
    SliceRef slice;          ///< the longest slice of this part; invalid for the rest, and if nothing is recorded
};

/// The parts of a finding's time in one typical step of one rank: the step nearest to Finding::blocked_ns.
struct FindingExample {
    RankPosition rank;
    std::int64_t step = 0;           ///< RankStep::index
    DurationNs total_ns = 0;         ///< the sum of the parts
    std::vector<FindingPart> parts;  ///< up to eight, the longest first; the last is the rest, and everything below 1 %
};

/// How a saving changes once other findings are fixed: savings do not add up.
struct Overlap {
    FindingId with = FindingId::DataloaderStall;  ///< the finding attributed before this one (see Attribution) that
                                                  ///< changes it most
    DurationNs alone_ns = 0;                      ///< what it saves per step alone
    DurationNs after_ns = 0;                      ///< what it adds to the joint saving of all findings before it
};

/// The range of a saving.
struct SavingRange {
    DurationNs low_ns = 0;   ///< per step
    DurationNs high_ns = 0;  ///< per step
};

/// What to change, in PyTorch's own terms.
struct Remedy {
    std::string action;      ///< "Set num_workers=4 or more on the DataLoader, up to one or two per free CPU core."
    std::string detail;      ///< why it helps and what to watch for
    std::string brief = {};  ///< the change for a cell of a table, up to 30 characters: "num_workers=4"
    bool is_quick = false;   ///< one line of code or a launch option, without side effects
};

/// One diagnosed problem (design section 5).
struct Finding {
    FindingId id = FindingId::DataloaderStall;
    Severity severity = Severity::Low;
    Confidence confidence = Confidence::Low;
    std::vector<RankPosition> ranks;         ///< the culprits
    std::vector<RankPosition> paying_ranks;  ///< the ranks that lose time to it, also by waiting for a culprit
    std::vector<std::int64_t> steps;         ///< RankStep::index of the steps it was seen in
    DurationNs blocked_ns = 0;               ///< ledger time that it owns per step, median (Price::blocked_ns says on
                                             ///< which rank)
    /// The median step of the run minus the same step replayed without the problem, less the likely cost of the remedy
    /// (`cost`).
    DurationNs saving_ns = 0;
    double share = 0.0;  ///< saving_ns / median step, 0 to 1
    Coverage coverage;   ///< coverage of the steps that its price is based on; empty without a price
    /// The saving is an upper bound from an ideal, such as a CPU that takes no time: no change of the code reaches it
    /// completely.
    bool at_most = false;
    /// The 95 % range of the mean saving of as many other steps, if it varies from step to step as in these. Nothing
    /// for an upper bound, for late ranks, and with fewer than three steps. For the bubble of a pipeline: from the
    /// saving of the change that it names to no bubble at all. If the remedy has a cost, from the saving at the highest
    /// cost to that at the lowest.
    std::optional<SavingRange> range;
    std::optional<RemedyCost> cost;  ///< cost of the first remedy, if it takes time itself
    std::optional<Overlap> overlap;  ///< if the two differ by at least 1 % of the step
    FindingCause cause;
    /// For exposed transfers: the share of their time with that cause, 0 to 1; empty for other findings.
    std::optional<double> cause_share;
    std::string title;
    std::string summary;                      ///< the finding in one sentence
    std::string why;                          ///< whole sentences with the numbers in them
    std::vector<std::string> why_confidence;  ///< sentences: what limits the confidence in its price
    /// Empty for findings that own no time in a step: late ranks, rare long steps, and findings without a price.
    std::optional<FindingExample> example;
    std::vector<Remedy> remedies;
    std::vector<Evidence> evidence;
    std::vector<LateWindow> late;  ///< for stragglers: when they were late, by rank and time
};

/// The parts of DDP that have a price.
enum class DdpPartKind : std::uint8_t { SearchUnused, CopyToGradient, BroadcastBuffers };
[[nodiscard]] std::string_view ddpPartName(DdpPartKind part);  ///< as in the JSON: "broadcast_buffers"

/// Whether a saving per step of `step_ns` is so uncertain that it is shown as a range: by more than 2 % of the step.
[[nodiscard]] bool isToldAsRange(const Finding& finding, DurationNs step_ns);

/// A finding that these traces cannot show, and what to record to be able to.
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

/// A run in one line, before all numbers: see headlineOf().
struct Headline {
    std::string title;        ///< "launch-bound", "held up by rank 3"
    std::string text;         ///< a sentence or two, with the share of the step
    bool of_finding = false;  ///< from the first finding, not from the verdict
    bool known = true;  ///< a finding names what limits the step, or it is compute; else `text` says why it is not
                        ///< known
};

/// All findings of a run, in the order of isWorthMore().
struct Diagnosis {
    std::vector<Finding> findings;
    Headline headline;
    std::vector<CannotTell> cannot_tell;
    Coverage prices;            ///< the steps that prices are based on, except prices of long steps
    std::vector<DdpPrice> ddp;  ///< prices of the parts that ran in a priced step
    /// If asked for (AnalysisOptions::bucket_sizes), and if DDP sends buckets.
    std::optional<BucketForecast> buckets;
};

}  // namespace rankscope
