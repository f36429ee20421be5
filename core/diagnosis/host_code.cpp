// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <string>

#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/host_changes.h"
#include "core/diagnosis/late_host.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

/// A stretch in which a piece of code held the host: consecutive parts of one gap.
struct HeldStretch {
    std::uint32_t rank = 0;
    const RankStep* step = nullptr;
    const Gap* gap = nullptr;
    SliceRef code;
    DurationNs length_ns = 0;
};

/// The stretches that `owned` picks on `ranks`: those of the steps that the price stands on first, longest first.
std::vector<HeldStretch> stretchesOf(const RuleContext& context, const std::vector<std::uint32_t>& ranks,
                                     const LedgerFilter& owned) {
    std::vector<HeldStretch> stretches;
    for (const std::uint32_t rank : ranks) {
        forEachPart(context, rank, owned, [&](const RankStep& step, const Gap& gap, const GapPart& part) {
            if (stretches.empty() || stretches.back().gap != &gap || stretches.back().code != part.code) {
                stretches.push_back({rank, &step, &gap, part.code, 0});
            }
            stretches.back().length_ns += part.span.length();
        });
    }
    std::ranges::stable_sort(stretches, {}, [](const HeldStretch& s) {
        return std::pair(!s.step->complete || s.step->outlier, -s.length_ns);
    });
    return stretches;
}

std::vector<Evidence> evidenceFor(const std::vector<HeldStretch>& stretches) {
    constexpr std::size_t kStretchesShown = 6;
    std::vector<Evidence> evidence;
    for (std::size_t i = 0; i < stretches.size() && i < kStretchesShown; ++i) {
        const HeldStretch& held = stretches[i];
        evidence.push_back(
            {held.rank, held.step->index, held.code, "blocks the device for " + formatDuration(held.length_ns)});
        if (i == 0 && held.gap->releasing.valid()) {
            evidence.push_back({held.rank, held.step->index, held.gap->releasing,
                                "is the first device work after a gap of " + formatDuration(held.gap->span.length())});
        }
    }
    return evidence;
}

/// What kind of code it is: "python", "range" or "operator".
std::string kindOf(const RankTrace& rank, SliceRef code) {
    switch (rank.category(code)) {
        case Category::PythonFunction: return "python";
        case Category::UserAnnotation: return "range";
        default: return "operator";
    }
}

bool launchesIn(const RankWork& work, const TimeSpan& span) {
    return std::ranges::any_of(work.threads.all(), [&](const HostThread& thread) {
        if (!thread.track.valid()) {
            return false;
        }
        const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
        const auto start_of = [&slices](SliceIndex i) { return slices.start_ns[i]; };
        const auto first = std::ranges::lower_bound(thread.launches, span.start_ns, {}, start_of);
        return first != thread.launches.end() && slices.start_ns[*first] < span.end_ns;
    });
}

/// Without the stretches in gaps, and where a slice of that name launches nothing without all of it: on a rank that
/// waits for others it delays the next launch as well.
std::vector<HostChange> withoutPiece(const RuleContext& context, std::uint32_t rank, const std::string& name) {
    const RankWork& work = context.work[rank];
    const StringId id = work.trace->strings.find(name);
    std::vector<HostChange> changes = withoutSlices(work, [id](StringId n, Category) { return n == id; });
    std::erase_if(changes, [&work](const HostChange& change) { return launchesIn(work, change.span); });
    std::ranges::move(withoutParts(context, rank, [&](const LedgerEntry& e) { return LateHost::isPiece(e, name); }),
                      std::back_inserter(changes));
    return changes;
}

void findPiece(const RuleContext& context, const std::string& name, Diagnosis& diagnosis) {
    const auto in_ledger = [&](const LedgerEntry& e) { return LateHost::isPiece(e, name); };
    const auto without_it = [&](std::uint32_t rank) { return ReplayChange{.host = withoutPiece(context, rank, name)}; };
    const Price price = context.claims.price("host-code", in_ledger, without_it);
    const std::vector<HeldStretch> stretches = stretchesOf(context, price.ranks, in_ledger);
    if (price.share < Pricer::kLeastShare || stretches.empty()) {
        return;
    }
    Finding finding = makeFinding("host-code", price, context.facts.ranks.size());
    const HeldStretch& longest = stretches.front();
    const std::string kind = kindOf(*context.work[longest.rank].trace, longest.code);
    finding.title = context.advice.title(finding.id) + ": " + name;
    finding.why = (kind == "python"  ? "The Python code in "
                   : kind == "range" ? "The range "
                                     : "The operator ") +
                  name + " keeps the host from launching while the device has nothing left to do: for " +
                  formatDuration(price.blocked_ns) + " of the median step, " + formatDuration(longest.length_ns) +
                  " at a time at most. If it took no time there, " + replayText(context, price) + ". It was seen in " +
                  countText(price.steps.size(), "step") + " of " + std::to_string(context.facts.steps.size()) + ".";
    finding.remedies = context.advice.remedies(finding.id, {kind});
    finding.evidence = evidenceFor(stretches);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace

void findHostCode(const RuleContext& context, Diagnosis& diagnosis) {
    const LateHost late(context);
    for (const std::string& name : late.pieces()) {
        findPiece(context, name, diagnosis);
    }
}

}  // namespace rankscope
