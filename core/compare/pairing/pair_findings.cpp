// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/pair_findings.h"

#include <algorithm>
#include <cmath>

namespace rankscope {
namespace {

constexpr double kPriceShare = 0.05;
constexpr double kStepShare = 0.005;
constexpr double kLeast = 0.01;
constexpr double kLeastOfStragglers = 0.03;

/// Whether the title of such a finding names its subject, so that it identifies the finding. The title of a bubble has
/// its size, which changes between runs; a run has at most one bubble.
bool isNamedByTitle(FindingId id) {
    return id != FindingId::PipelineBubble;
}

bool sameCulprit(const Finding& a, const Finding& b) {
    return a.id == b.id && a.cause == b.cause && (!isNamedByTitle(a.id) || a.title == b.title);
}

/// What it saves alone. Its share of a common saving also changes with the findings that it shares time with.
DurationNs savingOf(const Finding& finding) {
    return finding.overlap ? finding.overlap->alone_ns : finding.saving_ns;
}

/// The only cause of idle time that this kind of finding owns, if it owns all of it
/// (docs/definitions/finding-kinds.md).
std::optional<Cause> ownCause(FindingId id) {
    if (id == FindingId::DataloaderStall) {
        return Cause::DataLoader;
    }
    return id == FindingId::AllocatorStall ? std::optional(Cause::Allocator) : std::nullopt;
}

void putTimes(FindingId id, const Breakdown& breakdown, FindingPair& pair) {
    const std::optional<Cause> cause = ownCause(id);
    for (const BreakdownRow& row : breakdown.rows) {
        if (cause && row.part == StepPart::Idle && row.cause == *cause) {
            pair.a_time_ns = row.a_ns;
            pair.b_time_ns = row.b_ns;
        }
    }
}

/// Whether the other run would show it. Findings without a price do not depend on size. Those with a price may exist in
/// the other run, but too small to be a finding.
bool wouldShow(const Finding& finding, const RunFacts& other) {
    return finding.saving_ns == 0 || finding.saving_ns >= leastSaving(finding.id, other.median_step_ns);
}

FindingChange changeOf(const FindingPair& pair, const AnalysedRun& a, const AnalysedRun& b) {
    if (!pair.b) {
        return wouldShow(a.diagnosis.findings[*pair.a], b.facts) ? FindingChange::Resolved : FindingChange::CannotTell;
    }
    if (!pair.a) {
        return wouldShow(b.diagnosis.findings[*pair.b], a.facts) ? FindingChange::New : FindingChange::CannotTell;
    }
    const DurationNs more = pair.b_saving_ns - pair.a_saving_ns;
    if (std::abs(more) <= priceTolerance(pair.a_saving_ns, pair.b_saving_ns, a.facts.median_step_ns)) {
        return FindingChange::Unchanged;
    }
    return more > 0 ? FindingChange::Worse : FindingChange::Better;
}

}  // namespace

std::string_view findingChangeName(FindingChange change) {
    switch (change) {
        case FindingChange::Resolved: return "resolved";
        case FindingChange::New: return "new";
        case FindingChange::Better: return "better";
        case FindingChange::Worse: return "worse";
        case FindingChange::Unchanged: return "unchanged";
        case FindingChange::CannotTell: return "cannot-tell";
    }
    return "cannot-tell";
}

DurationNs priceTolerance(DurationNs a_ns, DurationNs b_ns, DurationNs step_ns) {
    return static_cast<DurationNs>(
        std::max(kPriceShare * static_cast<double>(std::max(a_ns, b_ns)), kStepShare * static_cast<double>(step_ns)));
}

DurationNs leastSaving(FindingId id, DurationNs median_step_ns) {
    const bool straggler = id == FindingId::StragglerRank || id == FindingId::MovingStraggler;
    return static_cast<DurationNs>((straggler ? kLeastOfStragglers : kLeast) * static_cast<double>(median_step_ns));
}

std::vector<FindingPair> pairFindings(const AnalysedRun& a, const AnalysedRun& b,
                                      const std::optional<Breakdown>& breakdown) {
    const std::vector<Finding>& of_a = a.diagnosis.findings;
    const std::vector<Finding>& of_b = b.diagnosis.findings;
    std::vector<FindingPair> pairs;
    std::vector<bool> taken(of_b.size(), false);
    for (std::uint32_t i = 0; i < of_a.size(); ++i) {
        FindingPair pair{.a = i, .b = {}, .a_saving_ns = savingOf(of_a[i]), .a_time_ns = {}, .b_time_ns = {}};
        for (std::uint32_t j = 0; j < of_b.size() && !pair.b; ++j) {
            if (!taken[j] && sameCulprit(of_a[i], of_b[j])) {
                taken[j] = true;
                pair.b = j;
                pair.b_saving_ns = savingOf(of_b[j]);
            }
        }
        pairs.push_back(pair);
    }
    for (std::uint32_t j = 0; j < of_b.size(); ++j) {
        if (!taken[j]) {
            pairs.push_back({.a = {}, .b = j, .b_saving_ns = savingOf(of_b[j]), .a_time_ns = {}, .b_time_ns = {}});
        }
    }
    for (FindingPair& pair : pairs) {
        pair.change = changeOf(pair, a, b);
        if (breakdown) {
            putTimes(pair.a ? of_a[*pair.a].id : of_b[*pair.b].id, *breakdown, pair);
        }
    }
    std::ranges::stable_sort(pairs, std::ranges::greater(),
                             [](const FindingPair& pair) { return std::abs(pair.b_saving_ns - pair.a_saving_ns); });
    return pairs;
}

}  // namespace rankscope
