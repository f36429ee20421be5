// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/group_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "core/analysis/parallelism/judge_operations.h"
#include "core/base/format.h"

namespace rankscope {
namespace {

/// If fewer than one in this many of a group's collectives disagree, its role is not doubtful.
constexpr std::size_t kNegligible = 10;

/// Whether the role that operations suggest is consistent with the role `named` in the group's name.
bool agree(Role named, Role found) {
    switch (named) {
        case Role::Data: return found == Role::Data || found == Role::Shard;
        case Role::Tensor: return found == Role::Tensor || found == Role::Shard;
        case Role::Sequence: return found != Role::Data && found != Role::Expert;
        case Role::Expert: return found == Role::Expert || found == Role::Shard || found == Role::Tensor;
        default: return named == found;
    }
}

/// Whether a user chose the name: not the number that PyTorch gives, and not a default.
bool isChosen(const std::string& name) {
    return !name.empty() && name != "undefined" &&
           !std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0; });
}

class RoleJudge {
  public:
    RoleJudge(const RoleNames& names, std::int32_t world) : names_(names), world_(world) {}

    void judge(GroupRole& group, const GroupUse* use, GroupOrigin origin) const {
        const RoleNames::Rule* const name = describeName(group, origin);
        describeMembers(group);
        const OperationSigns signs = use != nullptr ? judgeOperations(*use) : OperationSigns();
        for (const RoleSign& sign : signs.roles) {
            group.evidence.push_back(sign.evidence);
        }
        group.evidence.insert(group.evidence.end(), signs.doubts.begin(), signs.doubts.end());
        const std::optional<Role> said = name != nullptr ? name->role : std::nullopt;
        const bool several = name != nullptr && !name->role && !name->aside;
        group.whole = name == nullptr || name->whole;
        if (several) {
            group.evidence.emplace_back("Cannot tell: its name says that it is for " + name->what + ".");
        } else if (said && *said != Role::World) {
            byName(group, *said, signs);
        } else {
            byOperations(group, use, signs, said.has_value());
        }
    }

  private:
    const RoleNames::Rule* describeName(GroupRole& group, GroupOrigin origin) const {
        for (const std::string& name : {group.description, group.name}) {
            if (!isChosen(name)) {
                continue;
            }
            if (const RoleNames::Rule* const rule = names_.ofGroup(name)) {
                const std::string says = rule->role ? std::string(roleName(*rule->role)) : rule->what;
                group.evidence.push_back(fmt::format("The name \"{}\" says {} ({}).", name, says, rule->note));
                return rule;
            }
        }
        group.evidence.emplace_back(origin == GroupOrigin::World
                                        ? "The group has no recorded name: it is everything on one stream."
                                        : "Its name does not show its role.");
        return nullptr;
    }

    [[nodiscard]] bool coversWorld(const GroupRole& group) const {
        return world_ > 1 && static_cast<std::int32_t>(group.ranks.size()) == world_;
    }

    void describeMembers(GroupRole& group) const {
        if (group.ranks.empty()) {
            return;
        }
        std::string members = formatCounted(group.ranks.size(), "rank");
        if (coversWorld(group)) {
            members = "all " + members + " of the job";
        } else if (world_ > 0) {
            members += fmt::format(" of {}", world_);
        }
        const std::optional<std::int32_t> stride = strideOf(group.ranks);
        const bool apart = stride && !coversWorld(group);
        group.evidence.push_back("It spans " + members +
                                 (apart ? fmt::format(", {} apart.", *stride) : std::string(".")));
    }

    static void byName(GroupRole& group, Role said, const OperationSigns& signs) {
        std::size_t agreeing = 0;
        std::size_t others = 0;
        for (const RoleSign& sign : signs.roles) {
            (agree(said, sign.role) ? agreeing : others) += sign.collectives;
        }
        if (others > 0 && kNegligible * others >= agreeing + others) {
            group.evidence.emplace_back("Cannot tell: its name contradicts what ran in it.");
            return;
        }
        const bool sharded = said == Role::Data && !signs.roles.empty() && signs.roles.front().role == Role::Shard;
        group.role = sharded ? Role::Shard : said;
        // The name has excluded other uses that send and receive like a pipeline.
        const bool same = std::ranges::any_of(signs.roles, [&](const RoleSign& sign) {
            return sign.role == *group.role && (!sign.weak || sign.role == Role::Pipeline);
        });
        group.confidence = same ? Confidence::High : Confidence::Medium;
    }

    void byOperations(GroupRole& group, const GroupUse* use, const OperationSigns& signs, bool named_world) const {
        std::size_t all = signs.otherwise;
        for (const RoleSign& sign : signs.roles) {
            all += sign.collectives;
        }
        if (all == 0) {
            byMembers(group, use, named_world);
            return;
        }
        const std::size_t first = signs.roles.empty() ? 0 : signs.roles.front().collectives;
        if (kNegligible * first <= all) {
            group.evidence.emplace_back("Cannot tell: it fits none of the roles, or several.");
        } else if (kNegligible * (all - first) >= all) {
            group.evidence.emplace_back("Cannot tell: it is used for more than one thing.");
        } else {
            const RoleSign& sign = signs.roles.front();
            group.role = sign.role;
            group.confidence = sign.weak ? Confidence::Low : sign.named ? Confidence::High : Confidence::Medium;
        }
    }

    void byMembers(GroupRole& group, const GroupUse* use, bool named_world) const {
        if (coversWorld(group) || (named_world && world_ == 0)) {
            group.role = Role::World;
            group.confidence = named_world ? Confidence::Medium : Confidence::Low;
            group.evidence.emplace_back("It spans all ranks; nothing else is known.");
        } else {
            group.evidence.emplace_back(use == nullptr || use->collectives == 0
                                            ? "Cannot tell: nothing ran in it."
                                            : "Cannot tell: what ran in it fits any role.");
        }
    }

    const RoleNames& names_;
    std::int32_t world_;
};

std::vector<OperationCount> frequentFirst(const GroupUse& use) {
    std::vector<OperationCount> operations;
    for (std::size_t k = 0; k < use.operations.size(); ++k) {
        OperationCount count = use.operations[k];
        count.kind = static_cast<CollectiveKind>(k);
        if (count.total() > 0) {
            operations.push_back(count);
        }
    }
    std::ranges::stable_sort(operations, std::greater(), &OperationCount::total);
    return operations;
}

/// The groups of `pg_config` with two members or more and no recorded collective, each once.
std::vector<GroupRole> configuredOnly(const Run& run, const CollectiveFacts& facts) {
    std::set<std::pair<std::string, std::vector<RankNumber>>> known;
    for (const CollectiveGroup& group : facts.groups) {
        known.emplace(group.name, group.ranks);
    }
    std::vector<GroupRole> groups;
    for (const auto& rank : run.ranks) {
        for (const ProcessGroup& configured : rank->groups) {
            std::vector<RankNumber> ranks = configured.ranks;
            if (!std::ranges::is_sorted(ranks)) {  // each of thousands of ranks may list all of them
                std::ranges::sort(ranks);
            }
            if (ranks.size() < 2 || !known.emplace(configured.name, ranks).second) {
                continue;
            }
            GroupRole group;
            group.name = configured.name;
            group.description = configured.description;
            group.size = static_cast<std::int32_t>(ranks.size());
            group.ranks = std::move(ranks);
            groups.push_back(std::move(group));
        }
    }
    return groups;
}

void obeyUser(const RoleChoices& choices, ParallelismFacts& all) {
    for (const auto& [name, role] : choices) {
        for (GroupRole& group : all.groups) {
            if (!group.isNamed(name)) {
                continue;
            }
            group.role = role;
            group.confidence = Confidence::High;
            group.by_user = true;
            group.whole = true;
        }
    }
    for (GroupRole& group : all.groups) {
        if (group.by_user) {
            group.evidence.insert(group.evidence.begin(),
                                  "The user says it is " + std::string(roleName(*group.role)) + ".");
        }
    }
}

}  // namespace

std::int32_t worldSizeOf(const Run& run) {
    std::int32_t world = 0;
    for (const auto& rank : run.ranks) {
        world = std::max(world, rank->world_size.value_or(0));
    }
    return world;
}

std::vector<GroupRole> rolesOfGroups(const Run& run, const CollectiveFacts& facts, const std::vector<GroupUse>& uses,
                                     const RoleNames& names, const RoleChoices& choices) {
    const RoleJudge judge(names, worldSizeOf(run));
    ParallelismFacts all;
    for (std::uint32_t g = 0; g < facts.groups.size(); ++g) {
        const CollectiveGroup& of = facts.groups[g];
        GroupRole group;
        group.group = g;
        group.name = of.name;
        group.description = of.description;
        group.ranks = of.ranks;
        group.size = of.size;
        group.operations = frequentFirst(uses[g]);
        judge.judge(group, &uses[g], of.origin);
        all.groups.push_back(std::move(group));
    }
    for (GroupRole& group : configuredOnly(run, facts)) {
        judge.judge(group, nullptr, GroupOrigin::Configuration);
        const bool chosen = std::ranges::any_of(choices, [&](const auto& c) { return group.isNamed(c.first); });
        if (chosen || (group.role && *group.role != Role::World)) {
            all.groups.push_back(std::move(group));
        }
    }
    obeyUser(choices, all);
    return std::move(all.groups);
}

}  // namespace rankscope
