// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/machine_score.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "core/diagnosis/analysed_run.h"
#include "tests/accuracy/score.h"
#include "tests/accuracy/simulated_run.h"

namespace rankscope::accuracy {
namespace {

namespace machine = tracegen::machine;

MachineResult resultOf(const MachineCase& one, const machine::TrueRun& run, tracegen::TimeGrid grid) {
    MachineResult result;
    machine::FileSpec files = one.files;
    files.grid = grid;
    AnalysisOptions options;
    options.threads = 1;
    const Result<AnalysedRun> analysed = analyseRun(loadFiles(machine::writeFiles(run, files)), options, {}, {});
    if (!analysed.ok()) {
        throw std::runtime_error("the run cannot be analysed");
    }
    for (const Finding& finding : analysed.value().diagnosis.findings) {
        result.findings.push_back({std::string(findingName(finding.id)), finding.severity, finding.saving_ns,
                                   culpritsOf(finding, *analysed.value().run)});
    }
    for (std::size_t i = 0; one.fault != nullptr && i < result.findings.size(); ++i) {
        if (!result.position && std::ranges::count(one.fault->findings, result.findings[i].id) > 0) {
            result.position = i;
        }
    }
    return result;
}

// The truth about the planted fault.
void addTruth(const MachineCase& one, const machine::TrueRun& run, MachineScore& score) {
    score.step_ns = run.meanStep();
    if (one.fault == nullptr) {
        return;
    }
    score.row = one.row;
    score.finding = std::string(one.fault->findings.front());
    score.price_ns = run.meanStep() - machine::simulate(one.healthy).meanStep();
    score.ranks = machine::ranksOf(*one.fault, run.config);
    score.moves = one.fault->hits == machine::Hits::Somebody;
}

}  // namespace

bool MachineScore::ranksRight(std::size_t at) const {
    if (!found(at)) {
        return false;
    }
    const std::vector<std::int32_t>& named = right(at).ranks;
    return moves ? named.size() > 1 && std::ranges::includes(ranks, named) : named == ranks;
}

DurationNs MachineScore::priceError(std::size_t at) const {
    return std::abs((found(at) ? right(at).saving_ns : 0) - price_ns);
}

bool MachineScore::priceRight(std::size_t at) const {
    return found(at) && priceError(at) <= std::max(price_ns / 10, step_ns / 100);
}

std::vector<std::string> MachineScore::othersAboveLow(std::size_t at) const {
    std::vector<std::string> others;
    const MachineResult& result = results.at(at);
    for (std::size_t i = 0; i < result.findings.size(); ++i) {
        if (result.findings[i].severity > Severity::Low && result.position != i) {
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
        addTruth(one, run, score);
        for (std::size_t at = 0; at < kResolutions; ++at) {
            try {
                score.results.at(at) = resultOf(one, run, kGrids.at(at));
            } catch (const std::exception& error) {
                score.results.at(at).error = error.what();
            }
        }
    } catch (const std::exception& error) {
        score.error = error.what();
    }
    return score;
}

}  // namespace rankscope::accuracy
