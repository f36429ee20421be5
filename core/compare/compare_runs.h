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
#include "core/compare/sides.h"
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

/// What changed from side A, the baseline, to side B. The answer is that of all recordings; the rest is of the one of
/// each side that is shown. The window, the command line and the reports read this. Names point into the runs, which
/// must outlive it.
struct RunComparison {
    ComparedSide a_side;
    ComparedSide b_side;
    StepAnswer answer;                      ///< cannot be judged where something prevents it
    std::vector<ConfigDifference> differs;  ///< in what else the runs differ, to be read before the answer
    SharedKernels shared_kernels;
    StepSamples a_samples;
    StepSamples b_samples;
    StepDifference step;                 ///< of the two recordings that are shown
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
/// `matters` is the smallest share of A's step that matters, above 0.
[[nodiscard]] RunComparison compareSides(const SideRuns& a, const SideRuns& b, double matters = kMatters,
                                         const EventReader& read = {});
/// The same of one recording a side.
[[nodiscard]] RunComparison compareRuns(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read = {});

/// Whether something prevents that the steps are compared at all.
[[nodiscard]] bool isPrevented(const RunComparison& comparison);

/// The answer in one line, to be first and large: "Faster: a step takes 50.9 ms less (-29 %)".
[[nodiscard]] std::string comparisonHeadline(const RunComparison& comparison);

/// The answer in a sentence or two, with its numbers: "Slower: a step takes 3.10 ms more (+3.1 %), 103.1 ms against
/// 100.0 ms. 95 %: 1.20 to 5.00 ms more (+1.2 % to +5.0 %), so 101.2 ms to 105.0 ms, from 3 and 3 recordings."
[[nodiscard]] std::string comparisonVerdict(const RunComparison& comparison);

/// Whether the step has become longer by more than `percent` of A's with confidence: the whole interval is above it.
/// With one recording of each side it must be above kRerunsApart too. False if it cannot be judged.
[[nodiscard]] bool isRegression(const RunComparison& comparison, double percent);

/// Why isRegression() is false although the step may be longer by more than `percent`, and how many recordings would be
/// enough to see it; empty if that is not so.
[[nodiscard]] std::string unseenRegression(const RunComparison& comparison, double percent);

}  // namespace rankscope
