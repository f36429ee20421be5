// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include <algorithm>

#include "core/base/utf8.h"
#include "core/report/model/comparison_tables.h"
#include "core/report/model/run_tables.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::string_view kEndOfLine = "\r\n";

/// Texts that spreadsheets would run as a formula get an apostrophe in front, which they do not show.
std::string defused(std::string text) {
    constexpr std::string_view kStartsFormula = "=+-@\t\r";
    return text.empty() || kStartsFormula.find(text.front()) == std::string_view::npos ? text : "'" + text;
}

/// `text` without the control characters that would reach the terminal of whoever prints the file. Those of lines and
/// tabs belong to CSV; the JSON has all of them.
std::string withoutControls(std::string_view text) {
    constexpr std::string_view kOfCsv = "\r\n\t";
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(kOfCsv), text.size());
        out += printable(text.substr(0, end));
        out += text.substr(end, 1);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

std::string fieldOf(const Cell& cell) {
    return std::holds_alternative<std::string>(cell) ? defused(withoutControls(cellValue(cell))) : cellValue(cell);
}

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string out = "\"";
    for (const char c : text) {
        out += c;
        if (c == '"') {
            out += c;
        }
    }
    return out + "\"";
}

std::string csvText(const DataTable& table) {
    std::string out;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        out += (column == 0 ? "" : ",") + quoted(table.columns[column].key);
    }
    out += kEndOfLine;
    for (const auto& row : table.rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            out += (column == 0 ? "" : ",") + quoted(fieldOf(row[column]));
        }
        out += kEndOfLine;
    }
    return out;
}

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
    tables.push_back(unreadableTable(input));
    std::vector<CsvFile> files;
    for (const DataTable& table : tables) {
        files.push_back({table.name + ".csv", csvText(table)});
    }
    return files;
}

}  // namespace rankscope
