// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include "core/report/companions/companion_tables.h"
#include "core/report/csv/csv_text.h"
#include "core/report/tables/comparison_tables.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/snapshot_summary.h"

namespace rankscope {
namespace {

using namespace report;

DataTable unreadableTable(const ReportInput& input) {
    DataTable table{"unreadable",
                    {{"run", "run", Unit::Name},
                     {"path", "path", Unit::Name},
                     {"byte_offset", "byte", Unit::Number},
                     {"cause", "cause", Unit::Text}},
                    {}};
    const auto add = [&table](const std::string& run, const std::vector<Error>& errors) {
        for (const Error& error : errors) {
            table.rows.push_back({textCell(run), error.path, cellOf(error.byte_offset), error.cause});
        }
    };
    for (const AnalysedRun* run : input.runs) {
        add(run->run->name, run->run->unreadable);
    }
    add("", input.unreadable);
    return table;
}

/// Tables that a report without memory snapshots does not have.
std::vector<DataTable> snapshotTables(const ReportInput& input) {
    std::vector<DataTable> tables;
    for (const ReportedSnapshot& snapshot : input.snapshots) {
        const std::vector<DataTable> of_one = {snapshotDevicesTable(snapshot), snapshotStacksTable(snapshot),
                                               snapshotSegmentsTable(snapshot), snapshotBlocksTable(snapshot)};
        tables.resize(of_one.size());
        for (std::size_t i = 0; i < of_one.size(); ++i) {
            tables[i].append(of_one[i]);
        }
    }
    return tables;
}

/// Tables that a report without logs and dumps does not have.
std::vector<DataTable> tablesOfCompanions(const ReportInput& input) {
    std::vector<DataTable> tables;
    if (input.companions != nullptr && !input.companions->empty()) {
        for (const tables::Table& table : companionTables(*input.companions)) {
            tables.push_back(dataTableOf(table, input.runs));
        }
    }
    return tables;
}

}  // namespace

std::vector<CsvFile> csvReport(const ReportInput& input) {
    std::vector<DataTable> tables;
    for (const AnalysedRun* run : input.runs) {
        const std::vector<DataTable> of_run = runTables(*run);
        tables.resize(of_run.size());
        for (std::size_t i = 0; i < of_run.size(); ++i) {
            tables[i].append(of_run[i]);
        }
    }
    std::vector<DataTable> comparisons;
    for (const ComparedRuns& compared : input.comparisons) {
        const std::vector<DataTable> of_two =
            comparisonTables({*input.runs[compared.a], *input.runs[compared.b], *compared.comparison});
        comparisons.resize(of_two.size());
        for (std::size_t i = 0; i < of_two.size(); ++i) {
            comparisons[i].append(of_two[i]);
        }
    }
    tables.insert(tables.end(), comparisons.begin(), comparisons.end());
    const std::vector<DataTable> snapshots = snapshotTables(input);
    tables.insert(tables.end(), snapshots.begin(), snapshots.end());
    const std::vector<DataTable> companions = tablesOfCompanions(input);
    tables.insert(tables.end(), companions.begin(), companions.end());
    tables.push_back(unreadableTable(input));
    std::vector<CsvFile> files;
    for (const DataTable& table : tables) {
        files.push_back({table.name + ".csv", csvText(table)});
    }
    return files;
}

}  // namespace rankscope
