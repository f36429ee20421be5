// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/tracegen/machine/job.h"
#include "tests/tracegen/machine/schedule.h"
#include "tests/tracegen/machine/step_builder.h"

namespace rankscope::tracegen::machine {

/// What one rank counts over all its steps, as c10d does.
struct JobCounters {
    std::map<std::uint32_t, std::uint64_t> collectives;          ///< by group
    std::map<std::uint32_t, std::uint64_t> messages;             ///< by group
    std::map<std::pair<int, int>, std::uint64_t> between_ranks;  ///< messages by sender and receiver
};

/// What the programs of one rank's step share.
struct JobState {
    std::uint32_t next_event = 0;
    std::map<int, std::uint32_t> gathered;    ///< by unit, the event of its all-gather
    std::set<int> whole;                      ///< units whose parameters are there
    std::vector<std::uint32_t> freed;         ///< FSDP1: events of parameters that were given back, oldest first
    std::optional<std::uint32_t> copied_out;  ///< the event of the last gather that was copied out
    std::vector<std::uint32_t> reductions;    ///< events of what has to be over before the optimizer
    std::map<std::pair<bool, std::pair<int, int>>, std::uint32_t> arrived;  ///< by pass, micro-batch and chunk
};

/// A collective that a program starts.
struct JobCollective {
    CollectiveKind kind = CollectiveKind::AllReduce;
    GroupKind group = GroupKind::World;
    Stream stream = Stream::Communication;
    std::int64_t elements = 0;
    std::int64_t elements_out = 0;  ///< 0: as many
    ElementType type = ElementType::BFloat16;
    StringId split_in;
    StringId split_out;
};

/// Writes what a rank of a job does on one of its threads.
class JobBuilder {
  public:
    StepBuilder& b;
    const JobSpec& job;
    JobState& state;
    const GridPlace place;

    JobBuilder(StepBuilder& builder, const JobSpec& spec, JobCounters& counters, JobState& shared)
        : b(builder), job(spec), state(shared), place(placeOf(spec, builder.rank())), counters_(counters) {}

    std::uint32_t newEvent() { return state.next_event++; }
    /// The collective waits for all that the compute stream has by now, or for `ready`. The event of its end.
    std::uint32_t start(const JobCollective& collective, std::optional<std::uint32_t> ready = std::nullopt);
    /// The same, and computation waits for it.
    void await(const JobCollective& collective) { b.waitEvent(Stream::Compute, start(collective)); }
    /// Sends or receives, whichever this rank's stage does with each, one after the other or all in one batch.
    void pass(const std::vector<Message>& messages);
    /// Sends so many elements to the next member of the context group, and receives as many from the one before, in one
    /// batch. The event of its end.
    std::uint32_t passInRing(std::int64_t elements);
    /// Computation waits for what an action needs from elsewhere.
    void awaitInput(const StageAction& action);

  private:
    [[nodiscard]] CollectiveCall callOf(const Message& message, bool counts);
    /// A send to, or receive from, another rank of the job. Of a batch the first alone counts.
    [[nodiscard]] CollectiveCall callOf(GroupKind group, int peer, bool sends, bool counts);
    std::uint32_t launchBatch(std::vector<CollectiveCall> batch, Stream stream);
    void passAlone(const Message& message);
    void passTogether(const std::vector<Message>& messages);

    JobCounters& counters_;
};

/// How the passes of a layer compare: per mille of its forward.
struct PassShares {
    int forward = 0;
    int input = 0;   ///< the gradient of the input
    int weight = 0;  ///< and that of the weights
};
[[nodiscard]] PassShares passShares(const JobSpec& job);

/// Layers of the chunk, first to last, counted over the whole model.
[[nodiscard]] std::vector<int> layersOf(const JobSpec& job, int stage, int chunk);

/// What belongs to an action and a unit, or layer.
[[nodiscard]] WorkLabel labelOf(const StageAction& action, int unit);

// Passes through one layer.
void forwardLayer(JobBuilder& j, const StageAction& action, int layer);
void backwardLayer(JobBuilder& j, const StageAction& action, int layer);

// What sharding does around a unit: a layer or several, called by the first, or one of the two below.
struct ShardUnit {
    int id = 0;
    std::vector<int> layers;
};
/// Those of a chunk's layers, first to last.
[[nodiscard]] std::vector<ShardUnit> unitsOf(const JobSpec& job, int stage, int chunk);
[[nodiscard]] int embeddingUnit(const JobSpec& job);
[[nodiscard]] int outputUnit(const JobSpec& job);
[[nodiscard]] std::string unitName(const JobSpec& job, int unit);
void shardBeforeForward(JobBuilder& j, int unit);
void shardAfterForward(JobBuilder& j, int unit);
/// `next`: the unit whose backward comes next.
void shardBeforeBackward(JobBuilder& j, int unit, std::optional<int> next);
void shardAfterBackward(JobBuilder& j, int unit, bool last_micro_batch);

/// Replicas: sends the gradients of a layer once its last backward is through.
void reduceGradients(JobBuilder& j, int layer);
/// Computation waits for all gradients.
void awaitGradients(JobBuilder& j);

}  // namespace rankscope::tracegen::machine
