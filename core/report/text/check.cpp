// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"
#include "core/report/blocks/parts.h"
#include "core/report/tables/chosen_steps.h"
#include "core/report/text/printer.h"
#include "core/report/words/summary.h"

namespace rankscope {

using namespace report;

std::string textCheck(const ReportInput& input, std::size_t run) {
    const AnalysedRun& analysed = *input.runs[run];
    const Check check = checkOf(analysed);
    std::string out = printable(analysed.run->name) + ": " + runSummary(analysed) + "\n";
    out += lines(chosenStepsLines(*analysed.run));
    out += line(verdictLine(analysed.facts)) + line(checkCounts(check));
    out += textOf(checkPart(analysed, check, Format::Text).blocks) +
           textOf(protocolPart(analysed, validationOf(input, run), Format::Text));
    for (const CheckList& list : checkListsOf(analysed)) {
        out += textOf(checkListPart(list, Format::Text));
    }
    return out;
}

}  // namespace rankscope
