// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/group_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

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

/// Whether the parts say more than the whole: one of them has a role, and there are several.
bool tellMore(const std::vector<GroupPart>& parts) {
    return parts.size() > 1 && std::ranges::any_of(parts, [](const GroupPart& part) { return part.role.has_value(); });
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
        group.evidence.push_back("Divided by the operators around them: " + text + ".");
    }
    for (CollectivePosition c{0}; c < facts.collectives.size(); ++c) {
        const GroupRole& group = found.groups[facts.collectives[c].group];
        found.of_collectives[c] = group.parts.empty() ? group.role : signs[c].role;
    }
}

std::vector<GroupRole> withRolesOfParts(std::vector<GroupRole> groups) {
    for (GroupRole& group : groups) {
        const auto told = [](const GroupPart& part) { return part.role.has_value(); };
        if (!group.role && std::ranges::count_if(group.parts, told) == 1) {
            group.role = std::ranges::find_if(group.parts, told)->role;
        }
    }
    return groups;
}

}  // namespace rankscope
