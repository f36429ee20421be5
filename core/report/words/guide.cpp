// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/words/guide.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <span>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

/// The step of the tour.
struct Walk {
    const AnalysedRun& run;
    RankPosition rank;
    const RankStep& step;
    RankStepPosition position;
    DurationNs of_run_ns = 0;  // length of the run's step
};

std::string rankText(const Walk& walk, RankPosition rank) {
    return rankLabel(*walk.run.run->ranks[rank], rank);
}

std::string ofStep(const Walk& walk, DurationNs ns) {
    return fmt::format("{} ({})", formatDuration(ns),
                       formatPercent(static_cast<double>(ns) / static_cast<double>(walk.step.span.length())));
}

std::string remedyOf(const Finding& finding) {
    return fmt::format("\"{}\": {}", finding.title, finding.remedies.front().action);
}

/// The first remedy of the most expensive finding for which `fits` is true; empty if there is none.
template <class Fits>
std::string firstRemedyThat(const Walk& walk, const Fits& fits) {
    for (const Finding& finding : walk.run.diagnosis.findings) {
        if (!finding.remedies.empty() && fits(finding)) {
            return remedyOf(finding);
        }
    }
    return {};
}

bool isAmong(const Finding& finding, std::span<const FindingId> ids) {
    return std::ranges::find(ids, finding.id) != ids.end();
}

std::string firstRemedy(const Walk& walk, std::initializer_list<FindingId> ids) {
    return firstRemedyThat(walk, [&](const Finding& finding) { return isAmong(finding, ids); });
}

/// Whether the finding was seen in the step, and this rank has to change.
bool isAbout(const Walk& walk, const Finding& finding, RankPosition rank) {
    const bool in_step =
        finding.steps.empty() || std::ranges::find(finding.steps, walk.step.index) != finding.steps.end();
    return in_step && std::ranges::find(finding.ranks, rank) != finding.ranks.end();
}

/// The findings that own idle time of this cause.
std::vector<FindingId> findingsOf(Cause cause) {
    switch (cause) {
        case Cause::DataLoader: return {FindingId::DataloaderStall};
        case Cause::HostSync: return {FindingId::HostSync};
        case Cause::BlockingCopy: return {FindingId::UnpinnedMemcpy};
        case Cause::Allocator: return {FindingId::AllocatorStall};
        case Cause::Launch:
        case Cause::LaunchLatency:
        case Cause::Operator:
        case Cause::Python: return {FindingId::HostCode, FindingId::LaunchBound};
        case Cause::HostStall: return {FindingId::HostStall};
        case Cause::Unrecorded: return {FindingId::HostCode, FindingId::LaunchBound, FindingId::UnexplainedIdle};
        case Cause::Queued:
        case Cause::InsideGraph: return {FindingId::UnexplainedIdle};
        case Cause::KernelToKernel: return {FindingId::LaunchBound};
        case Cause::DeviceShared: return {FindingId::DeviceShared};
        case Cause::LateAnswer: return {FindingId::LateAnswer};
        case Cause::WarmUp: return {FindingId::WarmUp};
        case Cause::OtherRank: return {};  // it has no gap of its own
    }
    return {};
}

/// Findings that make a rank arrive later than others.
constexpr auto kMakesLate = std::to_array<FindingId>(
    {FindingId::DataloaderStall, FindingId::UnpinnedMemcpy, FindingId::HostSync, FindingId::AllocatorStall,
     FindingId::HostStall, FindingId::HostCode, FindingId::LaunchBound, FindingId::DeviceShared, FindingId::LateAnswer,
     FindingId::ExpertImbalance, FindingId::StageImbalance, FindingId::StepSpikes});
/// Findings that name ranks that are late in most steps.
constexpr auto kSaysWhoIsLate =
    std::to_array<FindingId>({FindingId::StragglerRank, FindingId::MovingStraggler, FindingId::ShardGatherLate});
constexpr double kWorthWaiting = 0.01;  // as a share of the step: the smallest share of a finding

GuideStop wholeStep(const Walk& walk) {
    return {"What does one step look like?",
            fmt::format("Step {} takes {}; the {} step takes {}. It is shown on {}, the last rank to be ready.",
                        walk.step.index, formatDuration(walk.of_run_ns), stepBasisName(walk.run.facts.basis),
                        formatDuration(walk.run.facts.pricedStep()), rankText(walk, walk.rank)),
            "If steps differ much, no single one is typical: then compare a long one with a short one.",
            "The step time distribution shows how far they vary.",
            walk.rank,
            walk.step.span,
            {}};
}

GuideStop density(const Walk& walk) {
    const Partition& part = *walk.step.partition;
    const std::string remedy = firstRemedyThat(
        walk, [&](const Finding& finding) { return finding.saving_ns > 0 && isAbout(walk, finding, walk.rank); });
    const std::string bound = fmt::format("The whole run: {}.", walk.run.diagnosis.headline.title);
    return {
        "Is the GPU busy, or full of gaps?",
        fmt::format("The step takes {} on {}. The GPU computes for {}, transfers or waits for other ranks for {}, "
                    "copies for {} and is idle for {}.",
                    formatDuration(walk.step.span.length()), rankText(walk, walk.rank), ofStep(walk, part.compute_ns),
                    ofStep(walk, part.exposed_comm_ns), ofStep(walk, part.exposed_copy_ns), ofStep(walk, part.idle_ns)),
        "A busy GPU runs kernels without gaps: then only faster or fewer kernels make a step shorter. In amber gaps it "
        "waits for the CPU, in pink bands for other ranks.",
        remedy.empty() ? bound : bound + " " + remedy,
        walk.rank,
        walk.step.span,
        {}};
}

/// The largest part of a gap.
const GapPart& mostOf(const Gap& gap) {
    return *std::ranges::max_element(gap.parts, {}, [](const GapPart& part) { return part.span.length(); });
}

GuideStop longestGap(const Walk& walk) {
    GuideStop stop{"What did the CPU do in the longest gap?",
                   "The GPU has no gap in this step.",
                   "If the CPU is ahead of the GPU, work is always queued. Then gaps are short, and only where a "
                   "stream waits for another.",
                   {},
                   walk.rank,
                   walk.step.span,
                   {}};
    const auto gap = std::ranges::max_element(walk.step.gaps, {}, [](const Gap& g) { return g.span.length(); });
    if (gap == walk.step.gaps.end() || gap->parts.empty()) {
        return stop;
    }
    const GapPart& part = mostOf(*gap);
    const std::string what = part.label.empty() ? std::string() : fmt::format(" ({})", part.label);
    stop.seen =
        fmt::format("The GPU is idle for {}. For {} of it the cause is: {}{}.", formatDuration(gap->span.length()),
                    formatDuration(part.span.length()), causeTitle(part.cause), what);
    const std::vector<FindingId> owners = findingsOf(part.cause);
    stop.next = firstRemedyThat(
        walk, [&](const Finding& finding) { return isAmong(finding, owners) && isAbout(walk, finding, walk.rank); });
    stop.span = gap->span;
    stop.slice = part.evidence.empty() ? SliceRef() : part.evidence.front();
    return stop;
}

/// A collective in the step, and the rank's member in it.
struct Part {
    const Collective* collective = nullptr;
    const CollectiveMember* member = nullptr;
};

/// The member of the rank with the largest `value`, among the collectives that end in the step.
template <class Value>
Part greatestIn(const Walk& walk, const Value& value) {
    Part greatest;
    DurationNs most_ns = -1;
    for (const Collective& collective : walk.run.facts.collectives.collectives) {
        const CollectiveMember* const member = collective.memberOf(walk.rank);
        if (member == nullptr || !walk.step.span.contains(member->span.end_ns - 1)) {
            continue;
        }
        if (const DurationNs ns = value(collective, *member); ns > most_ns) {
            most_ns = ns;
            greatest = {&collective, member};
        }
    }
    return greatest;
}

GuideStop overlap(const Walk& walk) {
    const Partition& part = *walk.step.partition;
    GuideStop stop{
        "Is communication overlapped with compute?",
        "No communication runs in this step.",
        "All-reduces that overlap with the backward have a green band below their stream. In a pink band nothing "
        "computes, so it makes the step longer.",
        firstRemedy(walk, {FindingId::ExposedCommunication, FindingId::BucketSize, FindingId::SlowCollective}),
        walk.rank,
        walk.step.span,
        {}};
    if (part.comm_ns <= 0) {
        return stop;
    }
    stop.seen =
        fmt::format("Of {} of communication, {} overlap with compute ({}); {} of the step are exposed communication.",
                    formatDuration(part.comm_ns), formatDuration(part.overlap_ns),
                    formatPercent(static_cast<double>(part.overlap_ns) / static_cast<double>(part.comm_ns)),
                    formatDuration(part.exposed_comm_ns));
    const Part longest =
        greatestIn(walk, [](const Collective&, const CollectiveMember& member) { return member.span.length(); });
    if (longest.member != nullptr && !longest.member->slices.empty()) {
        stop.slice = longest.member->slices.front();
        stop.span = longest.member->span;
    }
    return stop;
}

GuideStop boundary(const Walk& walk) {
    GuideStop stop{"Do the ranks arrive at a collective together?",
                   "Only one rank: no other to wait for.",
                   "Ranks that arrive together start within some microseconds of each other. If one is late, its "
                   "kernel of the collective is short, and the others' are long: they wait in it.",
                   {},
                   walk.rank,
                   walk.step.span,
                   {}};
    if (walk.run.run->ranks.size() < 2) {
        return stop;
    }
    // How much longer the first to arrive is in it than the last.
    const auto spread = [](const Collective& collective, const CollectiveMember&) {
        const auto [least, most] = std::ranges::minmax(
            collective.members, {}, [](const CollectiveMember& member) { return member.span.length(); });
        return most.span.length() - least.span.length();
    };
    const Part widest = greatestIn(walk, spread);
    if (widest.collective == nullptr || widest.collective->members.size() < 2) {
        stop.seen = "No collective of this step could be matched across ranks, so it is not known who waits for whom.";
        return stop;
    }
    const auto length = [](const CollectiveMember& member) { return member.span.length(); };
    const auto first = std::ranges::max_element(widest.collective->members, {}, length);
    const auto last = std::ranges::min_element(widest.collective->members, {}, length);
    stop.seen = fmt::format(
        "In {}, where they differ most in this step, {} stays for {} and {} for {}: the difference is waiting.",
        widest.collective->name, rankText(walk, first->rank), formatDuration(length(*first)),
        rankText(walk, last->rank), formatDuration(length(*last)));
    const DurationNs waited_ns = length(*first) - length(*last);
    if (static_cast<double>(waited_ns) >= kWorthWaiting * static_cast<double>(walk.step.span.length())) {
        // A rank that is late in most steps is more important than other causes in this one.
        stop.next = firstRemedyThat(walk, [&](const Finding& finding) {
            return isAmong(finding, kSaysWhoIsLate) &&
                   std::ranges::find(finding.ranks, last->rank) != finding.ranks.end();
        });
        if (stop.next.empty()) {
            stop.next = firstRemedyThat(walk, [&](const Finding& finding) {
                return isAmong(finding, kMakesLate) && isAbout(walk, finding, last->rank);
            });
        }
    }
    stop.rank = first->rank;
    stop.span = first->span;
    stop.slice = first->slices.empty() ? SliceRef() : first->slices.front();
    return stop;
}

GuideStop loading(const Walk& walk) {
    GuideStop stop{"Does the DataLoader take most of the CPU's time?",
                   std::string(phaseUnknownReason(Phase::Data)),
                   "With batches ready, the DataLoader's __next__ takes some hundred microseconds, and forward and "
                   "backward take most of the CPU's time.",
                   firstRemedy(walk, {FindingId::DataloaderStall}),
                   walk.rank,
                   walk.step.host.empty() ? walk.step.span : walk.step.host,
                   walk.step.mark};
    const RankFacts& facts = walk.run.facts.ranks[walk.rank];
    if (!facts.phases.told[Phase::Data] || walk.position >= facts.phases.steps.size()) {
        return stop;
    }
    const ByPhase<PhaseTime>& times = facts.phases.steps[walk.position];
    stop.seen = fmt::format("Of {} of the CPU's step the DataLoader takes {}", formatDuration(walk.step.host.length()),
                            formatDuration(times[Phase::Data].host_ns));
    for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Optimizer}) {
        if (facts.phases.told[phase]) {
            stop.seen += fmt::format(", the {} {}", phaseName(phase), formatDuration(times[phase].host_ns));
        }
    }
    stop.seen += ".";
    return stop;
}

/// The run's typical step, on the rank that set its pace.
std::optional<Walk> walkOf(const AnalysedRun& run) {
    const RunStep* typical = nullptr;
    const auto distance = [&run](const RunStep& step) { return std::abs(step.duration_ns - run.facts.pricedStep()); };
    for (const RunStep& step : run.facts.steps) {
        const RankStep* const own = run.facts.stepOf(step, step.critical_rank);
        const bool whole = step.complete && !step.outlier && own != nullptr && own->partition;
        if (whole && (typical == nullptr || distance(step) < distance(*typical))) {
            typical = &step;
        }
    }
    if (typical == nullptr) {
        return std::nullopt;
    }
    const RankStepPosition own = typical->ofCriticalRank();
    const RankPosition rank = typical->critical_rank;
    return Walk{run, rank, run.facts.ranks[rank].steps[own], own, typical->duration_ns};
}

}  // namespace

std::vector<GuideStop> guideOf(const AnalysedRun& run) {
    const std::optional<Walk> walk = walkOf(run);
    if (!walk) {
        return {};
    }
    return {wholeStep(*walk), density(*walk), longestGap(*walk), overlap(*walk), boundary(*walk), loading(*walk)};
}

}  // namespace rankscope::report
