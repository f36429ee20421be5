// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/diagnosis/frame/analysed_run.h"

// The drawings of the HTML report: SVG inside the page, coloured by its palette, each with words for those who cannot
// see it and a tip at each part.
namespace rankscope::report {

/// One step, a bar per rank on one scale: where its time went. Empty if no rank has device work in it. Of many ranks
/// the first are drawn, and a note says so.
[[nodiscard]] std::string stepAcrossRanks(const AnalysedRun& run, const RunStep& step);
/// A small chart per rank, a column per step: where the time went. Empty if no rank has device work. Of many ranks the
/// first have one; of many steps a column is the longest of several neighbours.
[[nodiscard]] std::string stepsOfEachRank(const AnalysedRun& run);
/// What the colours of both mean: the parts that any step of the run has.
[[nodiscard]] std::string partsLegend(const AnalysedRun& run);
/// How long each step of the run took, and the median.
[[nodiscard]] std::string stepTimes(const AnalysedRun& run);
/// What a finding blocks and what it would save, of the step that prices are of.
[[nodiscard]] std::string priceBar(const Finding& finding, const RunFacts& facts);

}  // namespace rankscope::report
