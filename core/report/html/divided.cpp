// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/cut_table.h"
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
                htmlTable(asData(expertTable(run, kAllRows), "expert_ranks"), "Dispatch and combine by rank",
                          kDividedRows) +
                paragraph(dividedNote(), "note")};
}

Section tensorSection(const AnalysedRun& run) {
    if (!run.facts.tensor.any()) {
        return {"tensor", "Tensors and sequences", {}};
    }
    std::string content = bulletList(tensorLines(run));
    content +=
        htmlTable(asData(tensorTable(run, kAllRows), "tensor_sums"), "Collectives of divided layers", kDividedRows);
    if (const Table layers = tensorLayerTable(run, kAllRows); !layers.rows.empty()) {
        content += htmlTable(asData(layers, "tensor_layer_sums"), "The same by layer", kDividedRows);
    }
    return {"tensor", "Tensors and sequences", content + paragraph(dividedNote(), "note")};
}

}  // namespace rankscope::report
