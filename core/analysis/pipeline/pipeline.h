// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

// What the pipelines of a job did, as facts from findPipelines() (find_facts.h). Everything that draws a pipeline, with
// its stages as rows and its micro-batches as numbered boxes, reads these. See docs/definitions/pipelines.md.

/// What a rank does with one micro-batch at a time.
enum class PassKind : std::uint8_t {
    Forward,
    Backward,       ///< the whole backward, or only the gradient of the input if the weights' gradient is a separate
                    ///< pass
    WeightGradient  ///< the gradient of the weights, if the schedule separates it
};
inline constexpr std::size_t kPassKinds = 3;
[[nodiscard]] std::string_view passKindName(PassKind kind);  ///< as in the JSON: "forward"

/// One pass of a micro-batch through a stage, on one rank. Times are on the rank's file clock.
struct PipelinePass {
    PassKind kind = PassKind::Forward;
    std::int32_t stage = -1;        ///< index in Pipeline::stages(); -1 if unknown
    std::int32_t micro_batch = -1;  ///< index within the step, from 0; -1 if unknown
    /// First start to last end of the device work, without communication, that was launched in it; on a rank without a
    /// device, of its host time.
    TimeSpan span;
    SliceRef mark;            ///< the range on the host that names it; invalid if there is none
    SliceRef work;            ///< its first piece of device work; invalid on a rank without a device
    std::size_t pieces = 0;   ///< the number of pieces of device work
    bool overlapped = false;  ///< one range runs it together with a pass of the other kind
};

/// Why a rank was idle, without a pass, while its pipeline worked.
enum class BubbleCause : std::uint8_t {
    WarmUp,     ///< before its first backward, while the pass that it waits for ran on another stage: the pipeline
                ///< fills
    Drain,      ///< the same after its last forward; and after its last pass: the pipeline empties
    StageWait,  ///< between these, in the steady state, while the pass that it waits for ran: stages take different
                ///< times
    HandOver    ///< the pass that it waits for had ended: the data was being sent, or the host was late
};
inline constexpr std::size_t kBubbleCauses = 4;
[[nodiscard]] std::string_view bubbleCauseName(BubbleCause cause);   ///< as in the JSON: "warm-up"
[[nodiscard]] std::string_view bubbleCauseTitle(BubbleCause cause);  ///< for people: "warm-up"

/// A stretch of the bubble of one rank, with its one cause; on the rank's file clock.
struct BubblePart {
    TimeSpan span;
    BubbleCause cause = BubbleCause::WarmUp;
    std::optional<std::size_t> before;  ///< the pass that ends it, an index in RankPipelineStep::passes; nothing if
                                        ///< none does
};

/// Where the time of a rank's step went, as seen by its pipeline: in the time in which the pipeline worked, and in the
/// rest of its step. Without `beyond_ns`, which the rank counts in the step before or after, all add up to the step, to
/// the nanosecond.
struct PipelineTimes {
    DurationNs forward_ns = 0;
    DurationNs backward_ns = 0;
    DurationNs weight_gradient_ns = 0;
    DurationNs overlapped_ns = 0;                    ///< in two passes or more at once
    DurationNs other_ns = 0;                         ///< the device did something else while the pipeline worked
    std::array<DurationNs, kBubbleCauses> bubble{};  ///< by cause
    DurationNs outside_ns = 0;                       ///< before the first pass of any stage, and after the last
    DurationNs beyond_ns = 0;  ///< while the pipeline worked, but before or after the rank's own step
    /// A part of the passes in which the device only waits. Not added up.
    DurationNs idle_in_passes_ns = 0;
    /// A part of `other_ns`: in communication with an unknown share of waiting. Not added up.
    DurationNs unsplit_ns = 0;
    [[nodiscard]] DurationNs bubbleOf(BubbleCause cause) const { return bubble[static_cast<std::size_t>(cause)]; }
    [[nodiscard]] DurationNs bubbleTotal() const;
    /// In any pass.
    [[nodiscard]] DurationNs busy() const { return forward_ns + backward_ns + weight_gradient_ns + overlapped_ns; }
    /// While the pipeline worked: everything except `outside_ns`.
    [[nodiscard]] DurationNs window() const { return busy() + other_ns + bubbleTotal(); }
    [[nodiscard]] DurationNs total() const { return window() + outside_ns - beyond_ns; }
    PipelineTimes& operator+=(const PipelineTimes& other);
};

/// One rank in one step of its pipeline.
struct RankPipelineStep {
    RankStepPosition step;             ///< index in RankFacts::steps
    std::vector<PipelinePass> passes;  ///< sorted by start
    std::vector<BubblePart> bubble;    ///< sorted by start; they add up to the bubble of `times`
    /// Its steady state: from the start of its first backward to the end of its last forward; empty if there is none,
    /// as in GPipe.
    TimeSpan steady;
    PipelineTimes times;
};

/// One step of a pipeline.
struct PipelineStep {
    RunStepPosition step;
    RunSpan window;                       ///< from the start of the first pass of any stage to the end of the last
    std::vector<RankPipelineStep> ranks;  ///< parallel to Pipeline::ranks

    /// The bubble of all ranks over their windows, 0 to 1.
    [[nodiscard]] double bubbleShare() const;
};

/// The order in which the ranks of a pipeline run their passes.
enum class Schedule : std::uint8_t {
    GPipe,        ///< all forwards, then all backwards
    OneFOneB,     ///< one forward, one backward, alternating, once the pipeline is full
    Interleaved,  ///< the same, with several stages on each rank
    ZeroBubble,   ///< the gradients of the weights are separate passes, which fill what would be bubble
    DualPipe      ///< forwards of some micro-batches run together with backwards of others, from both ends
};
[[nodiscard]] std::string_view scheduleName(Schedule schedule);   ///< as in the JSON: "1f1b"
[[nodiscard]] std::string_view scheduleTitle(Schedule schedule);  ///< for people: "interleaved 1F1B"

/// What identifies the passes of a pipeline, best first.
enum class PassSource : std::uint8_t {
    Actions,           ///< ranges that name stage, kind and micro-batch: "PP:2F5"
    Numbers,           ///< ranges that name kind and micro-batch: "Forward 5"
    Ranges,            ///< ranges or functions that name the kind: "forward_step"
    SendsAndReceives,  ///< work between sends and receives, backward known by autograd
};
[[nodiscard]] std::string_view passSourceName(PassSource source);  ///< as in the JSON: "actions"

/// The times of one stage per micro-batch: medians over its passes in the counted steps.
struct StageTime {
    std::int32_t stage = 0;
    RankPosition rank;                             ///< the rank that runs it
    std::array<DurationNs, kPassKinds> by_kind{};  ///< by PassKind; 0 if it has no such pass
    std::size_t pieces = 0;                        ///< the median number of pieces of device work in a forward
    [[nodiscard]] DurationNs of(PassKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] DurationNs total() const { return by_kind[0] + by_kind[1] + by_kind[2]; }
};

/// The layers that the ranks of a pipeline run; empty if modules were not recorded.
struct PipelineLayers {
    std::string name;                   ///< the name of their class: "TransformerLayer"
    std::vector<std::size_t> of_ranks;  ///< the number of layers, in the order of Pipeline::ranks
};

/// A layer moved from one rank of a pipeline to another.
struct MovedLayer {
    std::size_t from = 0;      ///< the rank that takes longest, among Pipeline::ranks
    std::size_t to = 0;        ///< the rank that takes least
    DurationNs layer_ns = 0;   ///< the time of a layer per micro-batch, the median over the ranks
    DurationNs played_ns = 0;  ///< the simulated step with it moved
};

/// The simulated length of one step of a pipeline by its schedule, with the times of StageTime.
struct PipelineForecast {
    DurationNs played_ns = 0;     ///< as it is, with the median hand-over between ranks
    DurationNs hand_over_ns = 0;  ///< the median hand-over
    DurationNs even_ns = 0;       ///< the same with the work divided evenly over the ranks
    DurationNs as_others_ns = 0;  ///< the same with the slowest rank as fast as the median of the others
    DurationNs full_ns = 0;       ///< the computing time of the busiest rank: no schedule of these stages takes less
    /// Half of a step with twice as many micro-batches: the same work per step.
    std::optional<DurationNs> more_micro_batches_ns;
    /// With every stage divided in two, interleaved; nothing if that does not fit the micro-batches.
    std::optional<DurationNs> more_stages_ns;
    std::optional<MovedLayer> moved;  ///< nothing if layers are not known
};

/// One pipeline: the ranks that pass micro-batches on to each other.
struct Pipeline {
    std::size_t group = 0;             ///< index in ParallelismFacts::groups
    std::int32_t size = 0;             ///< number of ranks, recorded or not
    std::vector<RankPosition> ranks;   ///< the recorded ranks, by place
    std::vector<std::int32_t> places;  ///< the places of these, from 0 to size - 1
    PassSource source = PassSource::SendsAndReceives;
    std::optional<Schedule> schedule;    ///< nothing if unknown
    std::int32_t stages_per_rank = 1;    ///< v: 1 except for interleaved and similar schedules
    std::int32_t micro_batches = 0;      ///< m, per step
    bool folded = false;                 ///< rank r has the stages r and 2p-1-r
    std::vector<std::string> evidence;   ///< sentences: how the passes and the schedule were recognised
    std::vector<std::string> notes;      ///< sentences: what is unknown, and what to record; what is unusual
    std::vector<PipelineStep> steps;     ///< the steps of the run in which the pipeline was recognised
    std::vector<std::size_t> counted;    ///< indices in `steps`: complete, steady-state ones, or all if there are none
    std::vector<StageTime> stage_times;  ///< by stage; empty if stages are unknown
    PipelineLayers layers;
    std::optional<double> theory;              ///< the share of the bubble if all stages took the same time: see
                                               ///< docs/definitions/pipelines.md
    std::optional<PipelineForecast> forecast;  ///< nothing if the schedule or a rank is not known

    /// Stages of the whole pipeline, with virtual stages counted one by one.
    [[nodiscard]] std::int32_t stages() const { return size * stages_per_rank; }
    /// Whether every rank was recorded. Ranks that were not may begin earlier and end later than the others, which are
    /// idle at that time: so the bubble of an incomplete pipeline is a lower bound.
    [[nodiscard]] bool whole() const { return std::cmp_greater_equal(ranks.size(), size); }
    /// Summed over the counted steps and all ranks.
    [[nodiscard]] PipelineTimes times() const;
    /// The same for one of `ranks`, by its index in that list.
    [[nodiscard]] PipelineTimes timesOf(std::size_t rank) const;
    /// The bubble as a share of the windows of all ranks in the counted steps, 0 to 1.
    [[nodiscard]] double bubbleShare() const;
};

/// The pipelines of a run; none if no group of it is one.
struct PipelineFacts {
    std::vector<Pipeline> pipelines;
};

}  // namespace rankscope
