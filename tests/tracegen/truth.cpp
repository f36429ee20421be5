// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/truth.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "tests/tracegen/config_json.h"

namespace rankscope::tracegen {
namespace {

using Json = nlohmann::json;

class NoEvents : public EventSink {
  public:
    void take(int /*rank*/, std::span<const Event> /*events*/) override {}
};

// The indices of the steps that `fault` acts in. The first step of a window is like no other, since nothing runs yet
// when it starts: it counts only when the fault is nowhere else.
std::vector<std::size_t> stepsOf(const Fault& fault, int steps) {
    std::vector<std::size_t> indices;
    const int last = std::min(fault.last_step, steps - 1);
    for (int step = std::max(fault.first_step, last > 0 ? 1 : 0); step <= last; ++step) {
        indices.push_back(static_cast<std::size_t>(step));
    }
    return indices;
}

std::vector<DurationNs> pick(const std::vector<DurationNs>& times, const std::vector<std::size_t>& steps) {
    std::vector<DurationNs> chosen;
    for (const std::size_t step : steps) {
        chosen.push_back(times[step]);
    }
    return chosen;
}

Json stepsToJson(const RunResult& result) {
    Json steps = Json::array();
    const std::vector<DurationNs> times = result.stepTimes();
    for (std::size_t step = 0; step < times.size(); ++step) {
        Json ranks = Json::array();
        for (const auto& rank : result.steps) {
            const StepTruth& truth = rank[step];
            ranks.push_back({{"host_start_ns", truth.host.start_ns},
                             {"host_end_ns", truth.host.end_ns},
                             {"start_ns", truth.span.start_ns},
                             {"end_ns", truth.span.end_ns}});
        }
        steps.push_back({{"number", result.config.first_step + static_cast<int>(step)},
                         {"duration_ns", times[step]},
                         {"ranks", ranks}});
    }
    return steps;
}

Json faultsToJson(const RunResult& result) {
    const Config& config = result.config;
    Json faults = Json::array();
    for (std::size_t i = 0; i < config.faults.size(); ++i) {
        const Fault& fault = config.faults[i];
        const FaultTruth truth = priceFault(result, i);
        Json ranks = Json::array();
        Json steps = Json::array();
        for (int rank = 0; rank < config.ranks; ++rank) {
            if (fault.hits(rank, fault.first_step)) {
                ranks.push_back(rank);
            }
        }
        for (int step = fault.first_step; step <= std::min(fault.last_step, config.steps - 1); ++step) {
            steps.push_back(config.first_step + step);
        }
        faults.push_back({{"kind", traitsOf(fault.kind).name},
                          {"finding", traitsOf(fault.kind).finding},
                          {"ranks", ranks},
                          {"steps", steps},
                          {"step_ns", truth.step_ns},
                          {"step_without_ns", truth.step_without_ns},
                          {"saving_ns", truth.savingNs()},
                          {"mean_saving_ns", truth.mean_saving_ns}});
    }
    return faults;
}

}  // namespace

FaultTruth priceFault(const RunResult& result, std::size_t index) {
    NoEvents nothing;
    const RunResult healed = simulate(without(result.config, index), std::make_shared<StringPool>(), nothing);
    const std::vector<std::size_t> steps = stepsOf(result.config.faults[index], result.config.steps);
    const std::vector<DurationNs> with = pick(result.stepTimes(), steps);
    const std::vector<DurationNs> without_it = pick(healed.stepTimes(), steps);
    const auto sum = [](const std::vector<DurationNs>& v) {
        return std::accumulate(v.begin(), v.end(), DurationNs{0});
    };
    const auto count = static_cast<DurationNs>(std::max<std::size_t>(steps.size(), 1));
    return {median(with), median(without_it), (sum(with) - sum(without_it)) / count};
}

Json truthOf(const RunResult& result) {
    Json clocks = Json::array();
    for (int rank = 0; rank < result.config.ranks; ++rank) {
        const RankClock clock = result.config.clockOf(rank);
        clocks.push_back({{"rank", rank}, {"offset_ns", clock.offset_ns}, {"drift_ppm", clock.drift_ppm}});
    }
    std::vector<DurationNs> times = result.stepTimes();
    if (times.size() > 1) {
        times.erase(times.begin());
    }
    return {{"about", "Made by tracegen. clocks: what each rank's files add to the true time."},
            {"config", toJson(result.config)},
            {"step_ns", median(times)},
            {"clocks", clocks},
            {"steps", stepsToJson(result)},
            {"faults", faultsToJson(result)}};
}

}  // namespace rankscope::tracegen
