// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/blocks/parts.h"
#include "core/report/markdown/printer.h"
#include "core/report/tables/chosen_steps.h"
#include "core/report/version.h"
#include "core/report/words/summary.h"

namespace rankscope {

using namespace report;

std::string markdownCheck(const ReportInput& input) {
    std::string out;
    for (std::size_t i = 0; i < input.runs.size(); ++i) {
        const AnalysedRun& run = *input.runs[i];
        out += "# " + markdownText(run.run->name) + ": health check\n\n" + paragraphMarkdown(runSummary(run) + ".") +
               markdownBullets(chosenStepsLines(*run.run)) + "**Verdict:** " +
               paragraphMarkdown(verdictLine(run.facts)) +
               markdownOf(checkPart(run, checkOf(run), Format::Markdown).blocks) + "## Protocol\n\n" +
               markdownOf(protocolPart(run, validationOf(input, i), Format::Markdown).blocks);
        for (const CheckList& list : checkListsOf(run)) {
            out += "## " + std::string(checkListTitle(list.id)) + "\n\n" +
                   markdownOf(checkListPart(list, Format::Markdown).blocks);
        }
    }
    return out + "Rankscope " + std::string(toolVersion()) + "\n";
}

}  // namespace rankscope
