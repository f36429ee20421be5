// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/diagnosis/frame/analysed_run.h"

// The drawings of the HTML report: SVG inside the page, coloured by its palette, each with a text for screen readers
// and a tooltip per part.
namespace rankscope::report {

/// One step, a bar per rank on one scale: where its time went. Empty if no rank has device work in it. Of many ranks
/// the first are drawn, and a note says so.
[[nodiscard]] std::string stepAcrossRanks(const AnalysedRun& run, const RunStep& step);
/// A small chart per rank, a column per step: where the time went. Empty if no rank has device work. Of many ranks the
/// first have a chart; of many steps a column shows the longest of several neighbours.
[[nodiscard]] std::string stepsOfEachRank(const AnalysedRun& run);
/// The legend of both: the parts that any step of the run has.
[[nodiscard]] std::string partsLegend(const AnalysedRun& run);
/// How long each step of the run took, and the median.
[[nodiscard]] std::string stepTimes(const AnalysedRun& run);
/// What a finding blocks and what it would save, as parts of the priced step.
[[nodiscard]] std::string priceBar(const Finding& finding, const RunFacts& facts);

}  // namespace rankscope::report
