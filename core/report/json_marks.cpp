// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json_parts.h"

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

}  // namespace

Json ddpJson(const AnalysedRun& run) {
    Json out = Json::array();
    for (std::size_t position = 0; position < run.facts.ranks.size(); ++position) {
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
    for (std::size_t position = 0; position < run.facts.ranks.size(); ++position) {
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
