// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/job.h"

#include <array>
#include <numeric>
#include <stdexcept>
#include <string>

namespace rankscope::tracegen::machine {
namespace {

constexpr std::array<GroupKind, 7> kKinds = {GroupKind::World, GroupKind::Data,   GroupKind::DataGradients,
                                             GroupKind::Model, GroupKind::Tensor, GroupKind::Pipeline,
                                             GroupKind::Expert};

int sizeOf(const JobSpec& job, GroupKind kind) {
    switch (kind) {
        case GroupKind::World: return job.ranks();
        case GroupKind::Data:
        case GroupKind::DataGradients: return job.data;
        case GroupKind::Model: return job.pipeline * job.tensor;
        case GroupKind::Tensor: return job.tensor;
        case GroupKind::Pipeline: return job.pipeline;
        case GroupKind::Expert: break;
    }
    return job.expert;
}

// Which of the groups of its kind a place is in.
int numberOf(const JobSpec& job, GroupKind kind, const GridPlace& place) {
    switch (kind) {
        case GroupKind::World: return 0;
        case GroupKind::Data:
        case GroupKind::DataGradients: return place.pipeline * job.tensor + place.tensor;
        case GroupKind::Model: return place.data;
        case GroupKind::Tensor: return place.pipeline * job.data + place.data;
        case GroupKind::Pipeline: return place.data * job.tensor + place.tensor;
        case GroupKind::Expert: break;
    }
    const int blocks = job.data / job.expert;
    return (place.pipeline * blocks + place.data / job.expert) * job.tensor + place.tensor;
}

std::string_view megatronName(GroupKind kind) {
    switch (kind) {
        case GroupKind::World: return "default_pg";
        case GroupKind::Data: return "DATA_PARALLEL_GROUP";
        case GroupKind::DataGradients: return "DATA_PARALLEL_GROUP_WITH_CP";
        case GroupKind::Model: return "MODEL_PARALLEL_GROUP";
        case GroupKind::Tensor: return "TENSOR_MODEL_PARALLEL_GROUP";
        case GroupKind::Pipeline: return "PIPELINE_MODEL_PARALLEL_GROUP";
        case GroupKind::Expert: break;
    }
    return "EXPERT_MODEL_PARALLEL_GROUP";
}

// torchtitan makes device meshes, and a mesh describes the group of a dimension as mesh_NAME.
std::string_view meshName(const JobSpec& job, GroupKind kind) {
    switch (kind) {
        case GroupKind::World: return "default_pg";
        case GroupKind::Data: return job.sharing == Sharing::Replicate ? "mesh_dp_replicate" : "mesh_dp_shard";
        case GroupKind::Tensor: return "mesh_tp";
        case GroupKind::Pipeline: return "mesh_pp";
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
    const auto refuse = [](bool wrong, const char* why) {
        if (wrong) {
            throw std::invalid_argument(why);
        }
    };
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
    refuse(!interleaved && job.chunks > 1, "only an interleaved schedule has several chunks a stage");
    refuse(interleaved && (job.pipeline < 2 || job.micro_batches % job.pipeline != 0),
           "an interleaved schedule needs stages, and a multiple of their number of micro-batches");
}

}  // namespace rankscope::tracegen::machine
