// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/compare/difference.h"
#include "tests/tracegen/config.h"

namespace rankscope::accuracy {

/// Two runs of the same job, the second with slower kernels or not. Each step of both has a piece of host code that
/// takes a time of chance, which is what makes steps differ.
struct RunPair {
    std::string name;  ///< "pair/10%/8/3": change, steps, number
    int change_percent = 0;
    int steps = 0;
    tracegen::Config a;
    tracegen::Config b;
};

/// 201 pairs without a change and 90 with one of 3, 10 and 30 % of the step each, of 4, 8 and 16 steps.
[[nodiscard]] std::vector<RunPair> pairMatrix();

/// What the difference of their steps says (core/compare/difference.h).
struct PairScore {
    std::string name;
    int change_percent = 0;
    int steps = 0;
    StepVerdict verdict = StepVerdict::CannotJudge;
    double true_share = 0;   ///< of the simulator's own steps: difference of means over A's mean
    double true_spread = 0;  ///< standard deviation of a step over the mean, of both runs
    std::string error;       ///< why it could not be judged, if so
};

/// Writes both runs as files in memory, loads, analyses and compares them.
[[nodiscard]] PairScore judge(const RunPair& pair);

/// All pairs of one change and number of steps.
struct PairTally {
    int change_percent = 0;
    int steps = 0;
    std::size_t pairs = 0;
    std::size_t slower = 0;
    std::size_t faster = 0;
    double true_share = 0;   ///< mean of the pairs
    double true_spread = 0;  ///< root of the mean square
    double expected = 0;     ///< what this method finds of normal samples with that effect
    double allowed = 0;      ///< what Student's t-test, the best there is for normal samples, finds of them

    /// A verdict where nothing changed, or the wrong one.
    [[nodiscard]] std::size_t wrong() const { return change_percent == 0 ? slower + faster : faster; }
};
[[nodiscard]] std::vector<PairTally> tallyOf(const std::vector<PairScore>& scores);

/// At most 5 % of the pairs without a change get a verdict, and of those with one as many as expected, within three
/// standard deviations of chance. At most half of 5 % are called faster where they became slower, since of two ways to
/// be wrong only one is left.
[[nodiscard]] bool holds(const std::vector<PairTally>& tallies);

/// The table, in Markdown.
[[nodiscard]] std::string markdownOf(const std::vector<PairTally>& tallies);

}  // namespace rankscope::accuracy
