// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/grid_run.h"

#include <map>
#include <string>
#include <utility>

#include "core/analysis/parallelism/job_grid.h"

namespace rankscope::test {
namespace {

constexpr TimeNs kStart = 1'000'000'000;
constexpr DurationNs kKernelNs = 6'000'000;

struct Place {
    std::int32_t data = 0;
    std::int32_t pipeline = 0;
    std::int32_t tensor = 0;
};

Place placeOf(std::int32_t number, const GridShape& shape) {
    return {number / (shape.pipeline * shape.tensor), number / shape.tensor % shape.pipeline, number % shape.tensor};
}

void addSlice(RankTrace& rank, Track& track, const char* name, Category category, TimeSpan span) {
    const std::size_t i = track.slices.size();
    track.slices.resize(i + 1);
    track.slices.start_ns[i] = span.start_ns;
    track.slices.end_ns[i] = span.end_ns;
    track.slices.name[i] = rank.strings.intern(name);
    track.slices.category[i] = category;
    track.slices.parent[i] = kNoSlice;
    track.row_count = 1;
}

std::shared_ptr<const RankTrace> traceOf(std::int32_t number, const GridShape& shape) {
    auto rank = std::make_shared<RankTrace>();
    rank->rank = RankNumber(number);
    rank->world_size = shape.data * shape.pipeline * shape.tensor;
    rank->files.push_back({});
    rank->files.front().path = "/nowhere/rank" + std::to_string(number) + ".json";
    Track stream;
    stream.kind = TrackKind::Stream;
    stream.name = "stream 7";
    stream.device = 0;
    for (std::int32_t step = 0; step < shape.steps; ++step) {
        const TimeNs at = kStart + step * kGridStepNs;
        addSlice(*rank, stream, "sgemm", Category::Kernel, {at, at + kKernelNs});
        addSlice(*rank, stream, "ncclDevKernel_AllReduce", Category::Kernel,
                 {at + kKernelNs, at + kKernelNs + kGridTensorNs});
    }
    rank->tracks = {std::move(stream)};
    rank->window = {kStart, kStart + shape.steps * kGridStepNs};
    return rank;
}

RankFacts factsOf(std::int32_t number, const GridShape& shape) {
    RankFacts facts;
    facts.device = 0;
    for (std::int32_t s = 0; s < shape.steps; ++s) {
        RankStep step;
        step.index = s;
        step.span = {kStart + s * kGridStepNs, kStart + (s + 1) * kGridStepNs};
        step.mark = {TrackId(0), static_cast<SliceIndex>(2 * s)};
        step.partition.emplace();
        step.partition->compute_ns = kKernelNs;
        step.partition->exposed_comm_ns = kGridTensorNs + kGridDataNs;
        step.partition->idle_ns = kGridStepNs - kKernelNs - kGridTensorNs - kGridDataNs;
        facts.steps.push_back(std::move(step));
    }
    if (shape.memory) {
        DeviceMemory memory;
        memory.device = 0;
        memory.peak.reserved_bytes = kGridBytes * (shape.pipeline - placeOf(number, shape).pipeline);
        facts.memory.push_back(std::move(memory));
    }
    return facts;
}

RankLateness latenessOf(RankPosition position, std::int32_t number, const GridShape& shape) {
    RankLateness lateness;
    lateness.rank = position;
    const bool late = placeOf(number, shape).pipeline == shape.late_stage;
    for (std::int32_t s = 0; s < shape.steps; ++s) {
        lateness.steps.push_back({RunStepPosition(s), kKernelNs, late ? kGridLateNs : 0});
    }
    return lateness;
}

/// The groups of one role: ranks that differ in this dimension alone.
std::vector<GroupRole> groupsOf(Role role, const GridShape& shape) {
    std::map<std::pair<std::int32_t, std::int32_t>, GroupRole> groups;
    for (std::int32_t number = 0; number < shape.data * shape.pipeline * shape.tensor; ++number) {
        const Place at = placeOf(number, shape);
        const auto key = role == Role::Tensor     ? std::pair(at.data, at.pipeline)
                         : role == Role::Pipeline ? std::pair(at.data, at.tensor)
                                                  : std::pair(at.pipeline, at.tensor);
        groups[key].ranks.emplace_back(number);
    }
    std::vector<GroupRole> out;
    for (auto& [key, group] : groups) {
        group.description = "mesh_" + std::string(rolePlace(role));
        group.name = std::to_string(out.size());
        group.size = static_cast<std::int32_t>(group.ranks.size());
        group.role = role;
        group.confidence = Confidence::High;
        group.evidence = {"Its name does not show its role."};
        out.push_back(std::move(group));
    }
    return out;
}

}  // namespace

std::shared_ptr<AnalysedRun> runOnAGrid(const GridShape& shape) {
    auto trace = std::make_shared<Run>();
    trace->name = "grid";
    auto run = std::make_shared<AnalysedRun>();
    const std::int32_t world = shape.data * shape.pipeline * shape.tensor;
    RunFacts& facts = run->facts;
    for (std::int32_t number = 0; number < world; ++number) {
        if (shape.missing.contains(number)) {
            continue;
        }
        const RankPosition position(trace->ranks.size());
        trace->ranks.push_back(traceOf(number, shape));
        facts.ranks.push_back(factsOf(number, shape));
        facts.stragglers.ranks.push_back(latenessOf(position, number, shape));
        RankRoles roles;
        roles.steps.resize(static_cast<std::size_t>(shape.steps));
        for (RoleTimes& step : roles.steps) {
            step[Role::Tensor] = kGridTensorNs;
            step[Role::Data] = kGridDataNs;
            roles.exposed += step;
        }
        roles.counted = roles.steps.size();
        facts.parallelism.ranks.push_back(std::move(roles));
    }
    for (std::int32_t s = 0; s < shape.steps; ++s) {
        RunStep step;
        step.index = s;
        step.duration_ns = kGridStepNs;
        step.by_rank.assign(trace->ranks.size(), RankStepPosition(s));
        facts.steps.push_back(std::move(step));
    }
    facts.median_step_ns = kGridStepNs;
    for (const Role role : {Role::Data, Role::Pipeline, Role::Tensor}) {
        for (GroupRole& group : groupsOf(role, shape)) {
            group.group = static_cast<std::uint32_t>(facts.parallelism.groups.size());
            facts.collectives.groups.push_back(
                {group.name, group.description, group.ranks, group.size, GroupOrigin::Configuration});
            facts.parallelism.groups.push_back(std::move(group));
        }
    }
    facts.parallelism.grid = gridOf(*trace, facts.parallelism.groups);
    run->run = std::move(trace);
    run->clock.ranks.resize(run->run->ranks.size());
    run->clock.base_ns = RunTime(kStart);
    return run;
}

}  // namespace rankscope::test
