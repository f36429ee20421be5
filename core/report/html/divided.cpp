// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/run_tables.h"
#include "core/report/model/summary.h"

namespace rankscope::report {
namespace {

/// More rows than these are in the CSV and the JSON report.
constexpr std::size_t kDividedRows = 200;

}  // namespace

Section expertsSection(const AnalysedRun& run) {
    if (!run.facts.experts.any()) {
        return {"experts", "Experts", {}};
    }
    return {"experts", "Experts",
            bulletList(expertLines(run)) +
                htmlTable(asData(expertTable(run, kDividedRows), "expert_ranks"), "Dispatch and combine by rank") +
                paragraph(dividedNote(), "note")};
}

Section tensorSection(const AnalysedRun& run) {
    if (!run.facts.tensor.any()) {
        return {"tensor", "Tensors and sequences", {}};
    }
    std::string content = bulletList(tensorLines(run));
    content += htmlTable(asData(tensorTable(run, kDividedRows), "tensor_sums"), "Collectives of divided layers");
    if (const Table layers = tensorLayerTable(run, kDividedRows); !layers.rows.empty()) {
        content += htmlTable(asData(layers, "tensor_layer_sums"), "The same by layer");
    }
    return {"tensor", "Tensors and sequences", content + paragraph(dividedNote(), "note")};
}

}  // namespace rankscope::report
