// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/rule.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostEvidence = 8;

/// A slow collective, as a rank of the finding sees it.
struct Slow {
    const Collective* collective = nullptr;
    const CollectiveMember* member = nullptr;
    const RankStep* step = nullptr;

    [[nodiscard]] DurationNs excess() const { return *collective->transfer_ns - *collective->baseline_transfer_ns; }
};

/// The slow collectives of complete, steady-state steps, each on one of `ranks`, in ascending order; those that lose
/// most first.
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
    const std::vector<Slow> slow = slowOnes(context, price.ranks);
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
        .evidence = evidenceFor(slow)};
}

}  // namespace

std::vector<Problem> slowCollectives(const RuleContext& context) {
    RunChange as_baseline;
    as_baseline.transfer = [&context](CollectivePosition collective, DurationNs transfer_ns) {
        return baselinePart(context.facts.collectives.collectives[collective], transfer_ns);
    };
    return {{.id = FindingId::SlowCollective,
             .owned = [](const LedgerEntry& e) { return e.owner == Owner::ExposedTransfer && e.slow_excess; },
             .change = std::move(as_baseline),
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
