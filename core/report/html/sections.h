// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/reports.h"
#include "core/report/words/comparison_summary.h"

// The parts of the HTML report, one function per part. Private to core/report.
namespace rankscope::report {

/// A part of the page with its own heading. One without content is left out.
struct Section {
    std::string key;      ///< part of its id in the page, unique within a run: "findings"
    std::string title;    ///< plain text
    std::string content;  ///< HTML
};

/// What the page shows unfolded: the verdict, the bar of the step, a typical step, and the findings as rows, each a
/// link to its card below. `prefix` begins the ids of the run's parts.
[[nodiscard]] std::string runHeadHtml(const AnalysedRun& run, const std::string& prefix);
[[nodiscard]] Section checkSection(const AnalysedRun& run);
[[nodiscard]] Section checkListsSection(const AnalysedRun& run);
/// One card per finding, with the id `prefix` + "finding-1".
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
/// What a memory snapshot shows; `key` is its id in the page.
[[nodiscard]] Section snapshotSection(const ReportedSnapshot& snapshot, const std::string& key);
/// The meaning of the report's words; the same for all runs.
[[nodiscard]] Section definitionsSection();

/// One step of a pipeline in the usual form: stages as rows, passes as boxes with the number of their micro-batch.
/// Empty if no step is known.
[[nodiscard]] std::string pipelinePicture(const AnalysedRun& run, const Pipeline& pipeline);

/// A comparison in the page, with the prefixes of the ids of its parts and of both runs' parts.
struct ComparedPlace {
    ComparisonView view;
    std::string prefix;
    std::string a_prefix;
    std::string b_prefix;
};
/// What changed from one run to another. Unfolded are the answer with its reason, the waterfall from A's mean step to
/// B's, and the state of the findings, each a link to its card; the rest is folded.
[[nodiscard]] std::string comparisonHtml(const ComparedPlace& place);
/// Its unfolded part.
[[nodiscard]] std::string comparisonHeadHtml(const ComparedPlace& place);
/// If several runs are compared with one: a row per comparison, each a link. Empty for one comparison.
[[nodiscard]] std::string comparisonRowsHtml(const std::vector<ComparedPlace>& places);

/// A typical step of the run as a picture: a row per rank with its compute, communication, copies and gaps. Empty
/// without a complete step.
[[nodiscard]] std::string typicalStepPicture(const AnalysedRun& run);
/// The timelines of one representative step of both runs, as two pictures on one scale: a row per rank with its
/// compute, communication and copies, and with its gaps in the colours of their causes. Empty if the runs have no steps
/// that correspond.
[[nodiscard]] std::string stepPictures(const ComparisonView& view);

}  // namespace rankscope::report
