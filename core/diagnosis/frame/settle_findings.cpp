// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/judge_by_rules.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/frame/worth.h"
#include "core/diagnosis/prices/pricing.h"

namespace rankscope {
namespace {

/// The finding that overlaps most with another one; nullptr if none does.
Finding* overlapping(const Finding& finding, std::vector<Finding>& all) {
    if (!finding.overlap) {
        return nullptr;
    }
    const auto at = std::ranges::find(all, finding.overlap->with, &Finding::id);
    return at == all.end() ? nullptr : &*at;
}

/// What a finding saves beyond those that it overlaps with. An upper bound takes nothing away from a forecast: the
/// bound includes the other's saving.
DurationNs addedBy(const Finding& finding, std::vector<Finding>& all) {
    const Finding* const with = overlapping(finding, all);
    return with == nullptr || with->at_most ? finding.saving_ns
                                            : std::clamp<DurationNs>(finding.overlap->after_ns, 0, finding.saving_ns);
}

/// Late ranks own no time in the ledger, so all of their time may belong to another finding.
bool isOfLateRanks(const Finding& finding) {
    const bool late_gathers = finding.id == FindingId::ShardGatherLate && !finding.late.empty();
    return finding.id == FindingId::StragglerRank || finding.id == FindingId::MovingStraggler || late_gathers;
}

void foldWhatAddsNothing(const RunFacts& facts, const Sentences& say, std::vector<Finding>& findings) {
    const auto least_ns = static_cast<DurationNs>(Pricer::kLeastShare * static_cast<double>(facts.pricedStep()));
    for (std::size_t i = 0; i < findings.size();) {
        Finding* const with = isOfLateRanks(findings[i]) ? overlapping(findings[i], findings) : nullptr;
        if (with == nullptr || with == &findings[i] || addedBy(findings[i], findings) >= least_ns) {
            ++i;
            continue;
        }
        with->why += say.fill("common.holds-another",
                              {{"title", findings[i].title}, {"saving", formatDuration(findings[i].saving_ns)}});
        findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

/// A stage takes longer if its ranks' own links are slow. If a group of exactly these ranks is slow and costs as much
/// or more, its finding includes the stage.
void foldStageOfSlowGroup(const Sentences& say, std::vector<Finding>& findings) {
    const auto stage = std::ranges::find(findings, FindingId::StageImbalance, &Finding::id);
    if (stage == findings.end()) {
        return;
    }
    const auto group = std::ranges::find_if(findings, [&](const Finding& finding) {
        return finding.id == FindingId::SlowCollective && finding.ranks == stage->ranks &&
               finding.saving_ns >= stage->saving_ns;
    });
    if (group != findings.end()) {
        if (stage->saving_ns > 0) {
            group->why += say.fill("common.holds-another",
                                   {{"title", stage->title}, {"saving", formatDuration(stage->saving_ns)}});
        }
        findings.erase(stage);
    }
}

/// " ... saves part of it too: once that is fixed, this saves only ...": which part of a saving others save too, or
/// hide.
std::string overlapText(const Sentences& say, const Finding& finding, std::vector<Finding>& all) {
    if (!finding.overlap) {
        return {};
    }
    const Overlap& overlap = *finding.overlap;
    const Finding* const other = overlapping(finding, all);
    const std::string with = other == nullptr ? std::string(findingName(overlap.with)) : other->title;
    const std::string after = formatDuration(overlap.after_ns);
    if (finding.saving_ns == overlap.after_ns) {
        return say.fill("common.overlap-counted", {{"alone", formatDuration(overlap.alone_ns)}, {"with", with}});
    }
    return overlap.after_ns > overlap.alone_ns ? say.fill("common.overlap-hidden", {{"with", with}, {"after", after}})
                                               : say.fill("common.overlap-shared", {{"with", with}, {"after", after}});
}

/// For products that another number type would speed up in two ways: both prices are for the same time.
std::string sameProductsText(const Sentences& say, const Finding& finding, const std::vector<Finding>& all) {
    const bool is_plain = finding.id == FindingId::NoTensorCores;
    if (!is_plain && finding.id != FindingId::LowPrecisionUnused) {
        return {};
    }
    const FindingId with = is_plain ? FindingId::LowPrecisionUnused : FindingId::NoTensorCores;
    const auto other = std::ranges::find(all, with, &Finding::id);
    return other != all.end() ? say.fill("common.same-products", {{"with", other->title}}) : std::string();
}

/// The summary of a finding. A finding that blocks no device of the ranks that set the pace is described by its price.
std::string summaryOf(const RunFacts& facts, const Sentences& say, const Finding& finding) {
    const DurationNs step_ns = facts.pricedStep();
    const FindingId id =
        isOfLateRanks(finding) && finding.id != FindingId::MovingStraggler ? FindingId::StragglerRank : finding.id;
    std::string key = std::string(findingName(id)) + ".summary";
    const std::vector<std::string> names = say.placeholders(key);
    if (finding.id == FindingId::StageImbalance && finding.saving_ns <= 0) {
        key = "stage-imbalance.summary-not-played";
    } else if (finding.blocked_ns <= 0 && std::ranges::find(names, "blocked") != names.end()) {
        key = "common.summary";
    }
    return say.fillFrom(key, {{"blocked", formatDuration(finding.blocked_ns)},
                              {"saving", formatDuration(finding.saving_ns)},
                              {"step", formatDuration(step_ns)},
                              {"new_step", formatDuration(step_ns - finding.saving_ns)}});
}

}  // namespace

void settleFindings(const RunFacts& facts, const Sentences& say, Diagnosis& diagnosis) {
    std::vector<Finding>& findings = diagnosis.findings;
    foldWhatAddsNothing(facts, say, findings);
    foldStageOfSlowGroup(say, findings);
    for (Finding& finding : findings) {
        finding.why += overlapText(say, finding, findings) + sameProductsText(say, finding, findings);
        finding.summary = summaryOf(facts, say, finding);
        finding.severity = severityOf(finding, facts.pricedStep());
    }
    std::ranges::stable_sort(findings, isWorthMore);
}

}  // namespace rankscope
