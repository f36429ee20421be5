// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

Json roleTimesJson(const RoleTimes& times) {
    Json out = Json::object();
    for (std::size_t i = 0; i < kRoleCount; ++i) {
        const auto role = static_cast<Role>(i);
        out[std::string(roleName(role))] = times[role];
    }
    out["unknown"] = times[std::nullopt];
    return out;
}

Json operationsJson(const std::vector<OperationCount>& counts) {
    Json operations = Json::array();
    for (const OperationCount& count : counts) {
        operations.push_back({{"kind", collectiveKindName(count.kind)},
                              {"forward", count.forward},
                              {"backward", count.backward},
                              {"elsewhere", count.elsewhere}});
    }
    return operations;
}

Json groupJson(const GroupRole& group) {
    Json parts = Json::array();
    for (const GroupPart& part : group.parts) {
        parts.push_back({{"role", part.role ? Json(roleName(*part.role)) : Json(nullptr)},
                         {"what", textOrNull(part.what)},
                         {"operations", operationsJson(part.operations)},
                         {"exposed_comm_ns", part.exposed_ns}});
    }
    return {{"group", orNull(group.group)},
            {"name", textOrNull(group.name)},
            {"description", textOrNull(group.description)},
            {"size", group.size >= 0 ? Json(group.size) : Json(nullptr)},
            {"ranks", group.ranks},
            {"role", group.role ? Json(roleName(*group.role)) : Json(nullptr)},
            {"confidence", group.role ? Json(confidenceName(group.confidence)) : Json(nullptr)},
            {"by_user", group.by_user},
            {"operations", operationsJson(group.operations)},
            {"parts", std::move(parts)},
            {"evidence", group.evidence},
            {"exposed_comm_ns", group.exposed_ns}};
}

Json gridJson(const AnalysedRun& run, const JobGrid& grid) {
    return {{"dimensions", tableJson(gridTable(run))},
            {"world_size", grid.world_size > 0 ? Json(grid.world_size) : Json(nullptr)},
            {"complete", grid.complete},
            {"notes", grid.notes}};
}

Json rankRolesJson(const AnalysedRun& run, RankPosition position) {
    const ParallelismFacts& facts = run.facts.parallelism;
    const RankRoles& roles = facts.ranks[position];
    Json place = Json::array();
    for (const std::optional<std::int32_t>& at : facts.grid.places[position]) {
        place.push_back(orNull(at));
    }
    Json steps = Json::array();
    for (std::size_t s = 0; s < roles.steps.size(); ++s) {
        steps.push_back(
            {{"index", run.facts.ranks[position].steps[s].index}, {"exposed_comm_ns", roleTimesJson(roles.steps[s])}});
    }
    return {{"id", position},
            {"rank", orNull(run.run->ranks[position]->rank)},
            {"place", std::move(place)},
            {"counted_steps", roles.counted},
            {"exposed_comm_ns", roleTimesJson(roles.exposed)},
            {"steps", std::move(steps)}};
}

}  // namespace

Json parallelismJson(const AnalysedRun& run) {
    const ParallelismFacts& facts = run.facts.parallelism;
    Json groups = Json::array();
    for (const GroupRole& group : facts.groups) {
        groups.push_back(groupJson(group));
    }
    Json ranks = Json::array();
    for (RankPosition position{0}; position < facts.ranks.size(); ++position) {
        ranks.push_back(rankRolesJson(run, position));
    }
    return {{"groups", std::move(groups)}, {"grid", gridJson(run, facts.grid)}, {"ranks", std::move(ranks)}};
}

}  // namespace rankscope::report
