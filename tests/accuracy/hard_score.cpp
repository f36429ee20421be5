// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/hard_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "tests/accuracy/score.h"
#include "tests/accuracy/simulated_run.h"

namespace rankscope::accuracy::hard {
namespace {

constexpr double kDemandedShare = 0.03;

/// What the steps that a price is based on truly take, and take less without the fault.
struct TrueCost {
    DurationNs step_ns = 0;
    DurationNs price_ns = 0;
};

/// Places in Simulated::step_ns of the steps that the price of `finding` is based on.
std::vector<std::size_t> pricedPlaces(const AnalysedRun& run, const Finding* finding, const Simulated& simulated) {
    std::vector<std::int64_t> numbers;
    for (const RunStep* const step : pricedSteps(run.facts.steps)) {
        numbers.push_back(step->index);
    }
    if (finding != nullptr && finding->coverage.steps > numbers.size()) {
        numbers.insert(numbers.end(), finding->steps.begin(), finding->steps.end());
        std::ranges::sort(numbers);
        numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
    }
    std::vector<std::size_t> places;
    for (const std::int64_t number : numbers) {
        const auto place = static_cast<std::size_t>(number - simulated.first_step);
        if (number >= simulated.first_step && place < simulated.step_ns.size()) {
            places.push_back(place);
        }
    }
    return places;
}

TrueCost trueCost(const Simulated& simulated, std::size_t fault, const std::vector<std::size_t>& places,
                  StepBasis basis) {
    std::vector<DurationNs> with;
    std::vector<DurationNs> without;
    for (const std::size_t place : places) {
        with.push_back(simulated.step_ns[place]);
        without.push_back(simulated.without_ns[fault][place]);
    }
    return {typicalOf(basis, with), typicalOf(basis, with) - typicalOf(basis, without)};
}

/// A finding of a whole window has its price in the mean step, whatever those of others are of.
StepBasis basisOf(const AnalysedRun& run, const Finding& finding) {
    const bool of_window = finding.id == FindingId::StepSpikes || finding.id == FindingId::GpuSlowsDown;
    return of_window ? StepBasis::Mean : run.facts.basis;
}

bool isRight(const Finding& finding, const TrueCost& truth) {
    const DurationNs off_ns = savingWithoutCost(finding) - truth.price_ns;
    const DurationNs tolerance_ns = std::max(truth.price_ns / 10, truth.step_ns / 100);
    return finding.at_most ? off_ns >= -tolerance_ns : std::abs(off_ns) <= tolerance_ns;
}

bool ranksAreRight(const Planted& planted, const std::vector<std::int32_t>& found) {
    return planted.moves ? found.size() > 1 && std::ranges::includes(planted.ranks, found) : planted.ranks == found;
}

bool explains(const Planted& planted, const Finding& finding) {
    return std::ranges::find(planted.findings, findingName(finding.id)) != planted.findings.end();
}

/// The finding of a fault: of several that would do, the one with its ranks, else the most expensive.
const Finding* findingFor(const Planted& planted, const AnalysedRun& run) {
    const Finding* best = nullptr;
    for (const Finding& finding : run.diagnosis.findings) {
        if (!explains(planted, finding)) {
            continue;
        }
        const bool right = ranksAreRight(planted, culpritsOf(finding, *run.run));
        if (best == nullptr || (right && !ranksAreRight(planted, culpritsOf(*best, *run.run)))) {
            best = &finding;
        }
    }
    return best;
}

std::string saidOf(const AnalysedRun& run, const TrueCost& truth) {
    std::string text = "truth " + formatDuration(truth.price_ns) + " of " + formatDuration(truth.step_ns) + "; said:";
    for (const Finding& finding : run.diagnosis.findings) {
        text += " " + std::string(findingName(finding.id)) + (finding.at_most ? " up to " : " ") +
                formatDuration(finding.saving_ns) + " " + std::string(severityName(finding.severity)) + " (";
        for (const std::int32_t rank : culpritsOf(finding, *run.run)) {
            text += std::to_string(rank) + " ";
        }
        text.back() = ')';
    }
    return text;
}

FaultAt judgedFault(const Planted& planted, std::size_t index, const Simulated& simulated, const AnalysedRun& run) {
    const Finding* const finding = findingFor(planted, run);
    const StepBasis basis = finding == nullptr ? StepBasis::Mean : basisOf(run, *finding);
    const TrueCost truth = trueCost(simulated, index, pricedPlaces(run, finding, simulated), basis);
    FaultAt at;
    at.said = saidOf(run, truth);
    at.found = finding != nullptr;
    at.ranks_right = finding != nullptr && ranksAreRight(planted, culpritsOf(*finding, *run.run));
    at.price_right = finding != nullptr && isRight(*finding, truth);
    return at;
}

void judgeAt(const Case& one, const Simulated& simulated, std::size_t at, Score& score) {
    const AnalysedRun run = analyseAlone(simulated.load(kGrids.at(at)));
    for (std::size_t i = 0; i < one.faults.size(); ++i) {
        score.faults[i].at.at(at) = judgedFault(one.faults[i], i, simulated, run);
    }
    bool first = false;
    for (std::size_t i = 0; i < one.faults.size() && !run.diagnosis.findings.empty(); ++i) {
        first = first || (score.faults[i].demanded && explains(one.faults[i], run.diagnosis.findings.front()));
    }
    for (FaultScore& fault : score.faults) {
        fault.at.at(at).first = first;
    }
    for (const Finding& finding : run.diagnosis.findings) {
        const bool planted = std::ranges::any_of(one.faults, [&](const Planted& p) { return explains(p, finding); });
        if (finding.severity > Severity::Low && !planted) {
            score.alarms.at(at).emplace_back(findingName(finding.id));
        }
    }
}

/// Which faults have to be found, by the mean of all steps but the first.
void markDemanded(const Simulated& simulated, Score& score) {
    std::vector<std::size_t> places;
    for (std::size_t place = 1; place < simulated.step_ns.size(); ++place) {
        places.push_back(place);
    }
    std::vector<DurationNs> prices;
    for (std::size_t i = 0; i < score.faults.size(); ++i) {
        const TrueCost truth = trueCost(simulated, i, places, StepBasis::Mean);
        prices.push_back(truth.price_ns);
        score.faults[i].demanded =
            static_cast<double>(truth.price_ns) >= kDemandedShare * static_cast<double>(truth.step_ns);
    }
    if (!prices.empty()) {
        const auto dearest = static_cast<std::size_t>(std::ranges::max_element(prices) - prices.begin());
        score.faults[dearest].dearest = score.faults[dearest].demanded;
    }
}

}  // namespace

Score judge(const Case& one) {
    Score score;
    score.name = one.name;
    score.row = one.row;
    for (const Planted& planted : one.faults) {
        score.faults.push_back({planted.name, false, false, {}});
    }
    try {
        const Simulated simulated = one.simulate();
        markDemanded(simulated, score);
        for (std::size_t at = 0; at < kResolutions; ++at) {
            judgeAt(one, simulated, at, score);
        }
    } catch (const std::exception& error) {
        score.error = error.what();
    }
    return score;
}

std::vector<std::string> failuresOf(const Score& score) {
    if (!score.error.empty()) {
        return {score.row + " | " + score.name + " | " + score.error};
    }
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < kResolutions; ++at) {
        const std::string where = score.row + " | " + score.name + " at " + std::string(kGridNames.at(at)) + ": ";
        for (const FaultScore& fault : score.faults) {
            const FaultAt& judged = fault.at.at(at);
            std::string wrong;
            if (fault.demanded) {
                wrong = !judged.found ? "not found " : "";
                wrong += judged.found && !judged.ranks_right ? "wrong ranks " : "";
                wrong += judged.found && !judged.price_right ? "wrong price " : "";
                wrong += fault.dearest && !judged.first ? "not first" : "";
            }
            if (!wrong.empty()) {
                lines.push_back(fmt::format("{}{} {}; {}", where, fault.name, wrong, judged.said));
            }
        }
        for (const std::string& id : score.alarms.at(at)) {
            lines.push_back(fmt::format("{}false alarm {}", where, id));
        }
    }
    return lines;
}

}  // namespace rankscope::accuracy::hard
