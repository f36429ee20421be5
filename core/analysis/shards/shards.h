// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/confidence.h"
#include "core/analysis/steps/phases.h"
#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

// What a job does whose parameters, gradients or optimizer state are divided among ranks (FSDP, ZeRO): facts from
// findShards() (find_facts.h). See docs/definitions/shards.md.

/// What a collective of a shard group does.
enum class ShardOperation : std::uint8_t {
    Gather,   ///< collects the parameters of a unit: an all-gather
    Scatter,  ///< sums its gradients and divides them: a reduce-scatter
};
[[nodiscard]] std::string_view shardOperationName(ShardOperation operation);  ///< as in the JSON: "gather"

/// Why there was no computation during a gather or a scatter, or during the wait for it.
enum class ShardCause : std::uint8_t {
    HostLate,       ///< the host launched it after the device was ready for it
    NoPrefetch,     ///< it began only when the previous unit was done: nothing was launched ahead
    Limited,        ///< the host waited for the device before launching it: FSDP1's limit_all_gathers
    FirstUnit,      ///< the first gather of a step: nothing can be computed before it
    LastUnit,       ///< the last scatter of a step: nothing is computed after it
    TooLarge,       ///< its transfer takes longer than the computation that could hide it
    BehindAnother,  ///< it was in its stream's queue behind another collective
    SlowerRank,     ///< the rank that arrived last was still computing
    Unknown,        ///< the trace does not show it
};
inline constexpr std::size_t kShardCauses = static_cast<std::size_t>(ShardCause::Unknown) + 1;
[[nodiscard]] std::string_view shardCauseName(ShardCause cause);  ///< as in the JSON: "host-late"
[[nodiscard]] std::string_view shardCauseText(ShardCause cause);  ///< for people: "the host was late"

/// What divides the parameters, recognised by names.
enum class ShardFramework : std::uint8_t {
    Unknown,
    Fsdp1,      ///< FullyShardedDataParallel
    Fsdp2,      ///< fully_shard
    DeepSpeed,  ///< ZeRO
};
[[nodiscard]] std::string_view shardFrameworkName(ShardFramework framework);  ///< as in the JSON: "fsdp2"

/// Nanoseconds by cause.
struct ShardTimes {
    std::array<DurationNs, kShardCauses> ns{};
    [[nodiscard]] DurationNs& operator[](ShardCause cause) { return ns[static_cast<std::size_t>(cause)]; }
    [[nodiscard]] DurationNs operator[](ShardCause cause) const { return ns[static_cast<std::size_t>(cause)]; }
    [[nodiscard]] DurationNs total() const { return std::accumulate(ns.begin(), ns.end(), DurationNs{0}); }
    ShardTimes& operator+=(const ShardTimes& other) {
        for (std::size_t i = 0; i < ns.size(); ++i) {
            ns[i] += other.ns[i];
        }
        return *this;
    }
};

/// Parameters that are gathered and scattered at once: a module that was wrapped separately, or a part of the flat
/// parameters.
struct ShardUnit {
    std::string name;                               ///< "layers.0"; "gather 3 of the forward" if no range names it
    bool named = false;                             ///< a range around the launch has the name
    std::optional<std::int64_t> gathered_elements;  ///< over all ranks, with padding; nothing if no size is recorded
};

/// A gather or scatter, judged once for all ranks by the last one to arrive.
struct ShardCollective {
    CollectivePosition collective;
    std::uint32_t unit = 0;  ///< index in ShardFacts::units
    ShardOperation operation = ShardOperation::Gather;
    Phase phase = Phase::Other;        ///< the phase that launched it
    std::optional<RankPosition> last;  ///< the last rank to arrive; nothing if unknown
    bool prefetched = false;           ///< a range around its launch shows that it was launched ahead of its unit
    /// Computation on the last rank between the first use of the previous gather and that of this one; for a scatter,
    /// until the next one begins. Nothing if there is no previous or next one.
    std::optional<DurationNs> compute_ns;
    ShardCause wait_cause = ShardCause::Unknown;      ///< why ranks had to wait for the last one
    ShardCause transfer_cause = ShardCause::Unknown;  ///< why its transfer is exposed
};

/// One rank's part in a gather or scatter, in one step.
struct ShardPart {
    std::uint32_t of = 0;  ///< index in ShardFacts::collectives
    RankStepPosition step;
    TimeSpan call;      ///< the launch call; empty if it is not recorded
    TimeSpan span;      ///< when it ran
    SliceRef kernel;    ///< its first kernel
    SliceRef consumer;  ///< for a gather: the first work that needed it; invalid if unknown
    /// How long that work was idle until the gather was over, although it was launched and nothing else delayed it.
    std::optional<DurationNs> consumer_wait_ns;
    // The exposed communication that this part owns in its step, as in RankRoles, in parts that add up: while it waited
    // for the last rank, while it transferred, and if the two cannot be separated.
    DurationNs wait_ns = 0;
    DurationNs transfer_ns = 0;
    DurationNs unsplit_ns = 0;
    [[nodiscard]] DurationNs exposed() const { return wait_ns + transfer_ns + unsplit_ns; }
};

/// The exposed communication of shard groups in one step of a rank; adds up to RankRoles::steps of the role.
struct ShardStep {
    ShardTimes gathers;
    ShardTimes scatters;
    DurationNs other_ns = 0;  ///< in other collectives of shard groups: norms, losses
    [[nodiscard]] DurationNs total() const { return gathers.total() + scatters.total() + other_ns; }
};

/// What one rank did for shards.
struct RankShards {
    std::vector<ShardPart> parts;  ///< sorted by start
    std::vector<ShardStep> steps;  ///< parallel to RankFacts::steps
    ShardStep counted;             ///< sums over the counted steps, as RankRoles::exposed
    DurationNs late_ns = 0;        ///< the exposed time that all ranks waited for this one, in such steps
    std::size_t last = 0;          ///< the number of gathers and scatters at which it arrived last, in all steps
};

/// The ZeRO stage of the job, from which data are gathered and scattered in which phase.
struct ZeroStage {
    std::optional<int> lowest;   ///< 1, 2 or 3; nothing if unknown
    std::optional<int> highest;  ///< the same, or higher if two stages look alike
    Confidence confidence = Confidence::Low;
    std::vector<std::string> evidence;  ///< sentences
    std::int32_t ranks = 0;             ///< P: the number of ranks that divide; 0 if unknown

    // What one rank sends and receives in a step: of the first rank that has it, the mean of the counted steps; nothing
    // if sizes are not recorded.
    std::optional<std::int64_t> gathered_bytes;   ///< outputs of its gathers
    std::optional<std::int64_t> scattered_bytes;  ///< inputs of its scatters
    std::optional<double> traffic_factor;  ///< bytes moved, over those of DDP's all-reduces of the same gradients
    std::optional<double> traffic_factor_elements;  ///< the same in elements, whatever their types
    std::optional<double> rule_factor;              ///< the rule of thumb: 1 for stages 1 and 2, 1.5 for 3
    std::optional<std::int64_t> parameters;         ///< gathered in a step, each unit once
    std::optional<double> rule_bytes_each;          ///< the rule of thumb: bytes per parameter and rank at the lowest
                                                    ///< stage
    std::optional<double> rule_memory_factor;       ///< 16 divided by that
    std::optional<std::int64_t> peak_allocated;     ///< measured, on the rank with most
};

/// What a job does that divides parameters, gradients or optimizer state.
struct ShardFacts {
    ShardFramework framework = ShardFramework::Unknown;
    std::vector<ShardUnit> units;              ///< in the order in which they are first gathered
    std::vector<ShardCollective> collectives;  ///< gathers and scatters, in the order of CollectiveFacts
    std::vector<RankShards> ranks;             ///< parallel to Run::ranks; empty if no group is for shards
    ZeroStage stage;

    /// Whether any collective gathers or scatters shards.
    [[nodiscard]] bool any() const { return !collectives.empty(); }
    /// The gather or scatter for a collective; null if it is neither.
    [[nodiscard]] const ShardCollective* of(CollectivePosition collective) const;
};

}  // namespace rankscope
