// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/rank_facts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/analysis/device/partition.h"
#include "core/analysis/gaps/gap_causes.h"
#include "core/analysis/gaps/gaps.h"
#include "core/analysis/steps/rank_steps.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

void explainStep(const Partitioner& partitioner, GapFinder& finder, MeasuredStep& step) {
    step.partition = partitioner.of(step.span);
    step.gaps = finder.gapsIn(step.span);
    for (const Gap& gap : step.gaps) {
        for (const GapPart& part : gap.parts) {
            step.idle_causes[part.cause] += part.span.length();
        }
    }
}

/// Fills partition, gaps and causes of all steps.
void explainSteps(const RankContext& work, const Partitioner& partitioner, std::vector<MeasuredStep>& steps,
                  std::size_t threads) {
    const GapCauses causes(*work.trace, work.names, work.threads, work.marks.thread, medianLaunchInterval(work.device));
    shareIndices(steps.size(), threads, [&](const auto& next) {
        GapFinder finder(*work.trace, work.device, causes);
        while (const std::optional<std::size_t> s = next()) {
            explainStep(partitioner, finder, steps[*s]);
        }
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

}  // namespace

AnalysedRank analyseRank(std::shared_ptr<const RankTrace> trace, const NameRules& rules, std::size_t threads) {
    const RankTrace& rank = *trace;
    MeasuredRank facts;
    HostNames names(rank);
    facts.work_classes = classifyWork(rank, names, rules);
    HostThreads host_threads(rank, names);
    RankContext work{.trace = std::move(trace),
                     .names = std::move(names),
                     .threads = std::move(host_threads),
                     .device = collectDeviceWork(rank, facts.work_classes),
                     .marks = findStepMarks(rank)};
    facts.device = work.device.device;
    facts.other_devices = work.device.other_devices;
    facts.compute = work.device.compute;
    facts.communication = work.device.communication;
    facts.copy = work.device.copy;
    facts.step_source = work.marks.source;
    facts.main_thread = work.marks.thread;
    facts.steps = findRankSteps(work);
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
        explainSteps(work, partitioner, facts.steps, threads);
    }
    return {std::move(work), std::move(facts)};
}

}  // namespace rankscope
