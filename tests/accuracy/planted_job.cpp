// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/planted_job.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/machine/job_truth.h"

namespace rankscope::accuracy {

const Finding* PlantedJob::finding(FindingId id) const {
    const auto at = std::ranges::find(run.diagnosis.findings, id, &Finding::id);
    return at == run.diagnosis.findings.end() ? nullptr : &*at;
}

const Finding& PlantedJob::found(FindingId id) const {
    const Finding* const found = finding(id);
    return found != nullptr ? *found : throw std::runtime_error("no finding is a " + std::string(findingName(id)));
}

PlantedJob plantIn(tracegen::machine::Config config, const tracegen::machine::PlantedFault& fault) {
    const tracegen::machine::TrueRun without = tracegen::machine::simulate(config);
    fault.fault->plant(config, fault.strength);
    const tracegen::machine::TrueRun with = tracegen::machine::simulate(config);
    const nlohmann::json truth = tracegen::machine::truthOf(with, {}, &fault, &without).at("faults").at(0);
    PlantedJob job{analyseSimulated(with), truth.at("saving_ns").get<double>(), truth.at("step_ns").get<double>(), {}};
    for (const auto rank : truth.at("ranks").get<std::vector<std::uint32_t>>()) {
        job.ranks.emplace_back(rank);
    }
    return job;
}

}  // namespace rankscope::accuracy
