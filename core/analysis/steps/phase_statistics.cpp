// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/phase_statistics.h"

#include <vector>

namespace rankscope {
namespace {

struct Samples {
    std::vector<DurationNs> host;
    std::vector<DurationNs> device;
    double host_share = 0;  ///< sums of shares while they are gathered
    double device_share = 0;

    [[nodiscard]] std::optional<PhaseStatistics> summary(double whole) const {
        if (host.empty() || whole <= 0) {
            return {};
        }
        return PhaseStatistics{.host = statisticsOf(host),
                               .device = statisticsOf(device),
                               .host_share = host_share / whole,
                               .device_share = device_share / whole};
    }
};

}  // namespace

std::optional<PhaseStatistics> phaseStatistics(const RankFacts& facts, Phase phase) {
    if (!facts.phases.told[phase] || facts.phases.steps.size() != facts.steps.size()) {
        return {};
    }
    Samples samples;
    double duration = 0;
    for (std::size_t s = 0; s < facts.steps.size(); ++s) {
        const RankStep& step = facts.steps[s];
        if (!step.complete || step.outlier) {
            continue;
        }
        const PhaseTime& time = facts.phases.steps[s][phase];
        samples.host.push_back(time.host_ns);
        samples.device.push_back(time.device_ns);
        samples.host_share += static_cast<double>(time.host_ns);
        samples.device_share += static_cast<double>(time.device_ns);
        duration += static_cast<double>(step.span.length());
    }
    return samples.summary(duration);
}

std::optional<PhaseStatistics> phaseStatisticsOverRanks(std::span<const RankFacts> ranks, Phase phase) {
    Samples samples;
    for (const RankFacts& facts : ranks) {
        if (const auto of_rank = phaseStatistics(facts, phase)) {
            samples.host.push_back(of_rank->host.median_ns);
            samples.device.push_back(of_rank->device.median_ns);
            samples.host_share += of_rank->host_share;
            samples.device_share += of_rank->device_share;
        }
    }
    return samples.summary(static_cast<double>(samples.host.size()));
}

}  // namespace rankscope
