// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/worth.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/vocabulary.h"
#include "core/trace/row_source.h"

namespace rankscope::report {
namespace {

/// Numbers with spaces between them.
template <class Number>
Cell listCell(const std::vector<Number>& numbers) {
    std::string out;
    for (const Number number : numbers) {
        out += (out.empty() ? "" : " ") + std::to_string(number);
    }
    return textCell(out);
}

/// Texts with bars between them.
Cell textsCell(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
        out += (out.empty() ? "" : " | ") + text;
    }
    return textCell(out);
}

Cell remediesCell(const std::vector<Remedy>& remedies) {
    std::vector<std::string> actions;
    actions.reserve(remedies.size());
    for (const Remedy& remedy : remedies) {
        actions.push_back(remedy.action);
    }
    return textsCell(actions);
}

DataTable evidenceColumns() {
    return {"evidence",
            {{"run", "run", Unit::Name},
             {"finding", "#", Unit::Number},
             {"finding_id", "finding", Unit::Word},
             {"id", "position", Unit::Number},
             {"rank", "rank", Unit::Number},
             {"step", "step", Unit::Number},
             {"note", "what it shows", Unit::Text},
             {"slice", "slice", Unit::Name},
             {"track", "track", Unit::Text},
             {"start_ns", "start", Unit::Duration},
             {"duration_ns", "duration", Unit::Duration},
             {"file", "file", Unit::Name},
             {"byte_offset", "byte", Unit::Number}},
            {}};
}

/// The cells from `slice` on; none if the evidence is not a single slice.
void putSlice(std::vector<Cell>& row, const AnalysedRun& run, const Evidence& evidence) {
    const RankTrace& rank = *run.run->ranks[evidence.rank];
    const Track& track = rank.track(evidence.slice);
    const TimeSpan span = rank.span(evidence.slice);
    const EventSource source = track.slices.source[evidence.slice.slice];
    row.insert(row.end(), {std::string(rank.name(evidence.slice)), track.name,
                           timeCell(run, evidence.rank, span.start_ns), span.length()});
    if (source.file() < rank.files.size()) {
        row.insert(row.end(),
                   {fileLabel(rank.files[source.file()]), isFromRows(rank) ? Cell() : numberCell(source.offset())});
    }
}

}  // namespace

DataTable findingsTable(const AnalysedRun& run) {
    DataTable table{"findings",
                    {{"run", "run", Unit::Name},
                     {"finding", "#", Unit::Number},
                     {"finding_id", "id", Unit::Word},
                     {"title", "finding", Unit::Text},
                     {"severity", "severity", Unit::Text},
                     {"saving_ns", "saves per step", Unit::Duration},
                     {"likely_saving_ns", "likely", Unit::Duration},
                     {"share", "of the step", Unit::Share},
                     {"at_most", "upper bound", Unit::Flag},
                     {"saving_low_ns", "from", Unit::Duration},
                     {"saving_high_ns", "to", Unit::Duration},
                     {"remedy_cost_ns", "remedy costs", Unit::Duration},
                     {"remedy_cost_low_ns", "remedy costs at least", Unit::Duration},
                     {"remedy_cost_high_ns", "remedy costs up to", Unit::Duration},
                     {"blocked_ns", "blocks per step", Unit::Duration},
                     {"confidence", "confidence", Unit::Text},
                     {"quick_win", "quick win", Unit::Flag},
                     {"ids", "positions", Unit::Text},
                     {"paying_ids", "positions that lose time", Unit::Text},
                     {"steps", "steps", Unit::Text},
                     {"summary", "summary", Unit::Text},
                     {"why", "why", Unit::Text},
                     {"why_confidence", "why the confidence", Unit::Text},
                     {"remedies", "remedies", Unit::Text}},
                    {}};
    std::int64_t number = 0;
    for (const Finding& finding : run.diagnosis.findings) {
        table.rows.push_back({run.run->name,
                              ++number,
                              std::string(findingName(finding.id)),
                              finding.title,
                              std::string(severityName(finding.severity)),
                              finding.saving_ns,
                              likelySaving(finding),
                              finding.share,
                              finding.at_most,
                              finding.range ? Cell(finding.range->low_ns) : Cell(),
                              finding.range ? Cell(finding.range->high_ns) : Cell(),
                              finding.cost ? Cell(finding.cost->likely_ns) : Cell(),
                              finding.cost ? Cell(finding.cost->low_ns) : Cell(),
                              finding.cost ? Cell(finding.cost->high_ns) : Cell(),
                              finding.blocked_ns,
                              std::string(confidenceName(finding.confidence)),
                              isQuickWin(finding),
                              listCell(finding.ranks),
                              listCell(finding.paying_ranks),
                              listCell(finding.steps),
                              textCell(finding.summary),
                              textCell(finding.why),
                              textsCell(finding.why_confidence),
                              remediesCell(finding.remedies)});
    }
    return table;
}

DataTable evidenceTable(const AnalysedRun& run, std::size_t finding) {
    DataTable table = evidenceColumns();
    const Finding& of = run.diagnosis.findings[finding];
    for (const Evidence& evidence : of.evidence) {
        std::vector<Cell> row = {run.run->name, numberCell(finding + 1), std::string(findingName(of.id))};
        putRank(row, run, evidence.rank);
        row.insert(row.end(), {evidence.step, textCell(evidence.note)});
        if (evidence.slice.valid()) {
            putSlice(row, run, evidence);
        }
        row.resize(table.columns.size());
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable evidenceTable(const AnalysedRun& run) {
    DataTable table = evidenceColumns();
    for (std::size_t finding = 0; finding < run.diagnosis.findings.size(); ++finding) {
        table.append(evidenceTable(run, finding));
    }
    return table;
}

DataTable cannotTellTable(const AnalysedRun& run) {
    DataTable table{"cannot_tell",
                    {{"run", "run", Unit::Name},
                     {"finding_id", "finding", Unit::Word},
                     {"reason", "why", Unit::Text},
                     {"record", "what to record", Unit::Text}},
                    {}};
    for (const CannotTell& item : run.diagnosis.cannot_tell) {
        table.rows.push_back(
            {run.run->name, std::string(findingName(item.id)), textCell(item.reason), textCell(item.record)});
    }
    return table;
}

}  // namespace rankscope::report
