// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/baseline_work.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "core/analysis/collectives/segment_times.h"
#include "core/analysis/replay/contention.h"
#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// What one rank did in one step.
struct Work {
    DurationNs device_ns = 0;  ///< all device work except communication
    DurationNs loader_ns = 0;  ///< CPU time in the DataLoader
    DurationNs host_ns = 0;    ///< CPU time outside the DataLoader and outside waits for the GPU
    DurationNs relief_ns = 0;  ///< the part of device_ns that is due to collectives waiting at the same time
};
using WorkOfSteps = std::vector<Work>;  // as RankFacts::steps

/// How much of the spans is inside each of the steps' marks; both are sorted and disjoint.
template <class Spans, class SpanOf>
std::vector<DurationNs> timeInMarks(const std::vector<TimeSpan>& marks, const Spans& spans, SpanOf span_of) {
    std::vector<DurationNs> result(marks.size());
    std::size_t first = 0;
    for (std::size_t s = 0; s < marks.size(); ++s) {
        while (first < spans.size() && span_of(spans[first]).end_ns <= marks[s].start_ns) {
            ++first;
        }
        for (std::size_t i = first; i < spans.size() && span_of(spans[i]).start_ns < marks[s].end_ns; ++i) {
            result[s] += intersect(span_of(spans[i]), marks[s]).length();
        }
    }
    return result;
}

WorkOfSteps workOf(const ReplayModel& model) {
    WorkOfSteps work(model.hosts.size());
    const auto loaders = timeInMarks(model.hosts, model.loaders, [](const TimeSpan& span) { return span; });
    const auto waits = timeInMarks(model.hosts, model.waits, [](const ReplayWait& wait) { return wait.call; });
    for (std::size_t s = 0; s < work.size(); ++s) {
        work[s].loader_ns = loaders[s];
        work[s].host_ns = model.hosts[s].length() - loaders[s] - waits[s];
    }
    for (const ReplayEvent& event : model.events) {
        if (const auto step = event.slot.step(); step && !event.communication) {
            work[*step].device_ns += event.span.length();
        }
    }
    return work;
}

/// The median work, per step, of those `peers` that are not late, without the slowdown by waiting collectives; nothing
/// if none of them has the step.
std::optional<Work> medianWorkOf(const std::vector<WorkOfSteps>& ranks, const std::vector<RankPosition>& peers,
                                 const RunStep& step, const std::vector<bool>& late) {
    std::vector<DurationNs> device;
    std::vector<DurationNs> loader;
    std::vector<DurationNs> host;
    std::vector<DurationNs> relief;
    for (const RankPosition r : peers) {
        const std::optional<RankStepPosition> own = step.of(r);
        if (own && !late[r]) {
            const Work& work = ranks[r][*own];
            device.push_back(work.device_ns - work.relief_ns);
            loader.push_back(work.loader_ns);
            host.push_back(work.host_ns);
            relief.push_back(work.relief_ns);
        }
    }
    if (device.empty()) {
        return std::nullopt;
    }
    return Work{lowerMedian(std::move(device)), lowerMedian(std::move(loader)), lowerMedian(std::move(host)),
                lowerMedian(std::move(relief))};
}

double ratio(DurationNs median_ns, DurationNs own_ns) {
    return own_ns > median_ns && own_ns > 0 ? static_cast<double>(median_ns) / static_cast<double>(own_ns) : 1.0;
}

DurationNs scaled(DurationNs ns, double factor) {
    return static_cast<DurationNs>(factor * static_cast<double>(ns));
}

/// Shrinks the host time of one step: DataLoader waits by one factor, the time between them by another.
void shrinkHost(const ReplayModel& model, const TimeSpan& mark, double loader, double host, ReplayChange& change) {
    const auto add = [&](const TimeSpan& span, double factor) {
        if (!span.empty() && factor < 1.0) {
            const std::vector<ReplayWait>& waits = model.waits;
            DurationNs work_ns = span.length();
            auto wait = std::ranges::lower_bound(waits, span.start_ns, {}, [](const auto& w) { return w.call.end_ns; });
            for (; wait != waits.end() && wait->call.start_ns < span.end_ns; ++wait) {
                work_ns -= intersect(wait->call, span).length();
            }
            change.host.push_back({span, scaled(work_ns, factor)});
        }
    };
    TimeNs at_ns = mark.start_ns;
    for (const TimeSpan& wait : model.loaders) {
        const TimeSpan inside = intersect(wait, mark);
        if (!inside.empty()) {
            add({at_ns, inside.start_ns}, host);
            add(inside, loader);
            at_ns = inside.end_ns;
        }
    }
    add({at_ns, mark.end_ns}, host);
}

std::vector<WorkOfSteps> workOfRanks(const RunReplayModel& model) {
    std::vector<WorkOfSteps> ranks;
    for (RankPosition r{0}; r < model.ranks.size(); ++r) {
        WorkOfSteps& work = ranks.emplace_back(workOf(model.ranks[r]));
        if (model.beside.empty()) {
            continue;
        }
        for (const BesideWaiting& beside : model.beside[r]) {
            if (const auto step = model.ranks[r].events[beside.event].slot.step()) {
                work[*step].relief_ns += slowedBy(model.slowdown, beside.overlap_ns);
            }
        }
    }
    return ranks;
}

/// By how much `work` exceeds `baseline`, separately for each kind of work.
DurationNs excessOver(const Work& baseline, const Work& work) {
    const auto over = [](DurationNs own_ns, DurationNs baseline_ns) {
        return std::max<DurationNs>(0, own_ns - baseline_ns);
    };
    return over(work.device_ns - work.relief_ns, baseline.device_ns) + over(work.loader_ns, baseline.loader_ns) +
           over(work.host_ns, baseline.host_ns);
}

/// The rank whose work exceeds the median of all its peers most in a step, if that is by `least_ns` or more.
std::optional<RankPosition> mostLoaded(const std::vector<WorkOfSteps>& ranks, const StragglerFacts& facts,
                                       const RunStep& step, DurationNs least_ns) {
    std::optional<RankPosition> most;
    const std::vector<bool> nobody(ranks.size(), false);
    for (const std::vector<RankPosition>& peers : facts.peers) {
        const std::optional<Work> baseline = medianWorkOf(ranks, peers, step, nobody);
        for (const RankPosition r : peers) {
            const std::optional<RankStepPosition> own = step.of(r);
            const DurationNs excess_ns = baseline && own ? excessOver(*baseline, ranks[r][*own]) : 0;
            if (excess_ns >= least_ns) {
                most = r;
                least_ns = excess_ns + 1;
            }
        }
    }
    return most;
}

}  // namespace

std::vector<LateStep> hiddenLateness(const RuleContext& context, const std::vector<LateStep>& steps,
                                     DurationNs least_ns) {
    const std::vector<WorkOfSteps> ranks = workOfRanks(context.pricer.model());
    std::vector<LateStep> hidden;
    for (RunStepPosition s{0}; s < context.facts.steps.size(); ++s) {
        const RunStep& step = context.facts.steps[s];
        if (!isSteady(step) || std::ranges::binary_search(steps, s, {}, &LateStep::step)) {
            continue;
        }
        if (const std::optional<RankPosition> most = mostLoaded(ranks, context.facts.stragglers, step, least_ns)) {
            hidden.push_back({s, {*most}});
        }
    }
    return hidden;
}

MoreWork moreWorkIn(const RuleContext& context, const std::vector<LateStep>& steps) {
    const StragglerFacts& facts = context.facts.stragglers;
    const std::vector<WorkOfSteps> ranks = workOfRanks(context.pricer.model());
    std::vector<DurationNs> device;
    std::vector<DurationNs> loader;
    std::vector<DurationNs> host;
    for (const LateStep& late : steps) {
        const RunStep& step = context.facts.steps[late.step];
        const std::vector<bool> are_late = markRanks(late.ranks, ranks.size());
        for (const RankPosition r : late.ranks) {
            const std::optional<RankStepPosition> own = step.of(r);
            const auto baseline = medianWorkOf(ranks, facts.peers[facts.peers_of[r]], step, are_late);
            if (own && baseline) {
                const Work& work = ranks[r][*own];
                device.push_back(work.device_ns - work.relief_ns - baseline->device_ns);
                loader.push_back(work.loader_ns - baseline->loader_ns);
                host.push_back(work.host_ns - baseline->host_ns);
            }
        }
    }
    return device.empty()
               ? MoreWork()
               : MoreWork{lowerMedian(std::move(device)), lowerMedian(std::move(loader)), lowerMedian(std::move(host))};
}

BaselineWork baselineWorkOn(const RuleContext& context, const std::vector<LateStep>& steps) {
    const RunReplayModel& model = context.pricer.model();
    const StragglerFacts& facts = context.facts.stragglers;
    const std::vector<WorkOfSteps> ranks = workOfRanks(model);
    struct Factors {
        std::vector<double> device;  // by step of the rank
        ReplayChange change;
    };
    const auto factors = std::make_shared<std::vector<Factors>>(ranks.size());
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        (*factors)[r].device.assign(ranks[r].size(), 1.0);
    }
    BaselineWork out;
    for (const LateStep& late : steps) {
        const RunStep& step = context.facts.steps[late.step];
        const std::vector<bool> are_late = markRanks(late.ranks, ranks.size());
        std::map<std::uint32_t, std::optional<Work>> baselines;  // by group of peers
        for (const RankPosition r : late.ranks) {
            const std::uint32_t peers = facts.peers_of[r];
            if (const auto [at, is_new] = baselines.try_emplace(peers); is_new) {
                at->second = medianWorkOf(ranks, facts.peers[peers], step, are_late);
            }
        }
        DurationNs relief_ns = 0;
        for (const auto& [peers, baseline] : baselines) {
            relief_ns = std::max(relief_ns, baseline ? baseline->relief_ns : 0);
        }
        out.relieved_ns.push_back(relief_ns);
        for (const RankPosition r : late.ranks) {
            // A segment has all its ranks, but the step that it belongs to may not.
            const std::optional<RankStepPosition> own = step.of(r);
            const std::optional<Work>& baseline = baselines.at(facts.peers_of[r]);
            if (!own || !baseline) {
                continue;
            }
            const Work& work = ranks[r][*own];
            (*factors)[r].device[*own] = ratio(baseline->device_ns, work.device_ns - work.relief_ns);
            shrinkHost(model.ranks[r], model.ranks[r].hosts[*own], ratio(baseline->loader_ns, work.loader_ns),
                       ratio(baseline->host_ns, work.host_ns), (*factors)[r].change);
        }
    }
    out.change.of_rank = [factors](RankPosition rank) {
        ReplayChange of_rank = (*factors)[rank].change;
        of_rank.length = [factors, rank](const ReplayEvent& event) {
            const std::optional<RankStepPosition> step = event.slot.step();
            return step && !event.communication ? scaled(event.span.length(), (*factors)[rank].device[*step])
                                                : event.span.length();
        };
        return of_rank;
    };
    return out;
}

}  // namespace rankscope
