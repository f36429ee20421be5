// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/machine_score.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <set>
#include <stdexcept>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"
#include "tests/accuracy/score.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/machine/job_truth.h"

namespace rankscope::accuracy {
namespace {

namespace machine = tracegen::machine;

/// The steps that the price of `finding` stands on; without one, that prices of the run stand on.
std::vector<const RunStep*> coveredSteps(const AnalysedRun& analysed, const Finding* finding) {
    std::vector<const RunStep*> covered = pricedSteps(analysed.facts.steps);
    if (finding != nullptr && (finding->id == FindingId::StepSpikes || finding->coverage.steps > covered.size())) {
        for (const RunStep& step : analysed.facts.steps) {
            const bool spike = std::ranges::find(finding->steps, step.index) != finding->steps.end();
            if (spike && std::ranges::find(covered, &step) == covered.end()) {
                covered.push_back(&step);
            }
        }
    }
    return covered;
}

/// When step `step` ends on one rank of files without marks: when it leaves its optimizer, and the device has done what
/// was launched by then.
TimeNs endOfOptimizer(const std::vector<tracegen::Event>& events, const StringPool& names, int step) {
    TimeNs left_ns = 0;
    for (const tracegen::Event& event : events) {
        if (event.step == step && names.view(event.name).starts_with("Optimizer.step#")) {
            left_ns = std::max(left_ns, event.end_ns);
        }
    }
    std::set<std::uint64_t> launched;
    for (const tracegen::Event& event : events) {
        if (event.step == step && event.kernel.valid() && event.end_ns <= left_ns) {
            launched.insert(event.correlation);
        }
    }
    TimeNs end_ns = left_ns;
    for (const tracegen::Event& event : events) {
        const bool of_it = event.step == step && event.correlation != 0 && launched.contains(event.correlation);
        end_ns = of_it ? std::max(end_ns, event.end_ns) : end_ns;
    }
    return end_ns;
}

/// Where the steps begin and end that a reader of the files counts, the first one's beginning first.
std::vector<TimeNs> boundariesOf(const machine::TrueRun& run) {
    if (run.config.model.step_marks || (run.config.job && run.config.job->serving)) {
        std::vector<TimeNs> at_ns = {run.window_start_ns};
        at_ns.insert(at_ns.end(), run.step_ends.begin(), run.step_ends.end());
        return at_ns;
    }
    std::vector<TimeNs> at_ns(run.step_ends.size());
    for (std::size_t step = 0; step < at_ns.size(); ++step) {
        for (const std::vector<tracegen::Event>& rank : run.events) {
            at_ns[step] = std::max(at_ns[step], endOfOptimizer(rank, *run.names, static_cast<int>(step)));
        }
    }
    return at_ns;
}

/// What these steps truly took, and took less without the fault.
MachineTruth truthOf(const std::vector<const RunStep*>& steps, const machine::TrueRun& run,
                     const machine::TrueRun& without) {
    const std::vector<TimeNs> ends = boundariesOf(run);
    const std::vector<TimeNs> ends_without = boundariesOf(without);
    std::vector<DurationNs> with_it;
    std::vector<DurationNs> less;
    for (const RunStep* step : steps) {
        const auto at =
            static_cast<std::size_t>(step->index - (run.config.model.step_marks ? run.config.first_step : 0));
        if (at + 1 < ends.size() && at + 1 < ends_without.size()) {
            with_it.push_back(ends[at + 1] - ends[at]);
            less.push_back(with_it.back() - (ends_without[at + 1] - ends_without[at]));
        }
    }
    return with_it.empty() ? MachineTruth() : MachineTruth{meanOf(with_it), meanOf(less)};
}

DurationNs toleranceOf(const MachineTruth& truth) {
    return std::max(truth.price_ns / 10, truth.step_ns / 100);
}

/// What is true of a job without a fault all the same, since it is the price of how its work is divided.
class HealthyTruth {
  public:
    HealthyTruth(const MachineCase& one, const machine::TrueRun& run) : one_(one), run_(run) {}

    [[nodiscard]] bool holds(const AnalysedRun& analysed, const Finding& finding) {
        if (one_.fault != nullptr || !one_.healthy.job) {
            return false;
        }
        switch (finding.id) {
            case FindingId::PipelineBubble: return isOfTheory(analysed, finding);
            case FindingId::TensorCommunication: return isOfFreeLayers(analysed, finding);
            default: return false;
        }
    }

  private:
    /// More micro-batches save the bubble of a schedule, or a part of that, as theory has it.
    [[nodiscard]] bool isOfTheory(const AnalysedRun& analysed, const Finding& finding) const {
        constexpr double kOff = 1.02;
        const double bubble = machine::bubbleOfTheory(*one_.healthy.job);
        return static_cast<double>(finding.saving_ns) <=
               kOff * bubble * static_cast<double>(analysed.facts.pricedStep());
    }

    /// Divided layers are put together with nothing beside it: the bound is no less than what the same steps take less
    /// where the transfers take no time, simulated, and no more than where all ranks leave them at once besides.
    [[nodiscard]] bool isOfFreeLayers(const AnalysedRun& analysed, const Finding& finding) {
        if (!free_) {
            machine::Config config = one_.healthy;
            config.job->free_layers = true;
            free_ = machine::simulate(config);
            config.network.tail_ns = 0;
            left_at_once_ = machine::simulate(config);
        }
        const std::vector<const RunStep*> steps = coveredSteps(analysed, &finding);
        const MachineTruth least = truthOf(steps, run_, *free_);
        const MachineTruth most = truthOf(steps, run_, *left_at_once_);
        return finding.at_most && finding.saving_ns >= least.price_ns - toleranceOf(least) &&
               finding.saving_ns <= most.price_ns + toleranceOf(most);
    }

    const MachineCase& one_;
    const machine::TrueRun& run_;
    // Once they are asked for:
    std::optional<machine::TrueRun> free_;          ///< with free layers
    std::optional<machine::TrueRun> left_at_once_;  ///< and no time to leave a collective in
};

MachineResult resultOf(const MachineCase& one, const machine::TrueRun& run, const machine::TrueRun& without,
                       tracegen::TimeGrid grid, HealthyTruth& healthy) {
    MachineResult result;
    machine::FileSpec files = one.files;
    files.grid = grid;
    const AnalysedRun analysed = analyseAlone(loadFiles(machine::writeFiles(run, files)));
    for (const Finding& finding : analysed.diagnosis.findings) {
        result.findings.push_back({std::string(findingName(finding.id)), finding.severity, finding.saving_ns,
                                   culpritsOf(finding, *analysed.run), finding.at_most, finding.range,
                                   healthy.holds(analysed, finding)});
    }
    for (std::size_t i = 0; one.fault != nullptr && i < result.findings.size(); ++i) {
        if (!result.position && std::ranges::count(one.fault->findings, result.findings[i].id) > 0) {
            result.position = i;
        }
    }
    const Finding* right = result.position ? &analysed.diagnosis.findings[*result.position] : nullptr;
    result.covered = truthOf(coveredSteps(analysed, right), run, without);
    return result;
}

// The truth about the planted fault.
void addTruth(const MachineCase& one, const machine::TrueRun& run, const machine::TrueRun& without,
              MachineScore& score) {
    score.window = {run.meanStep(), run.meanStep() - without.meanStep()};
    score.job = run.config.job.has_value();
    if (one.fault == nullptr) {
        return;
    }
    score.row = one.row;
    score.finding = std::string(one.fault->findings.front());
    score.ranks = machine::ranksOf(*one.fault, run.config);
    score.moves = one.fault->hits == machine::Hits::Somebody;
    score.by_interval = one.fault->by_interval;
    score.awaited = awaitedOf(one.fault->name);
}

}  // namespace

bool MachineScore::ranksRight(std::size_t at) const {
    if (!found(at)) {
        return false;
    }
    const std::vector<std::int32_t>& named = right(at).ranks;
    return moves ? named.size() > 1 && std::ranges::includes(ranks, named) : named == ranks;
}

bool MachineScore::demanded() const {
    return !healthy() && 100 * window.price_ns >= 3 * window.step_ns;
}

DurationNs MachineScore::priceError(std::size_t at) const {
    return std::abs((found(at) ? right(at).saving_ns : 0) - results.at(at).covered.price_ns);
}

bool MachineScore::priceRight(std::size_t at) const {
    const MachineTruth& truth = results.at(at).covered;
    const bool above = isBound(at) && right(at).saving_ns >= truth.price_ns;
    return found(at) && (above || priceError(at) <= toleranceOf(truth));
}

bool MachineScore::windowPriceRight(std::size_t at) const {
    return found(at) && std::abs(right(at).saving_ns - window.price_ns) <= toleranceOf(window);
}

bool MachineScore::rangeRight(std::size_t at) const {
    if (!found(at) || priceRight(at)) {
        return found(at);
    }
    const DurationNs price_ns = results.at(at).covered.price_ns;
    const std::optional<SavingRange>& range = right(at).range;
    return range && range->low_ns <= price_ns && price_ns <= range->high_ns;
}

std::vector<std::string> MachineScore::othersAboveLow(std::size_t at) const {
    std::vector<std::string> others;
    const MachineResult& result = results.at(at);
    for (std::size_t i = 0; i < result.findings.size(); ++i) {
        if (result.findings[i].severity > Severity::Low && result.position != i && !result.findings[i].is_true) {
            others.push_back(result.findings[i].id);
        }
    }
    return others;
}

MachineScore judge(const MachineCase& one) {
    MachineScore score;
    score.name = one.name;
    try {
        const machine::TrueRun run = machine::simulate(one.planted());
        const machine::TrueRun without = one.fault == nullptr ? run : machine::simulate(one.healthy);
        addTruth(one, run, without, score);
        HealthyTruth healthy(one, run);
        for (std::size_t at = 0; at < kResolutions; ++at) {
            try {
                score.results.at(at) = resultOf(one, run, without, kGrids.at(at), healthy);
            } catch (const std::exception& error) {
                score.results.at(at).error = error.what();
            }
        }
    } catch (const std::exception& error) {
        score.error = error.what();
    }
    return score;
}

MachineScore judgeCase(const std::string& name) {
    const std::vector<MachineCase> all = machineMatrix();
    const auto found = std::ranges::find(all, name, &MachineCase::name);
    if (found == all.end()) {
        throw std::out_of_range("no case " + name);
    }
    return judge(*found);
}

}  // namespace rankscope::accuracy
