// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/group_use.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/analysis/collectives/ddp_messages.h"
#include "core/analysis/facts.h"
#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/phases.h"
#include "core/trace/rank_trace.h"

namespace rankscope {
namespace {

/// The rules for the names of one rank, each looked up once.
class NamesOfRank {
  public:
    NamesOfRank(const RankTrace& rank, const RoleNames& names) : rank_(&rank), names_(&names) {}

    /// The rule of the innermost range or operator around `at` that has one for this collective, with its name.
    std::pair<const RoleNames::Rule*, std::string_view> around(SliceRef at, CollectiveKind kind) {
        const SliceTable& slices = rank_->track(at).slices;
        for (SliceIndex i = at.slice; i != kNoSlice; i = slices.parent[i]) {
            if (!slices.name[i].valid()) {
                continue;
            }
            const std::string_view name = rank_->strings.view(slices.name[i]);
            const auto [known, is_new] = ranges_.try_emplace({slices.name[i], kind}, nullptr);
            if (is_new) {
                known->second = names_->ofLaunch(name, kind);
            }
            if (known->second != nullptr) {
                return {known->second, name};
            }
        }
        return {nullptr, {}};
    }

    std::pair<const RoleNames::Rule*, std::string_view> ofKernels(const CollectiveMember& member) {
        for (const SliceRef& slice : member.slices) {
            const StringId id = rank_->track(slice).slices.name[slice.slice];
            const auto [known, is_new] = kernels_.try_emplace(id, nullptr);
            if (is_new && id.valid()) {
                known->second = names_->ofKernel(rank_->strings.view(id));
            }
            if (known->second != nullptr) {
                return {known->second, rank_->strings.view(id)};
            }
        }
        return {nullptr, {}};
    }

  private:
    const RankTrace* rank_;
    const RoleNames* names_;
    std::map<std::pair<StringId, CollectiveKind>, const RoleNames::Rule*> ranges_;
    std::map<StringId, const RoleNames::Rule*> kernels_;
};

void countIn(Phase phase, OperationCount& count) {
    const bool forward = phase == Phase::Forward;
    const bool backward = phase == Phase::Backward;
    ++(forward ? count.forward : backward ? count.backward : count.elsewhere);
}

class UseCounter {
  public:
    UseCounter(const Run& run, const RunFacts& facts, const RoleNames& names) : run_(run), facts_(facts) {
        for (const auto& rank : run.ranks) {
            names_.emplace_back(*rank, names);
        }
    }

    UseOfGroups count() {
        UseOfGroups found;
        std::vector<GroupUse>& uses = found.groups;
        uses.resize(facts_.collectives.groups.size());
        std::vector<std::vector<bool>> seen(uses.size(), std::vector<bool>(run_.ranks.size()));
        for (const Collective& collective : facts_.collectives.collectives) {
            found.collectives.push_back(add(collective, uses[collective.group]));
            for (const CollectiveMember& member : collective.members) {
                seen[collective.group][member.rank] = true;
            }
        }
        for (std::size_t g = 0; g < uses.size(); ++g) {
            describeRanks(seen[g], uses[g]);
        }
        return found;
    }

  private:
    CollectiveSign add(const Collective& collective, GroupUse& use);
    CollectiveSign addNames(const Collective& collective, const CollectiveMember& member, GroupUse& use);
    void describeRanks(const std::vector<bool>& members, GroupUse& use) const;

    const Run& run_;
    const RunFacts& facts_;
    std::vector<NamesOfRank> names_;
};

CollectiveSign UseCounter::add(const Collective& collective, GroupUse& use) {
    if (collective.members.empty()) {
        return {};
    }
    const auto launched =
        std::ranges::find_if(collective.members, [](const CollectiveMember& m) { return m.launch.valid(); });
    const CollectiveMember& member = launched != collective.members.end() ? *launched : collective.members.front();
    const Phase phase = launchPhase(facts_.ranks[member.rank].phases, member.slices.front());
    countIn(phase, use.operations[static_cast<std::size_t>(collective.kind)]);
    const bool apart = member.launch.valid() && phase != Phase::Forward && phase != Phase::Backward;
    use.scatters_apart += apart && collective.kind == CollectiveKind::ReduceScatter ? 1U : 0U;
    ++use.collectives;
    use.launches += member.launch.valid() ? 1U : 0U;
    CollectiveSign sign = addNames(collective, member, use);
    sign.phase = phase;
    // Sums that a name assigns to gradients are no partial sums, and what has no launch is in no phase.
    const bool otherwise = sign.role && *sign.role != Role::Tensor;
    if (collective.kind == CollectiveKind::AllReduce && !otherwise &&
        (member.launch.valid() || phase == Phase::Forward || phase == Phase::Backward) &&
        collective.bytes.value_or(kFewNumbersBytes + 1) > kFewNumbersBytes) {
        countIn(phase, use.sums);
    }
    if (!sign.aside && collective.kind == CollectiveKind::AllReduce && phase == Phase::Backward &&
        member.launch.valid()) {
        const bool sent = isSentByReducer(*run_.ranks[member.rank], facts_.ranks[member.rank], member.launch);
        use.by_reducer += sent ? 1U : 0U;
        use.inside_nodes += !sent && !otherwise ? 1U : 0U;
        const bool told = sign.role || !sign.what.empty();
        if (!told && sent && facts_.ranks[member.rank].ddp.in_use) {
            sign.role = Role::Data;
        }
    }
    return sign;
}

CollectiveSign UseCounter::addNames(const Collective& collective, const CollectiveMember& member, GroupUse& use) {
    const SliceRef host = member.launch.valid() ? member.launch : member.op;
    auto [rule, name] = names_[member.rank].ofKernels(member);
    if (rule == nullptr && host.valid()) {
        std::tie(rule, name) = names_[member.rank].around(host, collective.kind);
    }
    if (rule == nullptr) {
        // NCCL's send/receive kernel is also used for all-to-alls and more.
        const bool bare = collective.kind == CollectiveKind::SendReceive && collective.name.starts_with("nccl") &&
                          collective.name.find("SendRecv") != std::string::npos;
        use.bare_exchanges += bare ? 1U : 0U;
        use.unnamed_exchanges += collective.kind == CollectiveKind::AllToAll ? 1U : 0U;
        return {};
    }
    if (rule->aside) {
        return {.role = {}, .what = {}, .aside = true};
    }
    SaidByNames& said = rule->role ? use.roles[*rule->role] : use.others[rule->what];
    if (++said.collectives == 1) {
        said.example = name;
        said.note = rule->note;
    }
    return {.role = rule->role, .what = rule->role ? std::string() : rule->what};
}

void UseCounter::describeRanks(const std::vector<bool>& members, GroupUse& use) const {
    std::size_t ranks = 0;
    std::size_t steps = 0;
    for (RankPosition r{0}; r < members.size(); ++r) {
        if (!members[r]) {
            continue;
        }
        const RankFacts& rank = facts_.ranks[r];
        ++ranks;
        steps += rank.steps.size();
        use.forward_told = use.forward_told || rank.phases.told[Phase::Forward];
        use.backward_told = use.backward_told || rank.phases.told[Phase::Backward];
        use.operators_told = use.operators_told || recordsOperators(*run_.ranks[r]);
        use.ddp = use.ddp || rank.ddp.in_use;
    }
    use.steps = ranks > 0 ? std::max<std::size_t>(1, steps / ranks) : 1;
}

}  // namespace

UseOfGroups useOfGroups(const Run& run, const RunFacts& facts, const RoleNames& names) {
    return UseCounter(run, facts, names).count();
}

}  // namespace rankscope
