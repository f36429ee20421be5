// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/run_tables.h"
#include "core/report/model/summary.h"

namespace rankscope::report {

Section iterationsSection(const AnalysedRun& run) {
    if (!run.facts.iterations.any()) {
        return {"iterations", "Iterations of the server", {}};
    }
    return {"iterations", "Iterations of the server",
            bulletList(iterationLines(run)) +
                htmlTable(asData(iterationTable(run), "iteration_kinds"), "Iterations by what they work on") +
                paragraph(iterationsNote(), "note")};
}

}  // namespace rankscope::report
