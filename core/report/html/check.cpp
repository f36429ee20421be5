// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/blocks/parts.h"
#include "core/report/html/elements.h"
#include "core/report/html/printer.h"
#include "core/report/html/sections.h"

namespace rankscope::report {

Section checkSection(const AnalysedRun& run) {
    const Check check = checkOf(run);
    return {"check", "Health check",
            paragraph(checkCounts(check) + ".") + htmlOf(checkPart(run, check, Format::Html).blocks)};
}

Section checkListsSection(const AnalysedRun& run) {
    std::string content;
    for (const CheckList& list : checkListsOf(run)) {
        const Part part = checkListPart(list, Format::Html);
        content += folded(htmlText(part.title), htmlOf(part.blocks), false);
    }
    return {"check-lists", "Check lists", content};
}

}  // namespace rankscope::report
