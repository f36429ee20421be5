// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/analysis/collectives/ddp_messages.h"
#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

Json partJson(const DdpPart& part) {
    return {{"calls", part.calls}, {"host_ns", part.host_ns}, {"device_ns", part.device_ns}, {"bytes", part.bytes}};
}

Json peakJson(const MemoryPeak& peak) {
    return {{"allocated_bytes", peak.allocated_bytes},
            {"reserved_bytes", peak.reserved_bytes},
            {"unused_share", peak.unusedShare()}};
}

/// The number of the step whose mark on the host contains the launch; null between the marks.
Json stepOf(const RankFacts& rank, const CollectiveMember& member) {
    const auto step = std::ranges::find_if(rank.steps, [&](const RankStep& s) {
        return s.host.start_ns <= member.call.start_ns && member.call.start_ns < s.host.end_ns;
    });
    return member.launch.valid() && step != rank.steps.end() ? Json(step->index) : Json(nullptr);
}

}  // namespace

Json ddpMessagesJson(const AnalysedRun& run) {
    Json out = Json::array();
    for (const DdpMessage& message : ddpMessages(*run.run, run.facts)) {
        const Collective& collective = run.facts.collectives.collectives[message.collective];
        Json ranks = Json::array();
        for (const CollectiveMember& member : collective.members) {
            const auto on_run = [&](TimeNs ns) {
                return run.clock.ranks[member.rank].toRun(FileTime(ns)) - run.clock.base_ns;
            };
            ranks.push_back({{"id", member.rank},
                             {"step", stepOf(run.facts.ranks[member.rank], member)},
                             {"ready_ns", member.ready_ns ? Json(on_run(*member.ready_ns)) : Json(nullptr)},
                             {"sent_ns", member.launch.valid() ? Json(on_run(member.call.start_ns)) : Json(nullptr)},
                             {"start_ns", on_run(member.span.start_ns)},
                             {"end_ns", on_run(member.span.end_ns)}});
        }
        out.push_back({{"part", ddpMessageKindName(message.kind)},
                       {"collective", message.collective},
                       {"bytes", orNull(collective.bytes)},
                       {"ranks", std::move(ranks)}});
    }
    return out;
}

Json ddpPricesJson(const Diagnosis& diagnosis) {
    Json out = Json::array();
    for (const DdpPrice& price : diagnosis.ddp) {
        out.push_back(
            {{"part", ddpPartName(price.part)}, {"blocked_ns", price.blocked_ns}, {"saving_ns", price.saving_ns}});
    }
    return out;
}

Json ddpJson(const AnalysedRun& run) {
    Json out = Json::array();
    for (RankPosition position{0}; position < run.facts.ranks.size(); ++position) {
        const RankFacts& rank = run.facts.ranks[position];
        if (!rank.ddp.in_use) {
            continue;
        }
        Json steps = Json::array();
        for (std::size_t s = 0; s < rank.steps.size(); ++s) {
            const DdpStep& step = rank.ddp.steps[s];
            steps.push_back({{"index", rank.steps[s].index},
                             {"search_unused_parameters", partJson(step.search_unused)},
                             {"mul_out", partJson(step.copy_to_bucket)},
                             {"copy_bucket_to_grad", partJson(step.copy_to_gradient)}});
        }
        out.push_back(
            {{"id", position}, {"rank", orNull(run.run->ranks[position]->rank)}, {"steps", std::move(steps)}});
    }
    return out;
}

Json memoryJson(const AnalysedRun& run) {
    Json out = Json::array();
    for (RankPosition position{0}; position < run.facts.ranks.size(); ++position) {
        const RankFacts& rank = run.facts.ranks[position];
        for (const DeviceMemory& device : rank.memory) {
            Json steps = Json::array();
            for (std::size_t s = 0; s < rank.steps.size(); ++s) {
                if (device.steps[s]) {
                    Json row = {{"index", rank.steps[s].index}};
                    row.update(peakJson(*device.steps[s]));
                    steps.push_back(std::move(row));
                }
            }
            out.push_back({{"id", position},
                           {"rank", orNull(run.run->ranks[position]->rank)},
                           {"device", device.device},
                           {"capacity_bytes", device.capacity_bytes > 0 ? Json(device.capacity_bytes) : Json(nullptr)},
                           {"peak", peakJson(device.peak)},
                           {"steps", std::move(steps)}});
        }
    }
    return out;
}

}  // namespace rankscope::report
