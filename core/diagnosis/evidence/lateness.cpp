// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/lateness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "core/analysis/collectives/segment_times.h"
#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/format_factor.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/baseline_work.h"
#include "core/diagnosis/evidence/evidence.h"

namespace rankscope {
namespace {

constexpr std::size_t kCauses = 10;
/// If a rank has more kernels than the others by this factor, it has more work, not slower work.
constexpr double kMoreKernels = 1.02;

/// The parts of segment time, by LateBecause, with all kernels under SlowerKernels.
struct SegmentTimeParts {
    std::array<DurationNs, kCauses> ns{};
    std::size_t kernels = 0;
    [[nodiscard]] DurationNs& operator[](LateBecause b) { return ns[static_cast<std::size_t>(b)]; }
};

LateBecause becauseOf(Cause cause) {
    switch (cause) {
        case Cause::DataLoader: return LateBecause::DataLoader;
        case Cause::HostSync: return LateBecause::HostSync;
        case Cause::BlockingCopy: return LateBecause::BlockingCopy;
        case Cause::Allocator: return LateBecause::Allocator;
        case Cause::DeviceShared: return LateBecause::DeviceShared;
        case Cause::LateAnswer: return LateBecause::LateAnswer;
        default: return LateBecause::Host;
    }
}

void addIdleParts(const RankFacts& rank, const TimeSpan& window, SegmentTimeParts& parts) {
    const auto end_of = [](const auto& at) { return at.span.end_ns; };
    auto step = std::ranges::upper_bound(rank.steps, window.start_ns, {}, end_of);
    for (; step != rank.steps.end() && step->span.start_ns < window.end_ns; ++step) {
        auto gap = std::ranges::upper_bound(step->gaps, window.start_ns, {}, end_of);
        for (; gap != step->gaps.end() && gap->span.start_ns < window.end_ns; ++gap) {
            for (const GapPart& part : gap->parts) {
                parts[becauseOf(part.cause)] += intersect(part.span, window).length();
            }
        }
    }
}

std::size_t kernelsIn(const DeviceWork& work, const TimeSpan& window) {
    const auto start_of = [](const DeviceEvent& e) { return e.span.start_ns; };
    const auto first = std::ranges::lower_bound(work.events, window.start_ns, {}, start_of);
    const auto last = std::ranges::lower_bound(work.events, window.end_ns, {}, start_of);
    return static_cast<std::size_t>(
        std::count_if(first, last, [](const DeviceEvent& e) { return e.work == WorkClass::Compute; }));
}

/// Adds what a rank did in one segment.
void addParts(const RuleContext& context, RankPosition rank, const TimeSpan& window, SegmentTimeParts& parts) {
    if (window.empty()) {
        return;
    }
    const RankFacts& facts = context.facts.ranks[rank];
    const IntervalSet compute = facts.compute.clip(window);
    const DurationNs copies_ns = facts.copy.clip(window).subtract(compute).subtract(facts.communication).length();
    parts[LateBecause::SlowerKernels] += compute.length();
    parts[LateBecause::Copies] += copies_ns;
    addIdleParts(facts, window, parts);
    parts.kernels += kernelsIn(context.work[rank].device, window);
}

/// The parts of each rank's segment time in a step.
std::vector<SegmentTimeParts> partsOf(const RuleContext& context, RunStepPosition step) {
    std::vector<SegmentTimeParts> parts(context.facts.ranks.size());
    for (const StragglerSegment& segment : context.facts.stragglers.segmentsOf(step)) {
        for (std::size_t i = 0; i < segment.ranks.size(); ++i) {
            addParts(context, segment.ranks[i], segment.window[i], parts[segment.ranks[i]]);
        }
    }
    return parts;
}

/// The median of those `peers` that are not `late`, for each part.
SegmentTimeParts baselineParts(const std::vector<SegmentTimeParts>& ranks, const std::vector<RankPosition>& peers,
                               const std::vector<bool>& late) {
    SegmentTimeParts baseline;
    for (std::size_t cause = 0; cause <= kCauses; ++cause) {
        std::vector<DurationNs> values;
        for (const RankPosition r : peers) {
            if (!late[r]) {
                values.push_back(cause < kCauses ? ranks[r].ns[cause] : static_cast<DurationNs>(ranks[r].kernels));
            }
        }
        const DurationNs median = lowerMedian(std::move(values));
        if (cause < kCauses) {
            baseline.ns[cause] = median;
        } else {
            baseline.kernels = static_cast<std::size_t>(median);
        }
    }
    return baseline;
}

/// The upper limit for a cause of lateness: how much more work of that kind the rank had in the whole step. While the
/// others wait, their CPUs continue; so once a rank is behind, its segments contain all its work, and the others' only
/// the rest. Nothing for causes that are not the rank's own work.
std::optional<DurationNs> boundOf(LateBecause cause, const MoreWork& more) {
    switch (cause) {
        case LateBecause::SlowerKernels:
        case LateBecause::MoreKernels:
        case LateBecause::Copies: return more.device_ns;
        case LateBecause::DataLoader: return more.loader_ns;
        case LateBecause::Host: return more.host_ns;
        default: return std::nullopt;
    }
}

/// The largest part of lateness, by LateBecause.
std::pair<LateBecause, DurationNs> largestPart(const std::array<DurationNs, kCauses>& parts) {
    const auto largest = std::ranges::max_element(parts);
    return {static_cast<LateBecause>(largest - parts.begin()), *largest};
}

}  // namespace

LateCause causeOfLateness(const RuleContext& context, const std::vector<LateStep>& steps) {
    const StragglerFacts& facts = context.facts.stragglers;
    std::array<std::vector<DurationNs>, kCauses> excess;
    std::vector<DurationNs> own;
    double kernels = 0;
    double baseline_kernels = 0;
    double compute_ns = 0;
    double baseline_compute_ns = 0;
    for (const LateStep& step : steps) {
        std::vector<SegmentTimeParts> ranks = partsOf(context, step.step);
        const std::vector<bool> are_late = markRanks(step.ranks, ranks.size());
        std::map<std::uint32_t, SegmentTimeParts> baselines;  // by group of peers
        for (const RankPosition late : step.ranks) {
            const std::uint32_t peers = facts.peers_of[late];
            const auto [at, is_new] = baselines.try_emplace(peers);
            if (is_new) {
                at->second = baselineParts(ranks, facts.peers[peers], are_late);
            }
            SegmentTimeParts& baseline = at->second;
            DurationNs all_ns = 0;
            for (std::size_t cause = 0; cause < kCauses; ++cause) {
                excess[cause].push_back(ranks[late].ns[cause] - baseline.ns[cause]);
                all_ns += excess[cause].back();
            }
            own.push_back(all_ns);
            kernels += static_cast<double>(ranks[late].kernels);
            baseline_kernels += static_cast<double>(baseline.kernels);
            compute_ns += static_cast<double>(ranks[late][LateBecause::SlowerKernels]);
            baseline_compute_ns += static_cast<double>(baseline[LateBecause::SlowerKernels]);
        }
    }
    LateCause cause;
    cause.excess_ns = lowerMedian(std::move(own));
    std::array<DurationNs, kCauses> parts{};
    std::array<DurationNs, kCauses> bound{};
    const MoreWork more = moreWorkIn(context, steps);
    for (std::size_t i = 0; i < kCauses; ++i) {
        parts[i] = lowerMedian(std::move(excess[i]));
        bound[i] = std::min(parts[i], boundOf(static_cast<LateBecause>(i), more).value_or(parts[i]));
    }
    std::tie(cause.because, cause.part_ns) = largestPart(bound);
    // Work before the first segment is in no segment: then whole steps decide.
    if (static_cast<double>(cause.part_ns) < Pricer::kLeastShare * static_cast<double>(context.facts.pricedStep())) {
        std::array<DurationNs, kCauses> whole{};
        whole[static_cast<std::size_t>(LateBecause::SlowerKernels)] = more.device_ns;
        whole[static_cast<std::size_t>(LateBecause::DataLoader)] = more.loader_ns;
        whole[static_cast<std::size_t>(LateBecause::Host)] = more.host_ns;
        std::tie(cause.because, cause.part_ns) = largestPart(std::ranges::max(whole) > 0 ? whole : parts);
    }
    cause.longer = baseline_compute_ns > 0 ? compute_ns / baseline_compute_ns : 1.0;
    if (cause.because == LateBecause::SlowerKernels && kernels > kMoreKernels * baseline_kernels) {
        cause.because = LateBecause::MoreKernels;
    }
    return cause;
}

std::string lateCauseText(const RuleContext& context, const LateCause& cause) {
    const Sentences& say = context.sentences;
    const std::string part = formatDuration(cause.part_ns);
    if (cause.because == LateBecause::Throttling) {
        return say.fill("straggler-rank.because-throttling",
                        {{"longer", formatFactor(cause.same_kernels.value_or(cause.longer), 2)}, {"part", part}});
    }
    if (cause.because == LateBecause::SlowerKernels) {
        return say.fill("straggler-rank.because-slower-kernels",
                        {{"longer", formatFactor(cause.longer, 2)}, {"part", part}});
    }
    return say.fill("straggler-rank.because-" + std::string(lateBecauseName(cause.because)), {{"part", part}});
}

std::vector<RunStepPosition> judgedSteps(const RuleContext& context) {
    std::vector<RunStepPosition> steps;
    for (const StragglerSegment& segment : context.facts.stragglers.segments) {
        const bool known = !steps.empty() && steps.back() == segment.step;
        if (!known && isSteady(context.facts.steps[segment.step])) {
            steps.push_back(segment.step);
        }
    }
    return steps;
}

bool costsEnough(const RuleContext& context, DurationNs saving_ns, double least_share) {
    return saving_ns > 0 &&
           static_cast<double>(saving_ns) >= least_share * static_cast<double>(context.facts.pricedStep());
}

DurationNs longestWait(const RuleContext& context, const std::vector<LateStep>& steps) {
    std::vector<DurationNs> waits;
    for (const LateStep& step : steps) {
        const std::vector<bool> late = markRanks(step.ranks, context.facts.ranks.size());
        std::map<std::uint32_t, DurationNs> wait_ns;  // by group of peers
        for (const StragglerSegment& segment : context.facts.stragglers.segmentsOf(step.step)) {
            DurationNs latest_ns = 0;
            for (std::size_t i = 0; i < segment.ranks.size(); ++i) {
                latest_ns = std::max(latest_ns, late[segment.ranks[i]] ? segment.segment_ns[i] : 0);
            }
            const DurationNs first_ns = std::ranges::min(segment.segment_ns);
            wait_ns[context.facts.stragglers.peers_of[segment.ranks.front()]] +=
                std::max<DurationNs>(0, latest_ns - first_ns);
        }
        const auto longest = std::ranges::max_element(wait_ns, {}, [](const auto& one) { return one.second; });
        waits.push_back(longest == wait_ns.end() ? 0 : longest->second);
    }
    return lowerMedian(std::move(waits));
}

namespace {

/// The segment times of late ranks that exceeded the median rank's.
std::vector<LateWindow> lateWindows(const StragglerFacts& facts, const std::vector<RunStep>& run_steps,
                                    const std::vector<LateStep>& steps) {
    std::vector<LateWindow> windows;
    for (const LateStep& late : steps) {
        const std::vector<bool> are_late = markRanks(late.ranks, facts.ranks.size());
        for (const StragglerSegment& segment : facts.segmentsOf(late.step)) {
            const DurationNs median_ns = lowerMedian(segment.segment_ns);
            for (std::size_t i = 0; i < segment.ranks.size(); ++i) {
                if (are_late[segment.ranks[i]] && segment.segment_ns[i] > median_ns && !segment.window[i].empty()) {
                    windows.push_back({segment.ranks[i], run_steps[late.step].index, segment.window[i]});
                }
            }
        }
    }
    std::ranges::sort(windows, {}, [](const LateWindow& w) { return std::pair(w.rank, w.span.start_ns); });
    return windows;
}

}  // namespace

namespace {

/// The steps and ranks of the finding: the late ranks, and those that wait.
void addPlaces(const RuleContext& context, const std::vector<LateStep>& steps, Finding& finding) {
    std::vector<bool> late(context.facts.ranks.size(), false);
    for (const LateStep& step : steps) {
        finding.steps.push_back(context.facts.steps[step.step].index);
        for (const RankPosition rank : step.ranks) {
            late[rank] = true;
        }
    }
    for (RankPosition r{0}; r < late.size(); ++r) {
        (late[r] ? finding.ranks : finding.paying_ranks).push_back(r);
    }
}

/// Whether one of them is a stage of a pipeline that is not simulated: then it is unknown what its other stages would
/// still wait for without the lateness.
bool isOfUnplayedPipeline(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    return std::ranges::any_of(context.facts.pipeline.pipelines, [&](const Pipeline& pipeline) {
        return !pipeline.forecast && std::ranges::any_of(ranks, [&](RankPosition rank) {
            return std::ranges::find(pipeline.ranks, rank) != pipeline.ranks.end();
        });
    });
}

/// Which remedies fit: if the job is known not to divide data, ranks with more work have more of the model.
std::string conditionOf(const RuleContext& context, const FindingCause& cause) {
    const JobGrid& grid = context.facts.parallelism.grid;
    const auto* const because = std::get_if<LateBecause>(&cause);
    const bool more = because != nullptr && *because == LateBecause::MoreKernels;
    const bool divides_data = !grid.complete || grid.sizeOf(Role::Data) > 1 || grid.sizeOf(Role::Shard) > 1;
    return more && !divides_data ? "more-kernels-of-model" : std::string(findingCauseName(cause));
}

/// The confidence in the price of late ranks, and the reasons.
void judgeConfidence(const RuleContext& context, const LateRanks& late, Finding& finding) {
    constexpr std::size_t kEnough = 3;
    const Sentences& say = context.sentences;
    const std::size_t judged = late.savings.size();
    const bool few = judged < kEnough;
    const bool always = 4 * late.steps.size() >= 3 * judged;
    std::vector<std::string>& why = finding.why_confidence;
    if (few) {
        why.push_back(say.fill("confidence.few-judged", {{"judged", countText(judged, "step")}}));
    }
    if (!always) {
        why.push_back(say.fill("confidence.not-always",
                               {{"late", std::to_string(late.steps.size())}, {"judged", countText(judged, "step")}}));
    }
    if (!context.pricer.coupled()) {
        why.push_back(say.fill("confidence.ranks-alone", {}));
    }
    const bool unplayed = isOfUnplayedPipeline(context, finding.ranks);
    if (unplayed) {
        why.push_back(say.fill("confidence.unplayed-pipeline", {}));
    }
    finding.confidence = few || unplayed ? Confidence::Low : why.empty() ? Confidence::High : Confidence::Medium;
    if (why.empty()) {
        why.push_back(say.fill("confidence.sure-late",
                               {{"late", std::to_string(late.steps.size())}, {"judged", countText(judged, "step")}}));
    }
}

/// The most that the lateness can cost per step: the segment saving, plus the time by which the others' own work is
/// shorter when no collective waits; `relieved_ns` starts with the steps of late.steps.
DurationNs mostOf(const RuleContext& context, const LateRanks& late, const std::vector<DurationNs>& relieved_ns) {
    std::vector<DurationNs> most = late.savings;
    const std::vector<RunStepPosition> judged = judgedSteps(context);
    for (std::size_t i = 0; i < late.steps.size(); ++i) {
        const auto at = std::ranges::lower_bound(judged, late.steps[i].step);
        most[static_cast<std::size_t>(at - judged.begin())] += relieved_ns[i];
    }
    return typicalOf(context.facts.basis, most);
}

}  // namespace

void judgeLateness(const RuleContext& context, const LateRanks& late, Diagnosis& diagnosis) {
    Finding finding;
    finding.id = late.id;
    addPlaces(context, late.steps, finding);
    const auto step_ns = static_cast<double>(context.facts.pricedStep());
    const auto least_ns = static_cast<DurationNs>(std::ceil(kLeastLateness * step_ns));
    std::vector<LateStep> replayed = late.steps;
    replayed.insert(replayed.end(), late.hidden.begin(), late.hidden.end());
    const BaselineWork baseline = baselineWorkOn(context, replayed);
    const DurationNs alone_ns = std::clamp<DurationNs>(context.pricer.coupledSaving(baseline.change), 0,
                                                       mostOf(context, late, baseline.relieved_ns));
    const std::optional<LatenessPrice> price =
        context.attribution.priceLateness(late.id, finding.ranks, baseline.change, alone_ns, least_ns);
    if (!price) {
        return;
    }
    finding.saving_ns = price->saving_ns;
    finding.overlap = price->overlap;
    finding.share = static_cast<double>(finding.saving_ns) / step_ns;
    finding.coverage = context.pricer.coverage();
    finding.blocked_ns = longestWait(context, late.steps);
    judgeConfidence(context, late, finding);
    finding.cause = late.cause.because;
    finding.title = context.advice.title(finding.id);
    finding.remedies = context.advice.remedies(finding.id, {conditionOf(context, finding.cause)});
    finding.evidence = evidenceOfLateness(context, late.steps, late.cause.because);
    finding.late = lateWindows(context.facts.stragglers, context.facts.steps, late.steps);
    late.explain(late, finding);
    if (const double slowdown = context.pricer.model().slowdown; slowdown > 1.0) {
        finding.why += context.sentences.fill("straggler-rank.slowdown", {{"slower", formatPercent(slowdown - 1)}});
    }
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
