// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <optional>

#include "core/analysis/collectives/ddp_messages.h"
#include "core/analysis/collectives/used_map.h"
#include "core/diagnosis/evidence/ddp_options.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace {

bool didAnything(const RuleContext& context, DdpPart DdpStep::*part) {
    return std::ranges::any_of(context.facts.ranks, [&](const RankFacts& rank) {
        return std::ranges::any_of(rank.ddp.steps, [&](const DdpStep& step) { return (step.*part).calls > 0; });
    });
}

/// The broadcasts of buffers, and the host's work to send them.
class Broadcasts {
  public:
    explicit Broadcasts(const RuleContext& context) : spans_(context.facts.ranks.size()) {
        for (const DdpMessage& message : ddpMessages(context.run, context.facts)) {
            if (message.kind == DdpMessageKind::Buffers) {
                add(context, message.collective);
            }
        }
        std::ranges::sort(labels_);
    }

    [[nodiscard]] bool empty() const { return sent_.empty(); }
    /// Their exposed time, and the device's idle time while they are sent.
    [[nodiscard]] bool owns(const LedgerEntry& e) const {
        const bool shown = e.owner == Owner::ExposedTransfer || e.owner == Owner::ExposedCommunication;
        return (shown || e.owner == Owner::Blocked) && std::ranges::binary_search(labels_, e.label);
    }
    [[nodiscard]] RunChange change() const {
        RunChange change;
        change.removed = [sent = sent_](CollectivePosition c) { return std::ranges::binary_search(sent, c); };
        change.of_rank = [spans = spans_](RankPosition rank) { return ReplayChange{.host = spans[rank]}; };
        return change;
    }

  private:
    void add(const RuleContext& context, CollectivePosition c) {
        const Collective& collective = context.facts.collectives.collectives[c];
        sent_.push_back(c);
        labels_.push_back(collective.name);
        for (const CollectiveMember& member : collective.members) {
            const RankContext& work = context.work[member.rank];
            const SliceRef op = collectiveAround(work, member.launch);
            if (op.valid()) {
                labels_.emplace_back(work.trace->name(op));
                spans_[member.rank].push_back({work.trace->span(op), 0});
            }
        }
    }

    std::vector<CollectivePosition> sent_;        // sorted, in the order of the messages
    std::vector<std::string> labels_;             // as in the ledger, sorted
    std::vector<std::vector<HostChange>> spans_;  // by rank
};

/// Adds a part. `replayed_ns`: what a replay without it saves, if that is known.
void add(const RuleContext& context, DdpPartKind part, const LedgerFilter& owned, const RunChange& change,
         std::optional<DurationNs> replayed_ns, Diagnosis& diagnosis) {
    const Pricer& pricer = context.pricer;
    const DurationNs blocked_ns = pricer.typicalLedgerTime(owned);
    const DurationNs step_ns = context.facts.pricedStep();
    const auto precision_ns = static_cast<DurationNs>(Pricer::kPrecision * static_cast<double>(step_ns));
    const DurationNs most_ns = pricer.coupled() ? step_ns : std::min(step_ns, blocked_ns + precision_ns);
    const DurationNs saving_ns = replayed_ns ? *replayed_ns : pricer.saving({context.facts.ledger, owned}, change);
    diagnosis.ddp.push_back({part, blocked_ns, std::clamp<DurationNs>(saving_ns, 0, most_ns)});
}

}  // namespace

void priceDdp(const RuleContext& context, Diagnosis& diagnosis) {
    if (context.pricer.steady().empty()) {
        return;
    }
    const auto add_part = [&](DdpPartKind kind, DdpPart DdpStep::*part, ReducerPart reducer, FindingId id) {
        if (didAnything(context, part)) {
            const ReducerProblem problem = reducerProblem(context, reducer);
            // The rule of the finding has asked for the same replay.
            add(context, kind, problem.owned, problem.without_it, context.attribution.replayedAlone(id), diagnosis);
        }
    };
    add_part(DdpPartKind::SearchUnused, &DdpStep::search_unused, ReducerPart::SearchUnused,
             FindingId::FindUnusedParameters);
    add_part(DdpPartKind::CopyToGradient, &DdpStep::copy_to_gradient, ReducerPart::CopyToGradient,
             FindingId::GradientCopies);
    if (const Broadcasts broadcasts(context); !broadcasts.empty()) {
        add(
            context, DdpPartKind::BroadcastBuffers, [&](const LedgerEntry& e) { return broadcasts.owns(e); },
            broadcasts.change(), std::nullopt, diagnosis);
    }
}

}  // namespace rankscope
