// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/reports.h"
#include "core/report/words/comparison_summary.h"

// The parts of the HTML report, a function a part. Private to core/report.
namespace rankscope::report {

/// A part of the page with a heading of its own. One without content is left out.
struct Section {
    std::string key;      ///< of its place in the page, unique in a run: "findings"
    std::string title;    ///< plain text
    std::string content;  ///< HTML
};

/// What is open when the page is: the verdict, the bar of the step, a typical step, and the findings as rows, each a
/// link to its card below. `prefix` is the run's place in the page.
[[nodiscard]] std::string runHeadHtml(const AnalysedRun& run, const std::string& prefix);
[[nodiscard]] Section checkSection(const AnalysedRun& run);
[[nodiscard]] Section checkListsSection(const AnalysedRun& run);
/// A card a finding, with the id `prefix` + "finding-1".
[[nodiscard]] Section findingsSection(const AnalysedRun& run, const std::string& prefix);
[[nodiscard]] Section timeSection(const AnalysedRun& run);
[[nodiscard]] Section stepsSection(const AnalysedRun& run);
[[nodiscard]] Section phasesSection(const AnalysedRun& run);
[[nodiscard]] Section parallelismSection(const AnalysedRun& run);
[[nodiscard]] Section pipelineSection(const AnalysedRun& run);
[[nodiscard]] Section shardsSection(const AnalysedRun& run);
[[nodiscard]] Section memorySection(const AnalysedRun& run);
[[nodiscard]] Section collectivesSection(const AnalysedRun& run);
[[nodiscard]] Section communicationSection(const AnalysedRun& run);
[[nodiscard]] Section bucketsSection(const AnalysedRun& run);
[[nodiscard]] Section stragglersSection(const AnalysedRun& run);
[[nodiscard]] Section kernelsSection(const AnalysedRun& run);
[[nodiscard]] Section clocksSection(const AnalysedRun& run);
[[nodiscard]] Section healthSection(const AnalysedRun& run);
/// What a memory snapshot shows; `key` is its place in the page.
[[nodiscard]] Section snapshotSection(const ReportedSnapshot& snapshot, const std::string& key);
/// What the words of the report mean; the same for all runs.
[[nodiscard]] Section definitionsSection();

/// One step of a pipeline as such figures are drawn: stages as rows, passes as boxes with the number of their
/// micro-batch. Empty if no step is known.
[[nodiscard]] std::string pipelinePicture(const AnalysedRun& run, const Pipeline& pipeline);

/// A comparison in the page. The prefixes are those of the ids of its parts, and of both runs.
struct ComparedPlace {
    ComparisonView view;
    std::string prefix;
    std::string a_prefix;
    std::string b_prefix;
};
/// What changed from one run to another: open the answer with its reason, the way from A's mean step to B's as a
/// waterfall, and what became of the findings, each a link to its card; the rest folded.
[[nodiscard]] std::string comparisonHtml(const ComparedPlace& place);
/// The part of it that is open.
[[nodiscard]] std::string comparisonHeadHtml(const ComparedPlace& place);
/// Where several runs are compared with one: a row a comparison, each a link. Empty for one.
[[nodiscard]] std::string comparisonRowsHtml(const std::vector<ComparedPlace>& places);

/// A typical step of the run as a picture: a row a rank with its compute, communication, copies and gaps. Empty
/// without a complete step.
[[nodiscard]] std::string typicalStepPicture(const AnalysedRun& run);
/// The timelines of one representative step of both runs as two pictures on one scale: a row a rank with its compute,
/// communication and copies, and with its gaps in the colours of their causes. Empty where the runs have no steps that
/// stand against each other.
[[nodiscard]] std::string stepPictures(const ComparisonView& view);

}  // namespace rankscope::report
