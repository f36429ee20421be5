// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

/// Further pipelines are in the CSV and the JSON report.
constexpr std::size_t kPipelines = 20;
constexpr std::size_t kPipelineRows = 200;

}  // namespace

Section pipelineSection(const AnalysedRun& run) {
    if (run.facts.pipeline.pipelines.empty()) {
        return {"pipeline", "Pipelines", {}};
    }
    std::string content = bulletList(pipelineLines(run, kPipelines));
    content += pipelinePicture(run, run.facts.pipeline.pipelines.front());
    if (const DataTable stages = stagesTable(run); !stages.rows.empty()) {
        content += htmlTable(
            stages
                .only({"id", "rank", "pipeline", "stage", "forward_ns", "backward_ns", "weight_gradient_ns", "pieces"})
                .withoutEmpty("weight_gradient"),
            "Time of each stage per micro-batch", kPipelineRows);
    }
    if (const DataTable steps = pipelineStepsTable(run); !steps.rows.empty()) {
        content += htmlTable(steps.withoutRuns().withoutEmpty("weight_gradient").withoutEmpty("overlapped"),
                             "Where the time of each step goes in the pipeline", kPipelineRows);
        content += paragraph(pipelineNote(), "note");
    }
    return {"pipeline", "Pipelines", content};
}

}  // namespace rankscope::report
