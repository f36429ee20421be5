// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/group_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "core/analysis/parallelism/judge_operations.h"

namespace rankscope {
namespace {

GroupPart& partOf(const CollectiveSign& sign, std::vector<GroupPart>& parts) {
    const auto known = std::ranges::find_if(
        parts, [&](const GroupPart& part) { return part.role == sign.role && part.what == sign.what; });
    if (known != parts.end()) {
        return *known;
    }
    GroupPart part;
    part.role = sign.role;
    part.what = sign.what;
    parts.push_back(std::move(part));
    return parts.back();
}

void count(const Collective& collective, Phase phase, GroupPart& part) {
    ++part.collectives;
    auto known = std::ranges::find(part.operations, collective.kind, &OperationCount::kind);
    if (known == part.operations.end()) {
        known = part.operations.insert(known, OperationCount{.kind = collective.kind});
    }
    ++(phase == Phase::Forward ? known->forward : phase == Phase::Backward ? known->backward : known->elsewhere);
}

/// Whether the parts say more than the whole: there are several, and one of them has a role.
bool tellMore(const std::vector<GroupPart>& parts) {
    return parts.size() > 1 && std::ranges::any_of(parts, [](const GroupPart& part) { return part.role.has_value(); });
}

/// The only part of a group with a role; nullptr if none or several have one.
const GroupPart* onlyRole(const GroupRole& group) {
    const auto told = [](const GroupPart& part) { return part.role.has_value(); };
    return !group.role && std::ranges::count_if(group.parts, told) == 1 ? &*std::ranges::find_if(group.parts, told)
                                                                        : nullptr;
}

}  // namespace

void divideGroups(const CollectiveFacts& facts, const std::vector<CollectiveSign>& signs, ParallelismFacts& found) {
    found.of_collectives.assign(facts.collectives.size(), std::nullopt);
    for (CollectivePosition c{0}; c < facts.collectives.size(); ++c) {
        const Collective& collective = facts.collectives[c];
        GroupRole& group = found.groups[collective.group];
        if (!group.role && !signs[c].aside) {
            count(collective, signs[c].phase, partOf(signs[c], group.parts));
        }
    }
    for (GroupRole& group : found.groups) {
        if (!tellMore(group.parts)) {
            group.parts.clear();
            continue;
        }
        std::ranges::stable_sort(group.parts, std::greater(), &GroupPart::collectives);
        std::string text;
        for (GroupPart& part : group.parts) {
            std::ranges::stable_sort(part.operations, std::greater(), &OperationCount::total);
            text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", part.label(), operationsText(part.operations));
        }
        group.evidence.push_back("Split by the operators around them: " + text + ".");
    }
    for (CollectivePosition c{0}; c < facts.collectives.size(); ++c) {
        const GroupRole& group = found.groups[facts.collectives[c].group];
        found.of_collectives[c] = group.parts.empty() ? group.role : signs[c].role;
    }
}

std::vector<GroupRole> withRolesOfParts(std::vector<GroupRole> groups) {
    for (GroupRole& group : groups) {
        if (const GroupPart* const part = onlyRole(group)) {
            group.role = part->role;
        }
    }
    return groups;
}

void noteDimensionsOfParts(ParallelismFacts& found) {
    std::set<Role> noted;
    for (const GroupRole& group : found.groups) {
        const GroupPart* const part = onlyRole(group);
        const bool is_dimension =
            part != nullptr &&
            std::ranges::find(found.grid.dimensions, *part->role, &GridDimension::role) != found.grid.dimensions.end();
        // A whole group with that role shows the dimension too.
        const bool told = is_dimension && std::ranges::any_of(found.groups, [&](const GroupRole& other) {
                              return other.role == part->role && other.whole && other.ranks.size() > 1;
                          });
        if (!is_dimension || told || !noted.insert(*part->role).second) {
            continue;
        }
        std::string rest;
        for (const GroupPart& other : group.parts) {
            if (!other.role) {
                rest += (rest.empty() ? "" : "; ") + (other.what.empty() ? std::string("unknown") : other.what);
            }
        }
        found.grid.notes.push_back(fmt::format(
            "Only part of the work in group {} is {}: the dimension is of that part alone. The rest is for: {}.",
            group.label(), roleName(*part->role), rest));
    }
}

}  // namespace rankscope
