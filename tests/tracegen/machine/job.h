// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "tests/tracegen/process_group.h"

namespace rankscope::tracegen::machine {

/// Whose names its groups and ranges have.
enum class Framework : std::uint8_t { Megatron, Torchtitan };
/// What the ranks of the data dimension do with parameters and gradients.
enum class Sharing : std::uint8_t { Replicate, Fsdp1, Fsdp2 };
/// In which order a stage works off its micro-batches.
enum class Schedule : std::uint8_t {
    GPipe,
    OneForwardOneBackward,
    Interleaved,
    ZeroBubble,   ///< ZB-H1: 1F1B with the gradients of the weights apart
    ZeroBubbleV,  ///< ZB-V: the same with two chunks a stage, the second on the way back
    DualPipeV     ///< as ZB-V, and forwards run beside backwards of the other chunk
};
/// Whether a stage has its second chunk on the way back: the last one's two follow one another.
[[nodiscard]] constexpr bool isFolded(Schedule schedule) {
    return schedule == Schedule::ZeroBubbleV || schedule == Schedule::DualPipeV;
}
/// Whether gradients of inputs and of weights are passes of their own.
[[nodiscard]] constexpr bool splitsBackward(Schedule schedule) {
    return schedule == Schedule::ZeroBubble || isFolded(schedule);
}

/// Whose ranges the iterations of a server have.
enum class Server : std::uint8_t { Vllm, Sglang };
/// Requests that a job serves: every so many iterations the prompts of new ones are read, in the others each request
/// gets its next token. Sums over the tensor group run in the server's own kernels, long ones in NCCL's, and neither
/// tells the profiler anything.
struct ServingSpec {
    Server server = Server::Vllm;
    int decodes = 11;            ///< iterations between two that read prompts
    int requests = 16;           ///< that decode at a time, one token each
    int prompt_tokens = 2'048;   ///< that an iteration reads
    int prompt_factor = 6;       ///< kernels take so many times as long with prompts: layer_ns is of a decode
    bool graphs = true;          ///< a decode is one launch of a CUDA graph
    bool ahead = true;           ///< the next iteration is launched before the tokens of this one are read
    bool ranges = true;          ///< that tell what an iteration works on
    bool paged_kernels = false;  ///< decodes run an attention kernel of their own
};
/// What an iteration works on.
enum class Served : std::uint8_t { Prefill, Decode };
[[nodiscard]] Served servedIn(const ServingSpec& serving, int step);

/// A model of equal layers whose work is divided in a grid: data x pipeline x tensor, the last innermost, and experts
/// inside of data.
struct JobSpec {
    Framework framework = Framework::Megatron;
    int data = 1;
    int pipeline = 1;
    int tensor = 1;
    int expert = 1;   ///< so many neighbours in the data dimension have different experts; divides data
    int context = 1;  ///< so many have different parts of the same sequences; divides data
    int shard = 0;    ///< hybrid shards: so many share parameters, the others are replicas; 0 is all of them
    Sharing sharing = Sharing::Replicate;
    bool sequence_parallel = false;  ///< tensor: all-gather and reduce-scatter instead of all-reduce
    Schedule schedule = Schedule::OneForwardOneBackward;
    int chunks = 1;  ///< of layers a stage: more than 1 where interleaved
    int micro_batches = 1;
    int layers = 8;                   ///< divides among all chunks of all stages
    DurationNs layer_ns = 1'500'000;  ///< kernels of one layer's forward of one micro-batch; the backward takes twice
    std::int64_t layer_parameters = 12'000'000;  ///< that one rank has a part of, or all
    std::int64_t activations = 2'097'152;        ///< elements between layers, of one micro-batch
    double inner_bytes_per_ns = 250;             ///< of links inside a host
    DurationNs inner_latency_ns = 9'000;
    bool prefetch = true;        ///< gathers run ahead of the computation
    bool limit_gathers = false;  ///< FSDP1's limit_all_gathers: two units at a time, and the host waits
    bool clips = false;          ///< the norm of all gradients is added up and read back in each step
    bool brief = false;          ///< a few large kernels a layer
    bool batched = false;        ///< batch_isend_irecv: one kernel for all messages of a moment, which has no arguments

    std::optional<ServingSpec> serving;  ///< the job trains nothing: its steps are iterations of a server

    // What can be wrong.
    std::vector<int> stage_layers;         ///< layers of each stage, where they are not divided evenly
    int unit_layers = 1;                   ///< so many layers are gathered and scattered as one unit
    std::vector<double> stage_factors;     ///< kernels of a stage take so many times longer; missing ones 1
    std::optional<int> slow_tensor_group;  ///< index of the tensor group whose links are slow
    double slow_link = 1;                  ///< by this factor
    double hot_expert = 1;                 ///< the first of each expert group gets so many times its share of tokens

    // What no machine has, and a bound is held against:
    bool free_layers = false;  ///< what tensor and context groups move takes no time

    [[nodiscard]] int ranks() const { return data * pipeline * tensor; }
    [[nodiscard]] int layersOfChunk() const { return layers / (pipeline * chunks); }
    /// The place of a chunk on the way of a micro-batch, from 0.
    [[nodiscard]] int placeOfChunk(int stage, int chunk) const {
        return isFolded(schedule) && chunk == 1 ? 2 * pipeline - 1 - stage : chunk * pipeline + stage;
    }
    /// How many share parameters.
    [[nodiscard]] int sharers() const { return shard > 0 ? shard : data; }
};

/// Where a rank stands in the grid.
struct GridPlace {
    int data = 0;
    int pipeline = 0;
    int tensor = 0;
};
[[nodiscard]] GridPlace placeOf(const JobSpec& job, int rank);
[[nodiscard]] int rankAt(const JobSpec& job, const GridPlace& place);

/// What the groups of a job are for.
enum class GroupKind : std::uint8_t {
    World,
    Data,           ///< the ranks of all data places that read different sequences
    DataGradients,  ///< all data places: Megatron reduces gradients in a group of its own
    Shard,          ///< torchtitan: those that share parameters
    Model,          ///< Megatron: a whole replica
    Tensor,
    Pipeline,
    Context,
    Expert,
};
/// The groups of a job, in the order in which all ranks make them: that of all ranks first.
[[nodiscard]] std::vector<ProcessGroup> groupsOf(const JobSpec& job);
/// The index of the group of a kind that a rank stands in. The job has to have that kind.
[[nodiscard]] std::uint32_t groupOf(const JobSpec& job, GroupKind kind, int rank);
/// Whether there is a kind of group: its dimension is larger than 1.
[[nodiscard]] bool hasGroup(const JobSpec& job, GroupKind kind);

/// Throws std::invalid_argument, saying what does not fit.
void validate(const JobSpec& job);

}  // namespace rankscope::tracegen::machine
