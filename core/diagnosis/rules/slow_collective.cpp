// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace slow_collective {
namespace {

constexpr std::size_t kMostEvidence = 8;

/// A slow collective, as seen by a rank of the finding.
struct Slow {
    const Collective* collective = nullptr;
    const CollectiveMember* member = nullptr;
    const RankStep* step = nullptr;

    [[nodiscard]] DurationNs excess() const { return *collective->transfer_ns - *collective->baseline_transfer_ns; }
};

/// The slow collectives of complete, steady-state steps, each on one of `ranks` (ascending); largest loss first.
std::vector<Slow> slowOnes(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    std::vector<Slow> slow;
    for (const Collective& collective : context.facts.collectives.collectives) {
        const auto member = std::ranges::find_if(collective.members, [&ranks](const CollectiveMember& m) {
            return std::ranges::binary_search(ranks, m.rank);
        });
        if (!collective.baseline_transfer_ns || member == collective.members.end()) {
            continue;
        }
        const RankStep* const step = stepAt(context.facts.ranks[member->rank], member->span.end_ns - 1);
        if (step != nullptr && step->complete && !step->outlier) {
            slow.push_back({&collective, &*member, step});
        }
    }
    std::ranges::stable_sort(slow, std::greater<>(), &Slow::excess);
    return slow;
}

std::string speedText(std::int64_t bytes, DurationNs transfer_ns) {
    return formatBandwidth(1e9 * static_cast<double>(bytes) /
                           static_cast<double>(std::max<DurationNs>(transfer_ns, 1)));
}

std::vector<Evidence> evidenceFor(const std::vector<Slow>& slow) {
    std::vector<Evidence> evidence;
    for (const Slow& one : slow) {
        if (evidence.size() < kMostEvidence) {
            evidence.push_back({one.member->rank, one.step->index, one.member->slices.front(),
                                "transfers " + formatDuration(one.excess()) + " longer than usual"});
        }
    }
    return evidence;
}

std::optional<Explanation> explain(const RuleContext& context, const Price& price) {
    std::vector<Slow> slow = slowOnes(context, price.ranks);
    std::erase_if(
        slow, [&](const Slow& one) { return context.facts.collectives.slowGroup(one.collective->group) != nullptr; });
    if (slow.empty()) {
        return std::nullopt;
    }
    const Collective& worst = *slow.front().collective;
    return Explanation{
        .why = context.sentences.fill("slow-collective.why",
                                      {{"slow", countText(slow.size(), "collective")},
                                       {"name", worst.name},
                                       {"bytes", formatBytes(static_cast<std::uint64_t>(*worst.bytes))},
                                       {"transfer", formatDuration(*worst.transfer_ns)},
                                       {"speed", speedText(*worst.bytes, *worst.transfer_ns)},
                                       {"usual", formatDuration(*worst.baseline_transfer_ns)},
                                       {"baseline_speed", speedText(*worst.bytes, *worst.baseline_transfer_ns)},
                                       {"blocked", formatDuration(price.blocked_ns)},
                                       {"replay", replayText(context, price)}}),
        .conditions = {"some"},
        .evidence = evidenceFor(slow)};
}

/// Groups of one kind that are slower than their sister groups.
struct SlowGroups {
    std::set<std::uint32_t> groups;
    std::vector<RankPosition> ranks;  ///< of all these groups, sorted
};

/// By the name of the groups: groups that are slow for one reason are one finding.
std::vector<SlowGroups> slowGroups(const RuleContext& context) {
    const CollectiveFacts& collectives = context.facts.collectives;
    std::map<std::string_view, SlowGroups> by_description;
    for (const SlowGroup& slow : collectives.slow_groups) {
        by_description[collectives.groups[slow.group].description].groups.insert(slow.group);
    }
    for (const Collective& collective : collectives.collectives) {
        if (collectives.slowGroup(collective.group) != nullptr) {
            SlowGroups& of = by_description[collectives.groups[collective.group].description];
            for (const CollectiveMember& member : collective.members) {
                if (of.ranks.empty() || of.ranks.back() != member.rank) {
                    of.ranks.push_back(member.rank);
                }
            }
        }
    }
    std::vector<SlowGroups> all;
    for (auto& [description, slow] : by_description) {
        std::ranges::sort(slow.ranks);
        const auto rest = std::ranges::unique(slow.ranks);
        slow.ranks.erase(rest.begin(), rest.end());
        all.push_back(std::move(slow));
    }
    return all;
}

Explanation explainGroups(const RuleContext& context, const SlowGroups& slow, const Price& price) {
    const Sentences& say = context.sentences;
    const CollectiveFacts& collectives = context.facts.collectives;
    const auto slowest = std::ranges::max_element(slow.groups, {}, [&](std::uint32_t group) {
        const SlowGroup* const one = collectives.slowGroup(group);
        return one->sisters_gb_per_s / one->gb_per_s;
    });
    const SlowGroup& worst = *collectives.slowGroup(*slowest);
    std::vector<Slow> ones = slowOnes(context, slow.ranks);
    std::erase_if(ones, [&](const Slow& one) { return !slow.groups.contains(one.collective->group); });
    const std::string group = context.facts.parallelism.groups[worst.group].label();
    return {.why = say.fill("slow-collective.group", {{"who", rankNamesWithin(context, slow.ranks)},
                                                      {"group", group},
                                                      {"speed", formatBandwidth(1e9 * worst.gb_per_s)},
                                                      {"usual", formatBandwidth(1e9 * worst.sisters_gb_per_s)},
                                                      {"sisters", countText(worst.sisters, "other group")},
                                                      {"blocked", formatDuration(price.blocked_ns)},
                                                      {"replay", replayText(context, price)}}),
            .conditions = {"group"},
            .title = say.fill("slow-collective.group-title",
                              {{"who", rankNamesWithin(context, slow.ranks)}, {"group", group}}),
            .evidence = evidenceFor(ones),
            .culprits = slow.ranks};
}

/// The time that collectives of these groups take beyond that of their sister groups.
Problem problemOf(const RuleContext& context, SlowGroups found) {
    const auto slow = std::make_shared<const SlowGroups>(std::move(found));
    RunChange as_sisters;
    as_sisters.typical_transfer = [&context, slow](CollectivePosition collective, DurationNs transfer_ns) {
        const Collective& of = context.facts.collectives.collectives[collective];
        return slow->groups.contains(of.group) ? baselinePart(of, transfer_ns) : transfer_ns;
    };
    return {.id = FindingId::SlowCollective,
            .owned =
                [slow](const LedgerEntry& e) {
                    return e.owner == Owner::ExposedTransfer && e.slow_excess && slow->groups.contains(e.group);
                },
            .change = std::move(as_sisters),
            .explain = [&context, slow](const Price& price) { return explainGroups(context, *slow, price); }};
}

}  // namespace
}  // namespace slow_collective

std::vector<Problem> slowCollectives(const RuleContext& context) {
    using namespace slow_collective;
    std::vector<Problem> problems;
    for (SlowGroups& slow : slowGroups(context)) {
        problems.push_back(problemOf(context, std::move(slow)));
    }
    const auto in_slow_group = [&collectives = context.facts.collectives](std::uint32_t group) {
        return collectives.slowGroup(group) != nullptr;
    };
    RunChange as_baseline;
    as_baseline.typical_transfer = [&context, in_slow_group](CollectivePosition collective, DurationNs transfer_ns) {
        const Collective& of = context.facts.collectives.collectives[collective];
        return in_slow_group(of.group) ? transfer_ns : baselinePart(of, transfer_ns);
    };
    problems.push_back({.id = FindingId::SlowCollective,
                        .owned =
                            [in_slow_group](const LedgerEntry& e) {
                                return e.owner == Owner::ExposedTransfer && e.slow_excess && !in_slow_group(e.group);
                            },
                        .change = std::move(as_baseline),
                        .explain = [&context](const Price& price) { return explain(context, price); }});
    return problems;
}

}  // namespace rankscope
