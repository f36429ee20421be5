// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/finding_places.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/steps/typical_run_step.h"
#include "core/diagnosis/prices/blocked_part.h"

namespace rankscope {
namespace finding_places {
namespace {

constexpr std::size_t kMostRanks = 64;

/// The properties of a part of a gap that decide which finding it belongs to.
struct PartKind {
    Cause cause = Cause::Unrecorded;
    bool long_stretch = false;
    std::string_view label;
    std::string_view code_name;
    friend bool operator==(const PartKind&, const PartKind&) = default;
};

/// Whether a finding is about a cause in any code.
bool isOfWholeCause(FindingId id) {
    switch (id) {
        case FindingId::DataloaderStall:
        case FindingId::AllocatorStall:
        case FindingId::HostStall:
        case FindingId::LaunchBound:
        case FindingId::DeviceShared:
        case FindingId::LateAnswer:
        case FindingId::UnexplainedIdle: return true;
        default: return false;
    }
}

PartKind kindOf(const GapPart& part, FindingId id) {
    return isOfWholeCause(id) ? PartKind{part.cause, part.long_stretch, {}, {}}
                              : PartKind{part.cause, part.long_stretch, part.label, part.code_name};
}

/// Causes for which the CPU launches too slowly.
constexpr std::array kLaunching = {Cause::Launch, Cause::LaunchLatency, Cause::Operator,
                                   Cause::Python, Cause::Unrecorded,    Cause::KernelToKernel};

/// Evidence also shows the call behind a gap and the work that ends it, which may block something else: only parts
/// with the cause or the label of the first evidence count.
std::vector<PartKind> kindsOf(const RunFacts& facts, const Finding& finding) {
    std::vector<PartKind> kinds;
    const GapPart* first = nullptr;
    for (const Evidence& evidence : finding.evidence) {
        const GapPart* const part = partBlockedBy(facts, evidence);
        if (part == nullptr) {
            continue;
        }
        first = first != nullptr ? first : part;
        const bool launches = std::ranges::find(kLaunching, part->cause) != kLaunching.end();
        const bool same_label = !part->label.empty() && part->label == first->label && !isOfWholeCause(finding.id);
        const bool of_it = finding.id == FindingId::LaunchBound ? launches : part->cause == first->cause || same_label;
        if (of_it && std::ranges::find(kinds, kindOf(*part, finding.id)) == kinds.end()) {
            kinds.push_back(kindOf(*part, finding.id));
        }
    }
    return kinds;
}

void addBlocked(const RankStep& step, RankPosition rank, const std::vector<PartKind>& kinds, FindingId id,
                std::vector<FindingPlace>& places) {
    TimeSpan open;
    const auto close = [&] {
        if (!open.empty()) {
            places.push_back({rank, {}, open});
        }
        open = {};
    };
    for (const Gap& gap : step.gaps) {
        for (const GapPart& part : gap.parts) {
            if (std::ranges::find(kinds, kindOf(part, id)) == kinds.end()) {
                continue;
            }
            if (open.empty() || open.end_ns != part.span.start_ns) {
                close();
                open = part.span;
            }
            open.end_ns = part.span.end_ns;
        }
    }
    close();
}

}  // namespace
}  // namespace finding_places

std::vector<FindingPlace> placesOf(const RunFacts& facts, const Finding& finding, const RunStep& step) {
    std::vector<FindingPlace> places;
    const auto here = [&](RankPosition rank, std::int64_t index) {
        const RankStep* const own = rank < facts.ranks.size() ? facts.stepOf(step, rank) : nullptr;
        return own != nullptr && own->index == index;
    };
    for (const Evidence& evidence : finding.evidence) {
        if (evidence.slice.valid() && here(evidence.rank, evidence.step)) {
            places.push_back({evidence.rank, evidence.slice, {}});
        }
    }
    for (const LateWindow& late : finding.late) {
        if (here(late.rank, late.step)) {
            places.push_back({late.rank, {}, late.span});
        }
    }
    const auto kinds = finding_places::kindsOf(facts, finding);
    const std::size_t ranks = kinds.empty() ? 0 : std::min(finding.ranks.size(), finding_places::kMostRanks);
    for (std::size_t r = 0; r < ranks; ++r) {
        const RankPosition rank = finding.ranks[r];
        if (const RankStep* const own = rank < facts.ranks.size() ? facts.stepOf(step, rank) : nullptr) {
            finding_places::addBlocked(*own, rank, kinds, finding.id, places);
        }
    }
    return places;
}

std::optional<RunStepPosition> stepToShow(const RunFacts& facts, const Finding& finding) {
    const auto typical = typicalRunStep(facts);
    if (typical && !placesOf(facts, finding, facts.steps[*typical]).empty()) {
        return typical;
    }
    std::optional<RunStepPosition> best;
    const auto proves = [&](const RunStep& step) {
        return std::ranges::any_of(finding.evidence, [&](const Evidence& evidence) {
            const RankStep* const own =
                evidence.rank < facts.ranks.size() ? facts.stepOf(step, evidence.rank) : nullptr;
            return own != nullptr && own->index == evidence.step;
        });
    };
    for (RunStepPosition s{0}; s < facts.steps.size(); ++s) {
        if (proves(facts.steps[s]) && (!best || isMoreTypical(facts, facts.steps[s], facts.steps[*best]))) {
            best = s;
        }
    }
    return best ? best : typical;
}

}  // namespace rankscope
