// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/job.h"

#include <array>
#include <numeric>
#include <stdexcept>
#include <string>

namespace rankscope::tracegen::machine {
namespace {

constexpr std::array<GroupKind, 9> kKinds = {GroupKind::World,    GroupKind::Data,    GroupKind::DataGradients,
                                             GroupKind::Shard,    GroupKind::Model,   GroupKind::Tensor,
                                             GroupKind::Pipeline, GroupKind::Context, GroupKind::Expert};

// torchtitan: how many replicas of what is shared there are; of what nobody shares, all.
int replicasOf(const JobSpec& job) {
    return job.sharing == Sharing::Replicate ? job.data / job.context : job.data / job.sharers();
}

int sharersOf(const JobSpec& job) {
    return job.framework == Framework::Torchtitan && job.sharing != Sharing::Replicate ? job.sharers() : 1;
}

int sizeOf(const JobSpec& job, GroupKind kind) {
    switch (kind) {
        case GroupKind::World: return job.ranks();
        case GroupKind::Data: return job.framework == Framework::Torchtitan ? replicasOf(job) : job.data / job.context;
        case GroupKind::DataGradients: return job.data;
        case GroupKind::Shard: return sharersOf(job);
        case GroupKind::Model: return job.pipeline * job.tensor;
        case GroupKind::Tensor: return job.tensor;
        case GroupKind::Pipeline: return job.pipeline;
        case GroupKind::Context: return job.context;
        case GroupKind::Expert: break;
    }
    return job.expert;
}

// Of groups of neighbours in the data dimension: which one.
int blockOf(const JobSpec& job, int size, const GridPlace& place) {
    return (place.pipeline * (job.data / size) + place.data / size) * job.tensor + place.tensor;
}

// Of groups of one of each of these: which one.
int acrossBlocks(const JobSpec& job, int size, const GridPlace& place) {
    return (place.pipeline * size + place.data % size) * job.tensor + place.tensor;
}

// Which of the groups of its kind a place is in.
int numberOf(const JobSpec& job, GroupKind kind, const GridPlace& place) {
    switch (kind) {
        case GroupKind::World: return 0;
        case GroupKind::Data: return acrossBlocks(job, job.data / sizeOf(job, kind), place);
        case GroupKind::DataGradients: return place.pipeline * job.tensor + place.tensor;
        case GroupKind::Shard: return blockOf(job, sizeOf(job, kind), place);
        case GroupKind::Model: return place.data;
        case GroupKind::Tensor: return place.pipeline * job.data + place.data;
        case GroupKind::Pipeline: return place.data * job.tensor + place.tensor;
        case GroupKind::Context:
        case GroupKind::Expert: break;
    }
    return blockOf(job, sizeOf(job, kind), place);
}

std::string_view megatronName(GroupKind kind) {
    switch (kind) {
        case GroupKind::World: return "default_pg";
        case GroupKind::Data: return "DATA_PARALLEL_GROUP";
        case GroupKind::DataGradients: return "DATA_PARALLEL_GROUP_WITH_CP";
        case GroupKind::Model: return "MODEL_PARALLEL_GROUP";
        case GroupKind::Tensor: return "TENSOR_MODEL_PARALLEL_GROUP";
        case GroupKind::Pipeline: return "PIPELINE_MODEL_PARALLEL_GROUP";
        case GroupKind::Context: return "CONTEXT_PARALLEL_GROUP";
        case GroupKind::Shard:
        case GroupKind::Expert: break;
    }
    return "EXPERT_MODEL_PARALLEL_GROUP";
}

// torchtitan makes device meshes, and a mesh describes the group of a dimension as mesh_NAME.
std::string_view meshName(const JobSpec& job, GroupKind kind) {
    switch (kind) {
        case GroupKind::World: return "default_pg";
        case GroupKind::Data: return "mesh_dp_replicate";
        case GroupKind::Shard: return job.context > 1 ? "mesh_dp_shard_cp" : "mesh_dp_shard";
        case GroupKind::Tensor: return "mesh_tp";
        case GroupKind::Pipeline: return "mesh_pp";
        case GroupKind::Context: return "mesh_cp";
        case GroupKind::DataGradients:
        case GroupKind::Model:
        case GroupKind::Expert: break;
    }
    return "mesh_ep";
}

std::string_view nameOf(const JobSpec& job, GroupKind kind) {
    if (job.serving) {
        return kind == GroupKind::World ? "default_pg" : "undefined";  // servers describe none
    }
    return job.framework == Framework::Megatron ? megatronName(kind) : meshName(job, kind);
}

void refuse(bool wrong, const char* why) {
    if (wrong) {
        throw std::invalid_argument(why);
    }
}

void validateMore(const JobSpec& job) {
    const bool folded = isFolded(job.schedule);
    refuse(folded && (job.chunks != 2 || job.pipeline < 2 || job.micro_batches < 2 * job.pipeline),
           "a folded schedule has two chunks a stage, and at least as many micro-batches as chunks");
    refuse(splitsBackward(job.schedule) && (job.sharing != Sharing::Replicate || job.expert > 1),
           "only whole, dense layers have their backward split");
    refuse(job.context < 1 || job.data % job.context != 0, "the context dimension divides the data dimension");
    refuse(job.shard < 0 || (job.shard > 0 && job.data % job.shard != 0), "shards divide the data dimension");
    refuse(job.shard > 0 && (job.framework != Framework::Torchtitan || job.sharing == Sharing::Replicate),
           "replicas of shards need shards");
    refuse(job.context > 1 && job.expert > 1, "experts and contexts are not mixed here");
}

int groupsOfKind(const JobSpec& job, GroupKind kind) {
    return hasGroup(job, kind) ? job.ranks() / sizeOf(job, kind) : 0;
}

}  // namespace

Served servedIn(const ServingSpec& serving, int step) {
    const int every = serving.decodes + 1;
    return (step % every + every) % every == 0 ? Served::Prefill : Served::Decode;
}

GridPlace placeOf(const JobSpec& job, int rank) {
    return {rank / job.tensor % job.data, rank / job.tensor / job.data, rank % job.tensor};
}

int rankAt(const JobSpec& job, const GridPlace& place) {
    return (place.pipeline * job.data + place.data) * job.tensor + place.tensor;
}

bool hasGroup(const JobSpec& job, GroupKind kind) {
    if (kind == GroupKind::DataGradients || kind == GroupKind::Model) {
        return job.framework == Framework::Megatron && sizeOf(job, kind) > 1;
    }
    return kind == GroupKind::World || sizeOf(job, kind) > 1;
}

std::vector<ProcessGroup> groupsOf(const JobSpec& job) {
    std::vector<ProcessGroup> groups;
    for (const GroupKind kind : kKinds) {
        const std::size_t first = groups.size();
        for (int i = 0; i < groupsOfKind(job, kind); ++i) {
            groups.push_back({std::to_string(groups.size()), std::string(nameOf(job, kind)), {}});
        }
        for (int rank = 0; first < groups.size() && rank < job.ranks(); ++rank) {
            groups[first + static_cast<std::size_t>(numberOf(job, kind, placeOf(job, rank)))].ranks.push_back(rank);
        }
    }
    return groups;
}

std::uint32_t groupOf(const JobSpec& job, GroupKind kind, int rank) {
    int first = 0;
    for (const GroupKind before : kKinds) {
        if (before == kind) {
            break;
        }
        first += groupsOfKind(job, before);
    }
    return static_cast<std::uint32_t>(first + numberOf(job, kind, placeOf(job, rank)));
}

void validate(const JobSpec& job) {
    refuse(job.data < 1 || job.pipeline < 1 || job.tensor < 1, "each dimension of a job is at least 1");
    refuse(job.expert < 1 || job.data % job.expert != 0, "the expert dimension divides the data dimension");
    refuse(job.chunks < 1 || job.layers < 1 || job.layers % (job.pipeline * job.chunks) != 0,
           "the layers divide among the chunks of all stages");
    const bool uneven = !job.stage_layers.empty();
    const int layers = std::accumulate(job.stage_layers.begin(), job.stage_layers.end(), 0);
    refuse(uneven && (job.chunks > 1 || layers != job.layers ||
                      job.stage_layers.size() != static_cast<std::size_t>(job.pipeline)),
           "stages of different sizes have one chunk each, and all layers together");
    refuse(job.unit_layers < 1 || (uneven && job.unit_layers > 1), "units have a layer or more, of even stages");
    refuse(job.serving && (job.pipeline > 1 || job.expert > 1 || job.sharing != Sharing::Replicate),
           "a server has replicas and a tensor group, and nothing else");
    refuse(job.micro_batches < 1, "a step has a micro-batch");
    const bool interleaved = job.schedule == Schedule::Interleaved;
    refuse(!interleaved && !isFolded(job.schedule) && job.chunks > 1,
           "only an interleaved schedule has several chunks a stage");
    refuse(interleaved && (job.pipeline < 2 || job.micro_batches % job.pipeline != 0),
           "an interleaved schedule needs stages, and a multiple of their number of micro-batches");
    validateMore(job);
}

}  // namespace rankscope::tracegen::machine
