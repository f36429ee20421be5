// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/baseline_work.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"
#include "core/diagnosis/contention.h"

namespace rankscope {
namespace {

/// What one rank did in one step.
struct Work {
    DurationNs device_ns = 0;  ///< of all device work but communication
    DurationNs loader_ns = 0;  ///< of the host in the DataLoader
    DurationNs host_ns = 0;    ///< of the host outside of it and of waits for the device
    DurationNs relief_ns = 0;  ///< by so much device_ns is shorter than it was, where no collective waits beside it
};
using WorkOfSteps = std::vector<Work>;  // as RankFacts::steps

/// How much of the spans lies in each of the steps' marks; both are sorted and disjoint.
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

/// Where a rank's work is slowed down, and how much.
struct Slowed {
    double times = 1.0;   ///< as long, beside
    IntervalSet waiting;  ///< collectives that wait

    [[nodiscard]] DurationNs withoutIt(const ReplayEvent& event) const {
        return times > 1.0 && besideWaiting(waiting, event)
                   ? static_cast<DurationNs>(static_cast<double>(event.span.length()) / times)
                   : event.span.length();
    }
};

WorkOfSteps workOf(const ReplayModel& model, const Slowed& slowed = {}) {
    WorkOfSteps work(model.hosts.size());
    const auto loaders = timeInMarks(model.hosts, model.loaders, [](const TimeSpan& span) { return span; });
    const auto waits = timeInMarks(model.hosts, model.waits, [](const ReplayWait& wait) { return wait.call; });
    for (std::size_t s = 0; s < work.size(); ++s) {
        work[s].loader_ns = loaders[s];
        work[s].host_ns = model.hosts[s].length() - loaders[s] - waits[s];
    }
    for (const ReplayEvent& event : model.events) {
        if (const auto step = event.slot.step(); step && !event.communication) {
            const DurationNs ns = slowed.withoutIt(event);
            work[*step].device_ns += ns;
            work[*step].relief_ns += event.span.length() - ns;
        }
    }
    return work;
}

/// What the ranks that are not late took in the median of a step; nothing where none of them has it.
std::optional<Work> medianWorkOf(const std::vector<WorkOfSteps>& ranks, const RunStep& step,
                                 const std::vector<RankPosition>& late) {
    std::vector<DurationNs> device;
    std::vector<DurationNs> loader;
    std::vector<DurationNs> host;
    std::vector<DurationNs> relief;
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        const std::optional<RankStepPosition> own = step.of(r);
        if (own && std::ranges::find(late, r) == late.end()) {
            const Work& work = ranks[r][*own];
            device.push_back(work.device_ns);
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

/// Shrinks the host time of one step: each DataLoader wait and what lies between them by its own factor.
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
    for (const ReplayModel& rank : model.ranks) {
        ranks.push_back(workOf(rank));
    }
    return ranks;
}

/// By how much `work` is more than `baseline`, each kind for itself.
DurationNs excessOver(const Work& baseline, const Work& work) {
    const auto over = [](DurationNs own_ns, DurationNs baseline_ns) {
        return std::max<DurationNs>(0, own_ns - baseline_ns);
    };
    return over(work.device_ns, baseline.device_ns) + over(work.loader_ns, baseline.loader_ns) +
           over(work.host_ns, baseline.host_ns);
}

/// The rank with most to do beyond the median of all in a step, if that is `least_ns` or more.
std::optional<RankPosition> mostLoaded(const std::vector<WorkOfSteps>& ranks, const RunStep& step,
                                       DurationNs least_ns) {
    const std::optional<Work> baseline = medianWorkOf(ranks, step, {});
    std::optional<RankPosition> most;
    for (RankPosition r{0}; baseline && r < ranks.size(); ++r) {
        const std::optional<RankStepPosition> own = step.of(r);
        const DurationNs excess_ns = own ? excessOver(*baseline, ranks[r][*own]) : 0;
        if (excess_ns >= least_ns) {
            most = r;
            least_ns = excess_ns + 1;
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
        if (!isSteady(step) || std::ranges::find(steps, s, &LateStep::step) != steps.end()) {
            continue;
        }
        if (const std::optional<RankPosition> most = mostLoaded(ranks, step, least_ns)) {
            hidden.push_back({s, {*most}});
        }
    }
    return hidden;
}

namespace {

/// What changes about one rank.
struct ChangedRank {
    std::vector<double> device;  // by step of the rank: its work takes so much of what it took
    std::vector<bool> relieved;  // by step of the rank: no collective waits for the late ranks
    Slowed slowed;
    ReplayChange host;

    [[nodiscard]] DurationNs lengthOf(const ReplayEvent& event) const {
        const std::optional<RankStepPosition> step = event.slot.step();
        if (!step || event.communication) {
            return event.span.length();
        }
        return relieved[*step] ? slowed.withoutIt(event) : scaled(event.span.length(), device[*step]);
    }
};

/// The ranks as they are, where collectives that wait make work beside them take `slowdown` times as long.
std::vector<ChangedRank> unchangedRanks(const RunReplayModel& model, double slowdown) {
    std::vector<ChangedRank> ranks(model.ranks.size());
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        ranks[r].device.assign(model.ranks[r].hosts.size(), 1.0);
        ranks[r].relieved.assign(model.ranks[r].hosts.size(), false);
        if (slowdown > 1.0) {
            ranks[r].slowed = {slowdown, waitingCollectives(model, r)};
        }
    }
    return ranks;
}

}  // namespace

BaselineWork baselineWorkOn(const RuleContext& context, const std::vector<LateStep>& steps) {
    const RunReplayModel& model = context.pricer.model();
    BaselineWork out;
    out.slowdown = slowdownBesideWaiting(context, steps);
    const auto ranks = std::make_shared<std::vector<ChangedRank>>(unchangedRanks(model, out.slowdown));
    std::vector<WorkOfSteps> work;
    for (RankPosition r{0}; r < ranks->size(); ++r) {
        work.push_back(workOf(model.ranks[r], (*ranks)[r].slowed));
    }
    for (const LateStep& late : steps) {
        const RunStep& step = context.facts.steps[late.step];
        const std::optional<Work> baseline = medianWorkOf(work, step, late.ranks);
        out.relieved_ns.push_back(baseline ? baseline->relief_ns : 0);
        for (RankPosition r{0}; r < ranks->size(); ++r) {
            // A segment has all ranks, but the step that it is counted in may not.
            const std::optional<RankStepPosition> own = step.of(r);
            if (!own || !baseline) {
                continue;
            }
            ChangedRank& changed = (*ranks)[r];
            if (std::ranges::find(late.ranks, r) == late.ranks.end()) {
                changed.relieved[*own] = changed.slowed.times > 1.0;
                continue;
            }
            const Work& of_rank = work[r][*own];
            changed.device[*own] = ratio(baseline->device_ns, of_rank.device_ns + of_rank.relief_ns);
            shrinkHost(model.ranks[r], model.ranks[r].hosts[*own], ratio(baseline->loader_ns, of_rank.loader_ns),
                       ratio(baseline->host_ns, of_rank.host_ns), changed.host);
        }
    }
    out.change.of_rank = [ranks](RankPosition rank) {
        ReplayChange of_rank = (*ranks)[rank].host;
        of_rank.length = [ranks, rank](const ReplayEvent& event) { return (*ranks)[rank].lengthOf(event); };
        return of_rank;
    };
    return out;
}

}  // namespace rankscope
