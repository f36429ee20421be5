// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/analysis/collectives/segment_times.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/lateness.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostLateSteps = 8;
constexpr std::size_t kSteps = 3;  // this many are shown

/// The segment of a step in which the late rank lost most, and how much.
struct WorstSegment {
    const StragglerSegment* segment = nullptr;
    RankPosition late;   ///< the last rank to arrive
    RankPosition first;  ///< the first rank to arrive
    DurationNs wait_ns = 0;
};

WorstSegment worstSegment(const RuleContext& context, const LateStep& step) {
    WorstSegment worst;
    const std::vector<bool> late = markRanks(step.ranks, context.facts.ranks.size());
    for (const StragglerSegment& segment : context.facts.stragglers.segmentsOf(step.step)) {
        const auto first = std::ranges::min_element(segment.segment_ns) - segment.segment_ns.begin();
        for (std::size_t i = 0; i < segment.ranks.size(); ++i) {
            const DurationNs wait_ns = segment.segment_ns[i] - segment.segment_ns[static_cast<std::size_t>(first)];
            if (late[segment.ranks[i]] && (worst.segment == nullptr || wait_ns > worst.wait_ns)) {
                worst = {&segment, segment.ranks[i], segment.ranks[static_cast<std::size_t>(first)], wait_ns};
            }
        }
    }
    return worst;
}

bool isHostCause(LateBecause cause) {
    return cause != LateBecause::SlowerKernels && cause != LateBecause::MoreKernels && cause != LateBecause::Copies &&
           cause != LateBecause::Throttling;
}

/// The slice that best shows what the late rank did: the longest part of a gap, or the longest kernel.
SliceRef tellingSlice(const RuleContext& context, const WorstSegment& worst, LateBecause cause) {
    const TimeSpan window = worst.segment->windowOf(worst.late);
    DurationNs longest_ns = 0;
    SliceRef telling;
    if (isHostCause(cause)) {
        for (const RankStep& step : context.facts.ranks[worst.late].steps) {
            for (const Gap& gap : step.gaps) {
                for (const GapPart& part : gap.parts) {
                    const DurationNs ns = intersect(part.span, window).length();
                    if (ns > longest_ns && !part.evidence.empty()) {
                        longest_ns = ns;
                        telling = part.evidence.front();
                    }
                }
            }
        }
        return telling;
    }
    for (const DeviceEvent& event : context.work[worst.late].device.events) {
        if (event.span.start_ns >= window.start_ns && event.span.end_ns <= window.end_ns &&
            event.span.length() > longest_ns) {
            longest_ns = event.span.length();
            telling = event.ref;
        }
    }
    return telling;
}

SliceRef partIn(const Collective& collective, RankPosition rank) {
    const CollectiveMember* const member = collective.memberOf(rank);
    return member == nullptr || member->slices.empty() ? SliceRef() : member->slices.front();
}

}  // namespace

std::vector<Evidence> evidenceOfLateness(const RuleContext& context, const std::vector<LateStep>& steps,
                                         LateBecause cause) {
    std::vector<std::pair<WorstSegment, std::int64_t>> worst;
    worst.reserve(steps.size());
    for (const LateStep& step : steps) {
        worst.emplace_back(worstSegment(context, step), context.facts.steps[step.step].index);
    }
    std::ranges::stable_sort(worst, [](const auto& a, const auto& b) { return a.first.wait_ns > b.first.wait_ns; });
    worst.resize(std::min(worst.size(), kSteps));
    std::vector<Evidence> evidence;
    const auto add = [&](RankPosition rank, std::int64_t step, SliceRef slice, std::string note) {
        if (slice.valid() && evidence.size() < kMostLateSteps) {
            evidence.push_back({rank, step, slice, std::move(note)});
        }
    };
    for (const auto& [segment, step] : worst) {
        if (segment.segment == nullptr) {
            continue;
        }
        const Collective& collective = context.facts.collectives.collectives[segment.segment->collective];
        add(segment.first, step, partIn(collective, segment.first),
            "is ready " + formatDuration(segment.wait_ns) + " before the last rank");
        add(segment.late, step, partIn(collective, segment.late), "arrives last here");
        add(segment.late, step, tellingSlice(context, segment, cause),
            "is the longest thing the late rank did before that");
    }
    return evidence;
}

}  // namespace rankscope
