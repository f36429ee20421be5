// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "core/analysis/steps/phase_marks.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/host_changes.h"
#include "core/diagnosis/evidence/late_host.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace host_code {
namespace {

/// A stretch in which one piece of code occupied the host: consecutive parts of one gap.
struct HeldStretch {
    RankPosition rank;
    const RankStep* step = nullptr;
    const Gap* gap = nullptr;
    SliceRef code;
    DurationNs length_ns = 0;
};

/// The stretches of `owned` on `ranks`: those in priced steps first, longest first.
std::vector<HeldStretch> stretchesOf(const RuleContext& context, const std::vector<RankPosition>& ranks,
                                     const LedgerFilter& owned) {
    std::vector<HeldStretch> stretches;
    for (const RankPosition rank : ranks) {
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
            {held.rank, held.step->index, held.code, "keeps the GPU idle for " + formatDuration(held.length_ns)});
        if (i == 0 && held.gap->releasing.valid()) {
            evidence.push_back({held.rank, held.step->index, held.gap->releasing,
                                "is the first GPU work after a gap of " + formatDuration(held.gap->span.length())});
        }
    }
    return evidence;
}

bool launchesIn(const RankContext& work, const TimeSpan& span) {
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

/// The kind of code: "python", "range" or "operator". A range or an operator that launches GPU work itself
/// cannot leave the step: "range-optimizer", "range-launching" or "operator-launching".
std::string kindOf(const RankContext& work, SliceRef code) {
    const RankTrace& rank = *work.trace;
    const Category category = rank.category(code);
    if (category == Category::PythonFunction) {
        return "python";
    }
    const bool launches = launchesIn(work, rank.span(code));
    if (category != Category::UserAnnotation) {
        return launches ? "operator-launching" : "operator";
    }
    const bool optimizes = phaseOfRange(rank.name(code)) == Phase::Optimizer;
    return !launches ? "range" : optimizes ? "range-optimizer" : "range-launching";
}

/// Removes the stretches in gaps, and whole slices of that name that launch nothing: on a rank that waits for others,
/// these delay the next launch too.
std::vector<HostChange> withoutPiece(const RuleContext& context, RankPosition rank, const std::string& name) {
    const RankContext& work = context.work[rank];
    const StringId id = work.trace->strings.find(name);
    std::vector<HostChange> changes = withoutSlices(work, [id](StringId n, Category) { return n == id; });
    std::erase_if(changes, [&work](const HostChange& change) { return launchesIn(work, change.span); });
    std::ranges::move(withoutParts(context, rank, [&](const LedgerEntry& e) { return LateHost::isPiece(e, name); }),
                      std::back_inserter(changes));
    return changes;
}

/// The time of whole slices of that name that launch nothing, by rank.
std::vector<DurationNs> timesOf(const RuleContext& context, const std::string& name) {
    std::vector<DurationNs> times;
    for (const RankContext& work : context.work) {
        const StringId id = work.trace->strings.find(name);
        DurationNs& time_ns = times.emplace_back();
        for (const HostChange& slice : withoutSlices(work, [id](StringId n, Category) { return n == id; })) {
            time_ns += launchesIn(work, slice.span) ? 0 : slice.span.length();
        }
    }
    return times;
}

/// The ranks of the price, and those that spend at least half as long in the code as one of them: their GPUs are only
/// idle for less because they wait for others, or are ahead of them by chance.
std::vector<RankPosition> ranksWith(const RuleContext& context, const std::string& name, const Price& price) {
    const std::vector<DurationNs> times = timesOf(context, name);
    DurationNs least_ns = 0;
    for (const RankPosition rank : price.ranks) {
        least_ns = least_ns == 0 ? times[rank] : std::min(least_ns, times[rank]);
    }
    std::vector<RankPosition> ranks = price.ranks;
    for (RankPosition rank{0}; rank < times.size(); ++rank) {
        const bool named = std::ranges::find(price.ranks, rank) != price.ranks.end();
        if (!named && least_ns > 0 && 2 * times[rank] >= least_ns) {
            ranks.push_back(rank);
        }
    }
    std::ranges::sort(ranks);
    return ranks;
}

std::string kindText(const RuleContext& context, const std::string& kind) {
    const Sentences& say = context.sentences;
    return kind == "python"  ? say.fill("host-code.python", {})
           : kind == "range" ? say.fill("host-code.range", {})
                             : say.fill("host-code.operator", {});
}

/// What is said of the code: it launches nothing, or it launches other work and pauses in between.
struct CodeTexts {
    std::string title;
    std::string why;
    std::vector<std::string> conditions;
};

CodeTexts textsOf(const RuleContext& context, const std::string& kind, const std::string& name) {
    const Sentences& say = context.sentences;
    if (kind == "range" || kind == "operator" || kind == "python") {
        const std::string title = context.advice.title(FindingId::HostCode);
        return {say.fill("host-code.title", {{"title", title}, {"name", name}}),
                say.fill("host-code.launches-nothing", {{"kind", kindText(context, kind)}, {"name", name}}),
                {kind, "launches-nothing"}};
    }
    return {say.fill("host-code.title-launching", {{"name", name}}),
            say.fill("host-code.launches-late", {{"name", name}}),
            {kind}};
}

std::optional<Explanation> explain(const RuleContext& context, const std::string& name, const LedgerFilter& owned,
                                   const Price& price) {
    const std::vector<HeldStretch> stretches = stretchesOf(context, price.ranks, owned);
    if (stretches.empty()) {
        return std::nullopt;
    }
    const HeldStretch& longest = stretches.front();
    const std::string kind = kindOf(context.work[longest.rank], longest.code);
    const CodeTexts texts = textsOf(context, kind, name);
    std::vector<RankPosition> ranks = ranksWith(context, name, price);
    const std::string who = whoText(context, ranks);
    return Explanation{.why = context.sentences.fill("host-code.why", {{"code", texts.why},
                                                                       {"blocked", formatDuration(price.blocked_ns)},
                                                                       {"longest", formatDuration(longest.length_ns)},
                                                                       {"who", who},
                                                                       {"replay", replayText(context, price)},
                                                                       {"seen", seenText(context, price)}}),
                       .conditions = texts.conditions,
                       .title = texts.title,
                       .evidence = evidenceFor(stretches),
                       .culprits = std::move(ranks)};
}

Problem pieceOf(const RuleContext& context, const std::string& name) {
    const LedgerFilter owned = [name](const LedgerEntry& e) { return LateHost::isPiece(e, name); };
    const ChangeOfRank without_it = [&context, name](RankPosition rank) {
        return ReplayChange{.host = withoutPiece(context, rank, name)};
    };
    return {.id = FindingId::HostCode,
            .owned = owned,
            .change = onEachRank(context, without_it),
            .explain = [&context, name, owned](const Price& price) { return explain(context, name, owned, price); }};
}

}  // namespace
}  // namespace host_code

std::vector<Problem> hostCode(const RuleContext& context) {
    using namespace host_code;
    const LateHost late(context);
    std::vector<Problem> problems;
    for (const std::string& name : late.pieces()) {
        problems.push_back(pieceOf(context, name));
    }
    return problems;
}

}  // namespace rankscope
