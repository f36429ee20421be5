// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/blocks/parts.h"
#include "core/report/joined_logs.h"

namespace rankscope::report {
namespace {

/// More are in the JSON.
constexpr std::size_t kLinesShown = 3;
constexpr std::size_t kSizesShown = 12;

/// A finding, with why it matters, what to do and its first lines.
std::string joinedFindingText(const RunWithLogs& of, const JoinedFinding& found) {
    const network::Job& job = of.input.network.jobs[found.job];
    const network::Finding& finding = job.findings[found.finding];
    const NetworkFindingWords words = networkFindingWords(of.input.logs, job, finding);
    const std::string cost = costWords(found);
    std::string out =
        fmt::format("{} [{}, {}]: {}{} {} {}", words.title, severityName(found.severity), topicId(finding.topic),
                    words.text, cost.empty() ? "" : " " + cost, words.why, words.remedy);
    for (std::size_t i = 0; i < std::min(kLinesShown, finding.evidence.size()); ++i) {
        const NcclLine& line = finding.evidence[i];
        out += fmt::format(" ({}, line {}: {})", of.input.logs.files[line.file].path, line.number, line.text);
    }
    return printable(out);
}

Table sizesTable(const RunWithLogs& of) {
    Table table{{"process group", "call", "elements", "type", "bytes", "algorithm", "collectives"}, {}, 2};
    for (const JoinedSize& size : joinedSizes(of)) {
        const NcclShape& shape = of.input.logs.shapes[size.call->shape];
        const auto& choice = size.call->choice;
        table.rows.push_back({printable(groupWords(of.run, size.group)), printable(ncclKindWords(shape.kind)),
                              formatCount(shape.count), ncclTypeName(shape.type),
                              size.call->bytes ? formatBytes(static_cast<std::uint64_t>(*size.call->bytes)) : "?",
                              choice ? printable(choice->algorithm + " " + choice->protocol) : "-",
                              formatCount(size.collectives)});
    }
    return table;
}

}  // namespace

Part logsPart(const RunWithLogs& of) {
    Part part{"NCCL's logs of " + printable(of.run.run->name), {Note{joinSummary(of.join)}}};
    Points groups;
    for (const network::GroupJoin& join : of.join.groups) {
        groups.texts.push_back(printable(groupWords(of.run, join.group) + ": " + joinWords(of, join)));
    }
    if (!groups.texts.empty()) {
        part.blocks.emplace_back(std::move(groups));
    }
    Points findings;
    for (const JoinedFinding& finding : joinedFindings(of)) {
        findings.texts.push_back(joinedFindingText(of, finding));
    }
    if (findings.texts.empty()) {
        findings.texts.emplace_back("The logs show no problem.");
    }
    part.blocks.emplace_back(std::move(findings));
    if (!of.join.calls.empty()) {
        part.blocks.emplace_back(
            Rows{sizesTable(of), {kSizesShown, "row"}, {"nccl_calls", "Collectives as NCCL's logs show them"}});
    }
    return part;
}

}  // namespace rankscope::report
