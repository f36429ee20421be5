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

/// Tokens per second in iterations of one kind, in both runs. Nothing for a run that does not record token counts.
struct ThroughputPair {
    std::optional<IterationKind> kind;
    std::optional<double> a;
    std::optional<double> b;
};

/// The kinds of iterations that both runs have, if at least one run counts their tokens. Empty for training: no trace
/// records the tokens of a training step.
[[nodiscard]] std::vector<ThroughputPair> compareThroughput(const RunFacts& a, const RunFacts& b);

/// What changed from side A, the baseline, to side B. The answer is over all recordings; the rest compares the one
/// recording of each side that is shown. The window, the command line and the reports use this. Names point into the
/// runs, which must outlive it.
struct RunComparison {
    ComparedSide a_side;
    ComparedSide b_side;
    StepAnswer answer;                      ///< CannotJudge if something prevents a comparison
    std::vector<ConfigDifference> differs;  ///< other differences of the runs; read them before the answer
    SharedKernels shared_kernels;
    StepSamples a_samples;
    StepSamples b_samples;
    StepDifference step;                 ///< between the two recordings that are shown
    std::optional<Breakdown> breakdown;  ///< where the time of the mean step went; nothing if it is unknown for a run
    std::vector<FindingPair> findings;
    std::vector<NamePair> kernels;
    std::vector<NamePair> operators;
    std::vector<CollectivePair> collectives;
    std::vector<RankPair> ranks;
    bool ranks_by_place = false;             ///< ranks are paired by their places, because the grids differ
    std::vector<std::string> rank_notes;     ///< RankMatches::notes
    std::vector<ThroughputPair> throughput;  ///< of a server's iterations, by kind
};

/// `read` also compares the operators' inputs: it reads the files again, a few milliseconds per operator. `matters` is
/// the smallest share of A's step that matters, above 0.
[[nodiscard]] RunComparison compareSides(const SideRuns& a, const SideRuns& b, double matters = kMatters,
                                         const EventReader& read = {});
/// The same for one recording per side.
[[nodiscard]] RunComparison compareRuns(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read = {});

/// Whether a difference prevents any comparison of the steps.
[[nodiscard]] bool isPrevented(const RunComparison& comparison);

/// The answer in one line, to show first and large: "Faster: a step takes 50.9 ms less (-29 %)".
[[nodiscard]] std::string comparisonHeadline(const RunComparison& comparison);

/// The answer in a few sentences, with numbers: "Slower: a step takes 3.10 ms more (+3.1 %), 103.1 ms against 100.0 ms.
/// 95 %: 1.20 to 5.00 ms more (+1.2 % to +5.0 %), so 101.2 ms to 105.0 ms, from 3 and 3 recordings."
[[nodiscard]] std::string comparisonVerdict(const RunComparison& comparison);

/// Whether the step is longer by more than `percent` of A's: the whole interval is above it. With one recording per
/// side it must also be above kRerunsApart. False if it cannot be judged.
[[nodiscard]] bool isRegression(const RunComparison& comparison, double percent);

/// Why isRegression() is false although the step may be longer by more than `percent`, and how many recordings would
/// show it. Empty if it cannot be that much longer.
[[nodiscard]] std::string unseenRegression(const RunComparison& comparison, double percent);

}  // namespace rankscope
