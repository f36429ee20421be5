// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/score.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/step_program.h"
#include "tests/tracegen/truth.h"

namespace rankscope::accuracy {
namespace {

using tracegen::Config;
using tracegen::Fault;
using tracegen::FaultKind;

/// The least share of the step that a finding of this id may save (design section 5).
double leastShare(std::string_view finding) {
    return finding == "straggler-rank" || finding == "moving-straggler" ? 0.03 : 0.01;
}

std::vector<std::int32_t> ranksOf(const Fault& fault, const Config& config) {
    std::vector<std::int32_t> ranks;
    for (int rank = 0; rank < config.ranks; ++rank) {
        if (fault.hits(rank, fault.first_step)) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

/// The ranks that a fault that moves has hit in the window.
std::vector<std::int32_t> turnsOf(const Config& config) {
    const tracegen::Model model = tracegen::makeModel(config);
    std::vector<std::int32_t> ranks;
    for (int rank = 0; rank < config.ranks; ++rank) {
        for (int step = 0; step < config.steps; ++step) {
            if (tracegen::isRanksTurn({config, model, rank, step})) {
                ranks.push_back(rank);
                break;
            }
        }
    }
    return ranks;
}

/// The finding that a fault leads to in these files. Those of 2021 hold no sizes of collectives: a slow collective and
/// one of a large bucket are transfers in the open like any other there, and small buckets are many launches.
std::string_view findingOf(const Fault& fault, const Config& config) {
    constexpr double kDefaultBucketMb = 25;
    const bool sized = fault.kind == FaultKind::BucketSize;
    if (config.dialect == tracegen::Dialect::Old && (sized || fault.kind == FaultKind::SlowCollective)) {
        return sized && fault.amount < kDefaultBucketMb ? "launch-bound" : "exposed-communication";
    }
    return tracegen::traitsOf(fault.kind).finding;
}

FaultScore scoreFault(const tracegen::RunResult& simulated, std::size_t index, const AnalysedRun& analysed) {
    const Fault& fault = simulated.config.faults[index];
    const tracegen::FaultTruth truth = tracegen::priceFault(simulated, index);
    FaultScore score;
    score.fault = tracegen::traitsOf(fault.kind).name;
    score.finding = findingOf(fault, simulated.config);
    score.step_ns = truth.step_ns;
    // The price of a mean step is held against what the steps take less in the mean.
    score.saving_ns = analysed.facts.basis == StepBasis::Mean ? truth.mean_saving_ns : truth.savingNs();
    // Small buckets that look like any launches are not demanded: a launch is not what they cost.
    const bool only_launches = fault.kind == FaultKind::BucketSize && score.finding == "launch-bound";
    score.priced = fault.kind != FaultKind::MemoryPressure;
    score.moves = fault.kind == FaultKind::ColdBatches || fault.kind == FaultKind::UnevenWork;
    score.ranks = score.moves ? turnsOf(simulated.config) : ranksOf(fault, simulated.config);
    const double least = leastShare(score.finding) * static_cast<double>(truth.step_ns);
    score.demanded =
        !only_launches && (!score.priced || static_cast<double>(score.saving_ns - score.tolerance()) >= least);
    const auto& findings = analysed.diagnosis.findings;
    const auto found = std::ranges::find(findings, score.finding, [](const Finding& f) { return findingName(f.id); });
    if (found != findings.end()) {
        score.found_saving_ns = savingWithoutCost(*found);
        score.confidence = found->confidence;
        score.found_ranks = culpritsOf(*found, *analysed.run);
    }
    return score;
}

std::vector<StrayFinding> straysOf(const AnalysedRun& analysed, const std::vector<FaultScore>& faults) {
    std::vector<StrayFinding> strays;
    for (const Finding& finding : analysed.diagnosis.findings) {
        if (std::ranges::find(faults, findingName(finding.id), &FaultScore::finding) == faults.end()) {
            strays.push_back({std::string(findingName(finding.id)), finding.severity, finding.share, finding.why});
        }
    }
    return strays;
}

}  // namespace

DurationNs savingWithoutCost(const Finding& finding) {
    return finding.saving_ns + (finding.cost && !finding.at_most ? finding.cost->likely_ns : 0);
}

std::vector<std::int32_t> culpritsOf(const Finding& finding, const Run& run) {
    std::vector<std::int32_t> ranks;
    ranks.reserve(finding.ranks.size());
    for (const std::uint32_t index : finding.ranks) {
        ranks.push_back(run.ranks[index]->rank.value_or(RankNumber(-1)).value);
    }
    std::ranges::sort(ranks);
    return ranks;
}

bool FaultScore::ranksRight() const {
    if (!moves) {
        return found() && ranks == found_ranks;
    }
    return found() && found_ranks.size() > 1 && std::ranges::includes(ranks, found_ranks);
}

DurationNs FaultScore::priceError() const {
    return std::abs(found_saving_ns.value_or(0) - saving_ns);
}

DurationNs FaultScore::tolerance() const {
    return std::max(std::abs(saving_ns) / 20, step_ns / 200);
}

CaseScore judge(const Case& one) {
    CaseScore score;
    score.name = one.name;
    try {
        const tracegen::RunResult simulated = tracegen::simulate(one.config);
        const AnalysedRun analysed = analyseAlone(loadSimulated(simulated));
        for (std::size_t i = 0; i < one.config.faults.size(); ++i) {
            score.faults.push_back(scoreFault(simulated, i, analysed));
        }
        score.strays = straysOf(analysed, score.faults);
        score.clocks = scoreClocks(simulated, analysed.clock);
    } catch (const std::exception& error) {
        score.error = error.what();
    }
    return score;
}

}  // namespace rankscope::accuracy
