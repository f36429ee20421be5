// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/stages.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <utility>

#include "core/analysis/collectives/collective_calls.h"
#include "core/analysis/collectives/matching/match_collectives.h"
#include "core/analysis/collectives/waits.h"
#include "core/analysis/device/communication_suspects.h"
#include "core/analysis/device/partition.h"
#include "core/analysis/gaps/gap_causes.h"
#include "core/analysis/gaps/gaps.h"
#include "core/analysis/gaps/held_work.h"
#include "core/analysis/gaps/host_stalls.h"
#include "core/analysis/ledger.h"
#include "core/analysis/steps/rank_steps.h"
#include "core/analysis/steps/run_steps.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

std::vector<DurationNs> steadyDurations(const std::vector<RunStep>& steps) {
    std::vector<DurationNs> steady;
    for (const RunStep& step : steps) {
        if (isSteady(step)) {
            steady.push_back(step.duration_ns);
        }
    }
    return steady;
}

/// By rank and its step: the step of the run that it belongs to.
std::vector<std::vector<const RunStep*>> stepsOfRanks(const std::vector<RunStep>& steps,
                                                      const std::vector<MeasuredRank>& ranks) {
    std::vector<std::vector<const RunStep*>> of_ranks;
    of_ranks.reserve(ranks.size());
    for (const MeasuredRank& rank : ranks) {
        of_ranks.emplace_back(rank.steps.size(), nullptr);
    }
    for (const RunStep& step : steps) {
        for (RankPosition r{0}; r < step.by_rank.size(); ++r) {
            if (step.by_rank[r]) {
                of_ranks[r][*step.by_rank[r]] = &step;
            }
        }
    }
    return of_ranks;
}

/// What the run adds to one step of a rank with device work: the split of its communication, and its waits.
struct StepInRun {
    std::optional<Partition> partition;
    std::vector<ExposedWait> waits;
};

std::vector<StepInRun> explainSteps(const MeasuredRank& rank, RankPosition position,
                                    const ExposedCommunication& exposed, const WaitExplainer& waits) {
    std::vector<StepInRun> steps(rank.steps.size());
    for (std::size_t s = 0; s < steps.size() && rank.device >= 0; ++s) {
        const MeasuredStep& measured = rank.steps[s];
        steps[s] = {withSplit(*measured.partition, exposed, measured.span), waits.waitsIn(position, measured.span)};
    }
    return steps;
}

RankStep explainedStep(MeasuredStep measured, StepInRun in_run, const RunStep* of_run) {
    RankStep step;
    static_cast<MeasuredStep&>(step) = std::move(measured);
    if (in_run.partition) {
        step.partition = in_run.partition;
    }
    step.wait_causes = sumWaits(in_run.waits);
    step.waits = std::move(in_run.waits);
    if (of_run != nullptr && of_run->outlier) {
        step.outlier = true;
        step.outlier_reason = of_run->outlier_reason;
    }
    return step;
}

void explainStep(const Partitioner& partitioner, GapFinder& finder, MeasuredStep& step) {
    step.partition = partitioner.of(step.span);
    step.gaps = finder.gapsIn(step.span);
    for (const Gap& gap : step.gaps) {
        for (const GapPart& part : gap.parts) {
            step.idle_causes[part.cause] += part.span.length();
        }
    }
}

/// Fills partition, gaps and causes of all steps; a rank without device work has none.
void explainSteps(const RankContext& work, MeasuredRank& facts, std::size_t threads) {
    if (facts.device < 0) {
        return;
    }
    const Partitioner partitioner(work.device);
    const GapCauses causes(*work.trace, work.names, work.threads, facts.stalls, work.marks.thread,
                           medianLaunchInterval(work.device));
    shareIndices(facts.steps.size(), threads, [&](const auto& next) {
        GapFinder finder(*work.trace, work.device, causes);
        while (const std::optional<std::size_t> s = next()) {
            explainStep(partitioner, finder, facts.steps[*s]);
        }
    });
}

/// The usual time of host code is known from all ranks, so this comes after all are read: first which threads stalled,
/// then why devices were idle.
void explainIdleTime(MeasuredRun& measured, std::size_t threads) {
    std::vector<std::vector<HostStall>> stalls = findHostStalls(measured.work, threads);
    // Cores without a rank of their own help with the steps of other ranks.
    const std::size_t threads_a_rank = std::max<std::size_t>(1, threads / std::max<std::size_t>(1, stalls.size()));
    forEachIndex(stalls.size(), threads, [&](std::size_t r) {
        measured.ranks[r].stalls = std::move(stalls[r]);
        explainSteps(measured.work[r], measured.ranks[r], threads_a_rank);
    });
}

std::vector<TrackId> tracksThatCommunicate(const DeviceWork& work) {
    std::set<TrackId> tracks;
    for (const DeviceEvent& event : work.events) {
        if (event.work == WorkClass::Communication) {
            tracks.insert(event.ref.track);
        }
    }
    return {tracks.begin(), tracks.end()};
}

/// The facts of a rank except its stalls and the causes of its gaps.
AnalysedRank readRank(std::shared_ptr<const RankTrace> trace, const NameRules& rules) {
    const RankTrace& rank = *trace;
    MeasuredRank facts;
    facts.windows = RecordedWindows(rank);
    HostNames names(rank);
    facts.work_classes = classifyWork(rank, names, rules);
    HostThreads host_threads(rank, names);
    RankContext work{.trace = std::move(trace),
                     .names = std::move(names),
                     .threads = std::move(host_threads),
                     .device = collectDeviceWork(rank, facts.work_classes, rules),
                     .marks = findStepMarks(rank)};
    markLateWork(*work.trace, work.names, work.threads, work.device);
    facts.device = work.device.device;
    facts.other_devices = work.device.other_devices;
    facts.compute = work.device.compute;
    facts.communication = work.device.communication;
    facts.communication_suspects = communicationSuspects(rank, work.device, rules);
    facts.copy = work.device.copy;
    facts.step_source = work.marks.source;
    facts.main_thread = work.marks.thread;
    facts.steps = findRankSteps(work);
    facts.step_before = stepBeforeFirst(work);
    facts.ddp = collectDdpMarks(work);
    std::vector<TimeSpan> hosts;
    for (const MeasuredStep& step : facts.steps) {
        hosts.push_back(step.host);
    }
    facts.memory = memoryUse(rank, hosts);

    if (facts.device >= 0) {
        const Partitioner partitioner(work.device);
        facts.overlap = partitioner.overlap();
        facts.exposed_communication = partitioner.exposedCommunication();
        facts.communication_tracks = tracksThatCommunicate(work.device);
    }
    return {std::move(work), std::move(facts)};
}

/// Sets CollectiveCall::window of calls that are in no numbered step.
void markWindows(const std::vector<MeasuredRank>& ranks, std::vector<std::vector<CollectiveCall>>& calls) {
    std::vector<std::vector<TimeSpan>> windows;
    for (const MeasuredRank& rank : ranks) {
        windows.emplace_back(rank.windows.all().begin(), rank.windows.all().end());
    }
    const SharedWindows shared = shareWindows(windows);
    for (std::size_t r = 0; r < calls.size() && shared.count > 1; ++r) {
        for (CollectiveCall& call : calls[r]) {
            const bool numbered = call.step_or_gap && call.step_or_gap->step();
            call.window = numbered ? 0 : shared.number[r].at(ranks[r].windows.indexOf(call.part.span.start_ns));
        }
    }
}

}  // namespace

AnalysedRank analyseRank(std::shared_ptr<const RankTrace> trace, const NameRules& rules, std::size_t threads) {
    AnalysedRank rank = readRank(std::move(trace), rules);
    rank.facts.stalls = findHostStalls({&rank.work, 1}, threads).front();
    explainSteps(rank.work, rank.facts, threads);
    return rank;
}

MeasuredRun measureRun(const Run& run, const NameRules& rules, std::size_t threads, const ProgressSink& progress,
                       const std::stop_token& stop) {
    std::vector<std::optional<AnalysedRank>> analysed(run.ranks.size());
    std::atomic<std::size_t> done{0};
    forEachIndex(analysed.size(), threads, [&](std::size_t r) {
        if (stop.stop_requested()) {
            return;
        }
        analysed[r] = readRank(run.ranks[r], rules);
        ++done;
        if (progress) {
            progress({.stage = "analysing", .done = done.load(), .total = analysed.size()});
        }
    });
    MeasuredRun measured;
    for (std::optional<AnalysedRank>& rank : analysed) {
        if (rank) {
            measured.ranks.push_back(std::move(rank->facts));
            measured.work.push_back(std::move(rank->work));
        }
    }
    if (!stop.stop_requested()) {
        explainIdleTime(measured, threads);
    }
    return measured;
}

MatchedCollectives matchRun(const Run& run, const MeasuredRun& measured, std::size_t threads) {
    std::vector<std::vector<CollectiveCall>> calls(measured.work.size());
    forEachIndex(calls.size(), threads, [&](std::size_t r) { calls[r] = collectCalls(measured.work[r]); });
    markWindows(measured.ranks, calls);
    return matchCollectives(run, std::move(calls));
}

AlignedRun alignRun(const Run& run, const MeasuredRun& measured, MatchedCollectives matched,
                    const ClockOptions& options, std::optional<IterationKind> kind) {
    RunClock clock = alignClocks(run, clockMatches(matched), options);
    CollectiveFacts collectives = timeCollectives(std::move(matched), clock);
    std::vector<RunStep> steps = pairSteps(measured.ranks, clock, kind);
    const std::vector<DurationNs> steady = steadyDurations(steps);
    const StepBasis basis = basisOf(steps);
    const DurationNs recorded_ns = recordedTime(measured.ranks, steps, clock);
    return {.clock = std::move(clock),
            .collectives = std::move(collectives),
            .steps = std::move(steps),
            .median_step_ns = lowerMedian(steady),
            .mean_step_ns = meanOf(steady),
            .basis = basis,
            .recorded_ns = recorded_ns};
}

ExplainedRun explainRun(const std::vector<RankContext>& work, std::vector<MeasuredRank> measured,
                        const AlignedRun& aligned, std::size_t threads) {
    ExplainedRun explained;
    const std::vector<std::vector<OwnPart>> parts = partsOfRanks(aligned.collectives, measured.size());
    explained.exposed.resize(measured.size());
    forEachIndex(measured.size(), threads, [&](std::size_t r) {
        explained.exposed[r] = splitExposed(parts[r], work[r].device, aligned.collectives);
    });
    // A wait refers to the gaps of other ranks, so all are explained before the first is moved.
    std::vector<std::vector<StepInRun>> in_run(measured.size());
    const WaitExplainer waits(measured, work, explained.exposed, aligned.collectives);
    forEachIndex(measured.size(), threads, [&](std::size_t r) {
        in_run[r] = explainSteps(measured[r], RankPosition(r), explained.exposed[r], waits);
    });
    const auto of_run = stepsOfRanks(aligned.steps, measured);
    explained.ranks.resize(measured.size());
    for (RankPosition r{0}; r < measured.size(); ++r) {
        static_cast<RankMeasures&>(explained.ranks[r]) = std::move(static_cast<RankMeasures&>(measured[r]));
        explained.ranks[r].exposed_transfer = explained.exposed[r].transfer;
        for (std::size_t s = 0; s < measured[r].steps.size(); ++s) {
            explained.ranks[r].steps.push_back(
                explainedStep(std::move(measured[r].steps[s]), std::move(in_run[r][s]), of_run[r][s]));
        }
    }
    return explained;
}

RunLedger makeRunLedger(const std::vector<RankContext>& work, const ExplainedRun& explained, const AlignedRun& aligned,
                        std::size_t threads) {
    RunLedger ledger(explained.ranks.size());
    forEachIndex(ledger.size(), threads, [&](std::size_t r) {
        const ExplainedRank& rank = explained.ranks[r];
        if (rank.device < 0) {
            return;
        }
        const Partitioner partitioner(work[r].device);
        const LedgerSource source{.work = work[r],
                                  .rank = RankPosition(r),
                                  .partitioner = partitioner,
                                  .exposed = explained.exposed[r],
                                  .collectives = aligned.collectives};
        for (RankStepPosition s{0}; s < rank.steps.size(); ++s) {
            ledger[r].push_back(makeLedger(source, rank.steps[s], s));
        }
    });
    return ledger;
}

}  // namespace rankscope
