// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <string>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace trace_health {
namespace {

/// Defects found so far.
struct Defects {
    std::vector<std::string> sentences;
    std::vector<RankPosition> ranks;  ///< ascending
    std::vector<Evidence> evidence;
    bool bad_files = false;  ///< a file's content differs from what the profiler saw
    bool lost = false;       ///< records are missing or disagree, as at the ends of a window
    bool partial = false;    ///< steps are not recorded on all ranks

    void add(RankPosition rank, std::string sentence) {
        sentences.push_back(std::move(sentence));
        if (ranks.empty() || ranks.back() != rank) {
            ranks.push_back(rank);
        }
    }
};

std::string nameOf(const RankTrace& rank, RankPosition id) {
    std::string name = rankLabel(rank, id);
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    return name;
}

/// Adds what could not be read from the files.
void addUnread(const RuleContext& context, RankPosition id, Defects& defects) {
    const RankTrace& rank = *context.run.ranks[id];
    const Health& health = rank.health;
    defects.bad_files = defects.bad_files || health.ranks_mixed || health.truncated || health.skipped > 0;
    if (health.ranks_mixed) {
        defects.add(id, context.sentences.fill("trace-health.mixed", {{"who", nameOf(rank, id)}}));
    }
    if (health.truncated) {
        defects.add(id, context.sentences.fill("trace-health.truncated", {{"who", nameOf(rank, id)}}));
    }
    if (health.skipped > 0) {
        defects.add(id, context.sentences.fill("trace-health.skipped",
                                               {{"who", nameOf(rank, id)},
                                                {"skipped", formatCount(health.skipped)},
                                                {"events", formatCount(health.skipped + health.events)}}));
    }
}

/// Adds kernels that start before their launch: the clocks of host and device disagree, so gaps and causes are wrong
/// too.
void addEarlyKernels(const RuleContext& context, RankPosition id, Defects& defects) {
    const RankContext& work = context.work[id];
    std::size_t early = 0;
    const DeviceEvent* worst = nullptr;
    for (const DeviceEvent& event : work.device.events) {
        if (event.launch.valid() && event.span.start_ns < event.call.start_ns) {
            ++early;
            const bool worse = worst == nullptr ||
                               event.call.start_ns - event.span.start_ns > worst->call.start_ns - worst->span.start_ns;
            worst = worse ? &event : worst;
        }
    }
    if (!isSystematic(early, work.device.events.size())) {
        return;
    }
    defects.lost = true;
    const DurationNs by_ns = worst->call.start_ns - worst->span.start_ns;
    defects.add(id, context.sentences.fill("trace-health.early", {{"who", nameOf(*work.trace, id)},
                                                                  {"early", formatCount(early)},
                                                                  {"work", formatCount(work.device.events.size())},
                                                                  {"by", formatDuration(by_ns)}}));
    if (!context.facts.ranks[id].steps.empty()) {
        defects.evidence.push_back({id, context.facts.ranks[id].steps.front().index, worst->ref,
                                    "starts " + formatDuration(by_ns) + " before its launch"});
    }
}

/// Adds launches without a device record, if there are more than the end of a window explains.
void addLostKernels(const RuleContext& context, RankPosition id, Defects& defects) {
    const RankContext& work = context.work[id];
    std::size_t launches = 0;
    std::size_t lost = 0;
    SliceRef first;
    for (const HostThread& thread : work.threads.all()) {
        launches += thread.launches.size();
        lost += thread.unlinked.size();
        if (!first.valid() && !thread.unlinked.empty()) {
            first = {thread.track, thread.unlinked.front()};
        }
    }
    if (context.facts.ranks[id].device < 0 || !isSystematic(lost, launches)) {
        return;
    }
    defects.lost = true;
    defects.add(id, context.sentences.fill("trace-health.lost", {{"who", nameOf(*work.trace, id)},
                                                                 {"lost", formatCount(lost)},
                                                                 {"launches", formatCount(launches)}}));
    if (!context.facts.ranks[id].steps.empty()) {
        defects.evidence.push_back({id, context.facts.ranks[id].steps.front().index, first, "has no GPU record"});
    }
}

/// A single file of a run with many ranks is common: the list of what cannot be determined covers it.
bool lacksRanks(const Run& run) {
    return run.ranks.size() > 1 && !run.missing_ranks.empty();
}

/// "Ranks 5 and 7", or "1,900 ranks" if the run does not list them all.
std::string missingText(const Run& run) {
    if (run.missing_ranks.size() < run.missing()) {
        return countText(run.missing(), "rank");
    }
    std::vector<std::int64_t> numbers;
    for (const RankNumber rank : run.missing_ranks) {
        numbers.push_back(rank.value);
    }
    return formatNumbered("Rank", numbers, ListStyle::Sentence);
}

/// Adds defects of the run as a whole.
void addRunDefects(const RuleContext& context, Defects& defects) {
    const Sentences& say = context.sentences;
    if (!context.run.unreadable.empty()) {
        defects.bad_files = true;
        defects.sentences.push_back(
            say.fill("trace-health.unreadable", {{"files", countText(context.run.unreadable.size(), "file")}}));
    }
    if (lacksRanks(context.run)) {
        const std::size_t missing = context.run.missing();
        const std::size_t world = missing + context.run.ranks.size();
        defects.sentences.push_back(say.fill(missing == 1 ? "trace-health.missing-one" : "trace-health.missing-several",
                                             {{"who", missingText(context.run)}, {"world", countText(world, "rank")}}));
    }
    std::size_t partial = 0;
    for (const RunStep& step : context.facts.steps) {
        partial += std::ranges::any_of(step.by_rank, [](const auto& own) { return !own; }) ? 1U : 0U;
    }
    if (partial > 0) {
        defects.partial = true;
        defects.sentences.push_back(
            say.fill(partial == 1 ? "trace-health.partial-one" : "trace-health.partial-several",
                     {{"partial", std::to_string(partial)}, {"steps", countText(context.facts.steps.size(), "step")}}));
    }
}

/// What the defects mean for prices, with this many incomplete steps.
std::string stepsText(const RuleContext& context, std::size_t incomplete) {
    const Sentences& say = context.sentences;
    if (incomplete == 0) {
        return say.fill(lacksRanks(context.run) ? "trace-health.complete-missing" : "trace-health.complete", {});
    }
    return say.fill(
        incomplete == 1 ? "trace-health.incomplete-one" : "trace-health.incomplete-several",
        {{"incomplete", std::to_string(incomplete)}, {"steps", countText(context.facts.steps.size(), "step")}});
}

/// Which remedies help against them.
std::vector<std::string> helpAgainst(const RuleContext& context, const Defects& defects) {
    constexpr std::ptrdiff_t kEnoughSteps = 3;
    std::vector<std::string> conditions;
    if (lacksRanks(context.run)) {
        conditions.emplace_back("missing-ranks");
    }
    const auto complete = std::ranges::count(context.facts.steps, true, &RunStep::complete);
    if (complete < kEnoughSteps || defects.partial || defects.lost) {
        conditions.emplace_back("few-steps");
    }
    if (defects.bad_files || defects.lost) {
        conditions.emplace_back("bad-files");
    }
    return conditions;
}

}  // namespace
}  // namespace trace_health

void findTraceHealth(const RuleContext& context, Diagnosis& diagnosis) {
    using namespace trace_health;
    Defects defects;
    for (RankPosition r{0}; r < context.run.ranks.size(); ++r) {
        addUnread(context, r, defects);
        addEarlyKernels(context, r, defects);
        addLostKernels(context, r, defects);
    }
    addRunDefects(context, defects);
    if (defects.sentences.empty()) {
        return;
    }
    Finding finding;
    finding.id = FindingId::TraceHealth;
    finding.severity = Severity::Low;
    finding.confidence = Confidence::High;
    finding.why_confidence = {context.sentences.fill("confidence.counted", {})};
    finding.title = context.advice.title(finding.id);
    finding.ranks = defects.ranks;
    for (const std::string& sentence : defects.sentences) {
        finding.why += sentence + " ";
    }
    for (const RunStep& step : context.facts.steps) {
        if (!step.complete) {
            finding.steps.push_back(step.index);
        }
    }
    finding.why += stepsText(context, finding.steps.size());
    finding.remedies = context.advice.remedies(finding.id, helpAgainst(context, defects));
    constexpr std::size_t kMostEvidence = 8;
    defects.evidence.resize(std::min(defects.evidence.size(), kMostEvidence));
    finding.evidence = std::move(defects.evidence);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
