// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/companions/nccl_rows.h"
#include "core/report/network.h"

namespace rankscope::report {
namespace {

struct LogFindingRow {
    const AnalysedRun* run = nullptr;
    const ReadLogs* logs = nullptr;
    JoinedFinding found;
    const NetworkFindingWords* words = nullptr;
    const NcclLine* line = nullptr;

    [[nodiscard]] const network::Finding& finding() const {
        return logs->network.jobs[found.job].findings[found.finding];
    }
};

using tables::Access;
using tables::Type;
using tables::Value;

std::vector<tables::DeclaredColumn<LogFindingRow>> logFindingColumns() {
    using Row = LogFindingRow;
    return {tables::runColumn<Row>(),
            {{"job", Type::Integer, "number of the job in the logs, from 0", Access::Seek},
             [](const Row& row) { return Value(static_cast<std::int64_t>(row.found.job)); }},
            {{"name", Type::Text, "its kind: nccl-no-peer-access"},
             [](const Row& row) { return Value(topicId(row.finding().topic)); }},
            {{"title", Type::Text, "the cause, for people"},
             [](const Row& row) { return Value(std::string_view(row.words->title)); }},
            {{"severity", Type::Text, "low, medium or high: by what it costs the run, if that is known"},
             [](const Row& row) { return Value(severityName(row.found.severity)); }},
            {{"exposed_ns", Type::Integer,
              "exposed transfers per step over its path, on the rank with most; null where unknown"},
             [](const Row& row) { return row.found.cost == nullptr ? Value() : Value(row.found.cost->exposed_ns); }},
            {{"share", Type::Real, "of these in a step, 0 to 1; null where unknown"},
             [](const Row& row) { return row.found.cost == nullptr ? Value() : Value(row.found.share); }},
            {{"summary", Type::Text, "a sentence with the figures"},
             [](const Row& row) { return Value(std::string_view(row.words->text)); }},
            {{"remedy", Type::Text, "what to change"},
             [](const Row& row) { return Value(std::string_view(row.words->remedy)); }},
            {{"evidence", Type::Text, "the first line of the log that shows it"},
             [](const Row& row) { return row.line == nullptr ? Value() : Value::ofText(row.line->text); }}};
}

}  // namespace

tables::Table ncclFindingTable(const std::shared_ptr<JoinedCompanions>& of) {
    return companionTable<LogFindingRow, NetworkFindingWords>(
        "nccl_finding", "One problem that the logs of NCCL show, with what it costs a run.",
        tables::joined<LogFindingRow>({logFindingColumns(), lineColumns<LogFindingRow>()}), of, &JoinedCompanions::logs,
        [](const tables::Runs& runs, KeptCompanions<NetworkFindingWords>& kept,
           tables::DeclaredRows<LogFindingRow>& rows) {
            const ReadLogs& logs = *kept.of->logs();
            for (const AnalysedRun* run : runs) {
                for (const JoinedFinding& found : joinedFindings(kept.of->withLogs(*run))) {
                    const network::Job& job = logs.network.jobs[found.job];
                    const network::Finding& finding = job.findings[found.finding];
                    rows.add({run, &logs, found, &kept.keep(networkFindingWords(logs.logs, job, finding)),
                              finding.evidence.empty() ? nullptr : &finding.evidence.front()});
                }
            }
        });
}

}  // namespace rankscope::report
