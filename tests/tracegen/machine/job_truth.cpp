// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/job_truth.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "core/base/interval_set.h"
#include "tests/tracegen/machine/job_builder.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/schedule.h"

namespace rankscope::tracegen::machine {
namespace {

using Json = nlohmann::json;

using PassKey = std::tuple<WorkLabel::Pass, int, int>;  // with micro-batch and chunk

struct PassSpans {
    std::map<PassKey, TimeSpan> passes;
    std::vector<TimeSpan> other;  ///< what else it did: in all steps, since those of different ranks overlap
    TimeSpan whole{std::numeric_limits<TimeNs>::max(), 0};

    /// When the rank did anything but send, receive and wait.
    [[nodiscard]] IntervalSet busy() const {
        std::vector<TimeSpan> spans = other;
        for (const auto& [key, span] : passes) {
            spans.push_back(span);
        }
        return IntervalSet::unionOf(std::move(spans)).clip(whole);
    }
};

bool isWork(const Event& event) {
    return event.kind == EventKind::Kernel || event.kind == EventKind::Memcpy;
}

TimeSpan spanOf(const Event& event) {
    return {event.start_ns, event.end_ns};
}

// What the stage has to do in passes, with what it shares with its tensor and expert groups; not what goes to others
// beside it.
bool isOfPass(const Event& event) {
    const bool of_pass = event.stream == Stream::Compute || event.stream == Stream::Tensor ||
                         event.stream == Stream::Expert || event.stream == Stream::Context;
    return isWork(event) && event.label.pass != WorkLabel::Pass::None && of_pass;
}

/// When the last rank came to each collective, by group and number: until then all others wait.
using LastArrivals = std::map<std::pair<std::uint32_t, std::uint64_t>, TimeNs>;

LastArrivals lastArrivals(const TrueRun& run) {
    LastArrivals arrivals;
    for (const std::vector<Event>& events : run.events) {
        for (const Event& event : events) {
            if (isWork(event) && event.collective.valid()) {
                TimeNs& last_ns = arrivals[{event.collective.group, event.collective.sequence}];
                last_ns = std::max(last_ns, event.start_ns);
            }
        }
    }
    return arrivals;
}

/// What a rank's device does beside its passes: it computes or copies, or transfers in a group of other than its stage;
/// empty of all else.
TimeSpan besidePasses(const Event& event, const LastArrivals& arrivals) {
    if (!isWork(event)) {
        return {};
    }
    if (event.stream == Stream::Compute || event.stream == Stream::CopyIn) {
        return spanOf(event);
    }
    const bool messages = event.collective.isMessage() || event.stream == Stream::Next ||
                          event.stream == Stream::Previous || event.stream == Stream::Context;
    if (!event.collective.valid() || messages) {
        return {};
    }
    return {std::max(event.start_ns, arrivals.at({event.collective.group, event.collective.sequence})), event.end_ns};
}

/// By step of the window.
std::vector<PassSpans> passesOf(const std::vector<Event>& events, std::size_t steps, const LastArrivals& arrivals) {
    std::vector<PassSpans> passes(steps);
    std::vector<TimeSpan> other;
    for (const Event& event : events) {
        const bool of_step = event.step >= 0 && static_cast<std::size_t>(event.step) < steps;
        if (of_step && isOfPass(event)) {
            PassSpans& step = passes[static_cast<std::size_t>(event.step)];
            TimeSpan& pass =
                step.passes.try_emplace({event.label.pass, event.label.micro_batch, event.label.chunk}, spanOf(event))
                    .first->second;
            pass = {std::min(pass.start_ns, event.start_ns), std::max(pass.end_ns, event.end_ns)};
            step.whole.start_ns = std::min(step.whole.start_ns, event.start_ns);
            step.whole.end_ns = std::max(step.whole.end_ns, event.end_ns);
        } else if (const TimeSpan span = besidePasses(event, arrivals); !span.empty()) {
            other.push_back(span);
        }
    }
    for (const PassSpans& step : passes) {
        for (const auto& [key, span] : step.passes) {
            other.push_back(span);
        }
    }
    for (PassSpans& step : passes) {
        step.other = other;
    }
    return passes;
}

/// Where computation ran, on any stream.
IntervalSet computationOf(const std::vector<Event>& events) {
    std::vector<TimeSpan> spans;
    for (const Event& event : events) {
        if (event.kind == EventKind::Kernel && (event.stream == Stream::Compute || event.stream == Stream::CopyIn)) {
            spans.push_back(spanOf(event));
        }
    }
    return IntervalSet::unionOf(std::move(spans));
}

ExposedTime exposedTime(std::vector<TimeSpan> spans, const IntervalSet& computation) {
    const IntervalSet all = IntervalSet::unionOf(std::move(spans));
    return {all.length(), all.subtract(computation).length()};
}

/// The collectives of one step, by what they are for.
struct Collectives {
    std::map<int, std::vector<TimeSpan>> gathers;
    std::vector<TimeSpan> tensor;
    std::vector<TimeSpan> exchange;
};

std::vector<JobStepTruth> collectiveTruth(const std::vector<Event>& events, std::size_t steps) {
    std::vector<JobStepTruth> truth(steps);
    std::vector<Collectives> spans(steps);
    for (const Event& event : events) {
        if (!isWork(event) || !event.collective.valid() || event.step < 0) {
            continue;
        }
        const auto step = static_cast<std::size_t>(event.step);
        if (event.collective.kind == CollectiveKind::AllGather && event.stream != Stream::Tensor) {
            spans[step].gathers[event.label.unit].push_back(spanOf(event));
        } else if (event.stream == Stream::Tensor || event.collective.silent) {
            spans[step].tensor.push_back(spanOf(event));
        } else if (event.stream == Stream::Expert) {
            spans[step].exchange.push_back(spanOf(event));
            truth[step].sent_bytes += event.collective.elements * bytesOf(event.collective.type);
            truth[step].received_bytes += event.collective.out() * bytesOf(event.collective.type);
        }
    }
    const IntervalSet computation = computationOf(events);
    for (std::size_t step = 0; step < steps; ++step) {
        for (auto& [unit, gathers] : spans[step].gathers) {
            truth[step].gathers[unit] = exposedTime(std::move(gathers), computation);
        }
        truth[step].tensor = exposedTime(std::move(spans[step].tensor), computation);
        truth[step].exchange = exposedTime(std::move(spans[step].exchange), computation);
    }
    return truth;
}

Json toJson(const ExposedTime& time) {
    return {{"ns", time.ns}, {"exposed_ns", time.exposed_ns}};
}

Json toJson(const JobSpec& job, const JobStepTruth& truth) {
    Json json = Json::object();
    if (job.pipeline > 1) {
        json["pipeline_ns"] = truth.pipeline_ns;
        json["bubble_ns"] = truth.bubble_ns;
    }
    for (const auto& [unit, gather] : truth.gathers) {
        json["gathers"][unitName(job, unit)] = toJson(gather);
    }
    if (job.tensor > 1) {
        json["tensor"] = toJson(truth.tensor);
    }
    if (job.expert > 1) {
        json["exchange"] = toJson(truth.exchange);
        json["sent_bytes"] = truth.sent_bytes;
        json["received_bytes"] = truth.received_bytes;
    }
    return json;
}

Json stepsOf(const TrueRun& run) {
    const std::vector<std::vector<JobStepTruth>> truth = jobTruthOf(run);
    Json steps = Json::array();
    TimeNs begin = run.window_start_ns;
    for (std::size_t step = 0; step < run.step_ends.size(); ++step) {
        Json ranks = Json::array();
        for (const std::vector<JobStepTruth>& rank : truth) {
            ranks.push_back(toJson(*run.config.job, rank[step]));
        }
        Json json = {{"number", run.config.first_step + static_cast<int>(step)},
                     {"duration_ns", run.step_ends[step] - begin},
                     {"ranks", ranks}};
        if (const std::optional<ServingSpec>& serving = run.config.job->serving) {
            const bool prompts = servedIn(*serving, static_cast<int>(step)) == Served::Prefill;
            json["number"] = step;
            json["iteration"] = prompts ? "prefill" : "decode";
            json["tokens"] = prompts ? serving->prompt_tokens : serving->requests;
        }
        steps.push_back(std::move(json));
        begin = run.step_ends[step];
    }
    return steps;
}

Json jobOf(const JobSpec& job) {
    Json json = {{"grid", {{"data", job.data}, {"pipeline", job.pipeline}, {"tensor", job.tensor}}},
                 {"expert", job.expert},
                 {"context", job.context},
                 {"shard", job.shard},
                 {"sharing", nameOf(job.sharing)},
                 {"schedule", nameOf(job.schedule)},
                 {"micro_batches", job.micro_batches},
                 {"chunks", job.chunks},
                 {"layers", job.layers}};
    if (job.pipeline > 1) {
        json["bubble_of_theory"] = bubbleOfTheory(job);
    }
    return json;
}

int lengthOf(const PassShares& shares, const StageAction& action) {
    if (action.forward) {
        return shares.forward;
    }
    switch (action.gradient) {
        case Gradient::Both: return shares.input + shares.weight;
        case Gradient::Input: return shares.input;
        case Gradient::Weight: break;
    }
    return shares.weight;
}

/// By stage, whether forward, micro-batch and chunk.
using PlayedEnds = std::map<std::tuple<int, bool, int, int>, int>;

/// The next action of a stage, with the one that runs together with it; none at the end.
std::vector<StageAction> groupAt(const std::vector<StageAction>& order, std::size_t at) {
    std::vector<StageAction> group;
    while (at < order.size() && (group.empty() || order[at].beside)) {
        group.push_back(order[at++]);
    }
    return group;
}

/// When all that these need is there; nothing while it is not.
std::optional<int> readyFor(const JobSpec& job, int stage, const std::vector<StageAction>& group,
                            const PlayedEnds& ends) {
    int ready = 0;
    for (const StageAction& action : group) {
        if (const auto needed = neededBy(job, stage, action)) {
            const auto& [from, pass] = *needed;
            const auto end = ends.find({from, pass.forward, pass.micro_batch, pass.chunk});
            if (end == ends.end()) {
                return std::nullopt;
            }
            ready = std::max(ready, end->second);
        }
    }
    return ready;
}

/// The share of the bubble where each stage runs its order as soon as it can, and messages take no time.
double playedBubble(const JobSpec& job) {
    const PassShares shares = passShares(job);
    std::vector<std::vector<StageAction>> orders;
    for (int stage = 0; stage < job.pipeline; ++stage) {
        orders.push_back(orderOf(job, stage));
    }
    PlayedEnds ends;
    std::vector<std::size_t> next(orders.size(), 0);
    std::vector<int> free(orders.size(), 0);
    double busy = 0;
    for (bool any = true; any;) {
        any = false;
        for (std::size_t i = 0; i < orders.size(); ++i) {
            for (auto group = groupAt(orders[i], next[i]); !group.empty(); group = groupAt(orders[i], next[i])) {
                const std::optional<int> ready = readyFor(job, static_cast<int>(i), group, ends);
                if (!ready) {
                    break;
                }
                free[i] = std::max(free[i], *ready);
                for (const StageAction& action : group) {
                    free[i] += lengthOf(shares, action);
                    busy += lengthOf(shares, action);
                }
                for (const StageAction& action : group) {
                    if (action.forward || action.gradient != Gradient::Weight) {
                        ends[{static_cast<int>(i), action.forward, action.micro_batch, action.chunk}] = free[i];
                    }
                }
                next[i] += group.size();
                any = true;
            }
        }
    }
    return 1 - busy / (static_cast<double>(std::ranges::max(free)) * job.pipeline);
}

Json groupsJson(const JobSpec& job) {
    Json groups = Json::array();
    for (const ProcessGroup& group : groupsOf(job)) {
        groups.push_back({{"name", group.name}, {"description", group.description}, {"ranks", group.ranks}});
    }
    return groups;
}

Json clocksJson(const TrueRun& run, const FileSpec& files) {
    Json clocks = Json::array();
    for (int rank = 0; rank < run.config.rankCount(); ++rank) {
        const FileClock clock = fileClockOf(run, files, rank);
        clocks.push_back(
            {{"rank", rank}, {"first_ns", clock.first_ns}, {"last_ns", clock.last_ns}, {"device_ns", clock.device_ns}});
    }
    return clocks;
}

}  // namespace

double bubbleOfTheory(const JobSpec& job) {
    if (splitsBackward(job.schedule)) {
        return playedBubble(job);
    }
    const double idle = job.pipeline - 1;
    return idle / (job.chunks * job.micro_batches + idle);
}

std::vector<std::vector<JobStepTruth>> jobTruthOf(const TrueRun& run) {
    const JobSpec& job = *run.config.job;
    const std::size_t steps = run.step_ends.size();
    std::vector<std::vector<JobStepTruth>> truth;
    std::vector<std::vector<PassSpans>> passes;
    const LastArrivals arrivals = lastArrivals(run);
    for (const std::vector<Event>& events : run.events) {
        truth.push_back(collectiveTruth(events, steps));
        passes.push_back(passesOf(events, steps, arrivals));
    }
    for (std::size_t rank = 0; job.pipeline > 1 && rank < truth.size(); ++rank) {
        GridPlace place = placeOf(job, static_cast<int>(rank));
        for (std::size_t step = 0; step < steps; ++step) {
            TimeSpan whole{std::numeric_limits<TimeNs>::max(), 0};
            for (place.pipeline = 0; place.pipeline < job.pipeline; ++place.pipeline) {
                const TimeSpan& of_stage = passes[static_cast<std::size_t>(rankAt(job, place))][step].whole;
                whole = {std::min(whole.start_ns, of_stage.start_ns), std::max(whole.end_ns, of_stage.end_ns)};
            }
            truth[rank][step].pipeline_ns = whole.length();
            passes[rank][step].whole = whole;
            truth[rank][step].bubble_ns = whole.length() - passes[rank][step].busy().length();
        }
    }
    return truth;
}

FileClock fileClockOf(const TrueRun& run, const FileSpec& spec, int rank) {
    const WanderingClock clock(spec.clocks, run.config.seed, run.config.hostOf(rank));
    const TimeNs first = run.window_start_ns;
    const TimeNs last = run.step_ends.back();
    return {clock.at(first) - first, clock.at(last) - last, deviceOffset(run, spec.clocks, rank)};
}

Json truthOf(const TrueRun& run, const FileSpec& files, const PlantedFault* fault, const TrueRun* without) {
    Json json = {{"about",
                  "Made by tracegen job. A fault's price is what the mean step of the window takes less without it. "
                  "bubble_ns is what a rank did nothing in, of pipeline_ns."},
                 {"job", jobOf(*run.config.job)},
                 {"groups", groupsJson(*run.config.job)},
                 {"clocks", clocksJson(run, files)},
                 {"step_ns", run.meanStep()},
                 {"steps", stepsOf(run)},
                 {"faults", Json::array()}};
    if (fault != nullptr && without != nullptr) {
        json["faults"].push_back({{"kind", fault->fault->name},
                                  {"findings", fault->fault->findings},
                                  {"strength", fault->strength},
                                  {"ranks", ranksOf(*fault->fault, run.config)},
                                  {"groups", faultyGroups(*fault->fault, run.config)},
                                  {"step_ns", run.meanStep()},
                                  {"step_without_ns", without->meanStep()},
                                  {"saving_ns", run.meanStep() - without->meanStep()}});
    }
    return json;
}

}  // namespace rankscope::tracegen::machine
