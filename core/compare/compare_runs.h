// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/compare/breakdown.h"
#include "core/compare/comparability.h"
#include "core/compare/difference.h"
#include "core/compare/pairing/pair_collectives.h"
#include "core/compare/pairing/pair_findings.h"
#include "core/compare/pairing/pair_names.h"
#include "core/compare/pairing/pair_ranks.h"
#include "core/compare/step_samples.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// Tokens a second of iterations of one kind, in both runs; nothing in a run whose ranges do not count them.
struct ThroughputPair {
    std::optional<IterationKind> kind;
    std::optional<double> a;
    std::optional<double> b;
};

/// The kinds of iterations that both runs have and whose tokens either knows. Empty for runs that do not serve: no
/// trace has the tokens of a training step.
[[nodiscard]] std::vector<ThroughputPair> compareThroughput(const RunFacts& a, const RunFacts& b);

/// What changed from run A, the baseline, to run B. The window, the command line and the reports read this. Names point
/// into the runs, which must outlive it.
struct RunComparison {
    std::vector<ConfigDifference> differs;  ///< in what else the runs differ, to be read before the verdict
    SharedKernels shared_kernels;
    StepSamples a_samples;
    StepSamples b_samples;
    StepDifference step;                 ///< cannot be judged where something prevents it
    std::optional<Breakdown> breakdown;  ///< where the time of the mean step went; nothing if unknown for a run
    std::vector<FindingPair> findings;
    std::vector<NamePair> kernels;
    std::vector<NamePair> operators;
    std::vector<CollectivePair> collectives;
    std::vector<RankPair> ranks;
    bool ranks_by_place = false;             ///< paired by their places in grids that differ
    std::vector<std::string> rank_notes;     ///< RankMatches::notes
    std::vector<ThroughputPair> throughput;  ///< of iterations of servers, by their kind
};

/// With `read`, what operators were called with is compared too: files are read again, some milliseconds an operator.
[[nodiscard]] RunComparison compareRuns(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read = {});

/// The answer in one line, to be first and large: "Faster: a step takes 50.9 ms less (-29 %)".
[[nodiscard]] std::string comparisonHeadline(const RunComparison& comparison);

/// The verdict in a sentence or two, with its numbers: "Faster: the median step takes 50.9 ms less (-29 %), 125.7 ms
/// against 176.6 ms. With 95 % confidence it is 43.9 to 57.9 ms less (-25 % to -33 %), so 118.7 ms to 132.7 ms, from 6
/// and 4 steps."
[[nodiscard]] std::string comparisonVerdict(const RunComparison& comparison);

/// Whether the step has become longer by more than `percent` of A's median with confidence: the whole interval is above
/// it. False if it cannot be judged.
[[nodiscard]] bool isRegression(const RunComparison& comparison, double percent);

}  // namespace rankscope
