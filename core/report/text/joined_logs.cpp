// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/joined_logs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/blocks/parts.h"
#include "core/report/text/printer.h"
#include "core/report/text/screen_parts.h"

namespace rankscope {
namespace report {

void addJoinedLogs(Screen& screen, const RunWithLogs& of) {
    constexpr std::size_t kFindingsShown = 2;
    constexpr std::size_t kLinesOfFinding = 3;
    screen.gap();
    screen.line({{"NCCL LOGS", Ink::Bold}, {"  " + joinSummary(of.join)}});
    const std::vector<JoinedFinding> findings = joinedFindings(of);
    for (std::size_t i = 0; i < std::min(kFindingsShown, findings.size()); ++i) {
        const JoinedFinding& found = findings[i];
        const network::Job& job = of.input.network.jobs[found.job];
        const NetworkFindingWords words = networkFindingWords(of.input.logs, job, job.findings[found.finding]);
        const std::string level = inCapitals(std::string(severityName(found.severity)));
        const std::string cost = costWords(found);
        screen.paragraph({fmt::format("{:<8}", level), inkOf(found.severity)},
                         printable(words.title + ". " + (cost.empty() ? words.text : cost)), kLinesOfFinding);
    }
    addRestOf(screen, findings.size() - std::min(kFindingsShown, findings.size()), "finding");
    const auto open = std::ranges::find_if(
        of.join.groups, [](const network::GroupJoin& join) { return join.state != network::JoinState::Joined; });
    if (open != of.join.groups.end()) {
        addTitled(screen, "Cannot tell", printable(groupWords(of.run, open->group) + ": " + joinWords(of, *open)), 2);
    }
}

}  // namespace report

std::string textOfLogs(const RunWithLogs& of) {
    return report::textOf(report::logsPart(of));
}

}  // namespace rankscope
