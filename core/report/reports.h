// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

struct RunComparison;   // core/compare/compare_runs.h
struct MemorySnapshot;  // core/trace/memory_snapshot.h
struct SnapshotFacts;   // core/analysis/memory/snapshot_facts.h
struct JoinedLogs;      // core/report/joined_logs.h
struct JobCompanions;   // core/companions/companions.h

/// Two of the analysed runs, compared.
struct ComparedRuns {
    std::size_t a = 0;  ///< the baseline: index in ReportInput::runs
    std::size_t b = 0;
    const RunComparison* comparison = nullptr;  ///< never null in a ReportInput
};

/// A snapshot of the allocator's memory with its facts.
struct ReportedSnapshot {
    const MemorySnapshot* snapshot = nullptr;  ///< never null in a ReportInput
    const SnapshotFacts* facts = nullptr;      ///< the same
};

/// What was analysed, and what could not be read.
struct ReportInput {
    std::vector<const AnalysedRun*> runs;  ///< not null, in the order they were given
    std::vector<Error> unreadable;         ///< paths without a run; unreadable files of a run are in Run::unreadable
    std::vector<ComparedRuns> comparisons = {};
    std::vector<ReportedSnapshot> snapshots = {};
    const JoinedLogs* logs = nullptr;           ///< NCCL's logs next to the traces; nullptr: there are none
    const JobCompanions* companions = nullptr;  ///< logs and dumps next to the traces, for tables; nullptr: none
};

/// How much of each run a JSON report has.
enum class JsonDetail : std::uint8_t {
    Short,  ///< without data per step or per collective and rank, and with only the first places of each finding's
            ///< evidence
    All     ///< all facts
};

/// The report of `rankscope-cli analyze` and `compare` as JSON text in UTF-8, in the form of
/// resources/report.schema.json. Times are nanoseconds from a run's base_ns, on the run's clock. Null: not computed, or
/// not known.
[[nodiscard]] std::string jsonReport(const ReportInput& input, JsonDetail detail = JsonDetail::All);

/// The fields `name`, `median_step_ns`, `mean_step_ns`, `prices_of`, `verdict`, `findings` and `cannot_tell` of a run
/// in jsonReport(), as one object: what a program asks for first, without the facts of each step.
[[nodiscard]] std::string jsonVerdict(const AnalysedRun& run);
/// One entry of `comparisons` in jsonReport(): from run `a` to run `b`. Their indices are 0 and 1.
[[nodiscard]] std::string jsonComparison(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison);

/// What the files contain, as `rankscope-cli info` reports it. The same schema, with "report": "info".
[[nodiscard]] std::string jsonInfo(const ReportInput& input);

/// The health check, its lists and the protocol, as `rankscope-cli check` reports them. The same schema, with
/// "report": "check".
[[nodiscard]] std::string jsonCheck(const ReportInput& input, JsonDetail detail = JsonDetail::All);

/// What `rankscope-cli check --full` prints for the run at this index of ReportInput::runs: the lines of the health
/// check, its ranks, the protocol and the check lists. UTF-8 without escape sequences.
[[nodiscard]] std::string textCheck(const ReportInput& input, std::size_t run);
/// The same as Markdown, of all runs.
[[nodiscard]] std::string markdownCheck(const ReportInput& input);
/// The same as one HTML file, of all runs.
[[nodiscard]] std::string htmlCheck(const ReportInput& input);

/// The layout of a screen of a terminal.
struct ScreenStyle {
    std::size_t width = 100;  ///< in characters, 40 or more
    bool colour = false;      ///< with escape sequences for colours
};

/// What `rankscope-cli analyze` prints: the answer on one screen, up to 24 lines of the style's width. For one run the
/// verdict and the first five findings as rows; for several the same in fewer lines; for many one line per run. Logs of
/// NCCL add up to ten lines per run.
[[nodiscard]] std::string analysisScreen(const ReportInput& input, const ScreenStyle& style);
/// What `rankscope-cli check` prints: what needs a look, what is unknown, and what to do next, on one screen.
[[nodiscard]] std::string checkScreen(const ReportInput& input, const ScreenStyle& style);
/// What `rankscope-cli compare` prints: the answer with its reason, where the time went, and what became of the
/// findings, on one screen for all comparisons.
[[nodiscard]] std::string comparisonScreen(const ReportInput& input, const ScreenStyle& style);

/// The names of the sections of textReport(), as for `--section`.
[[nodiscard]] std::vector<std::string> sectionNames();
/// One section of textReport() by its name, with its title; if this run has nothing there, a line that says so. Nothing
/// for a name that is not in sectionNames().
[[nodiscard]] std::optional<std::string> textSection(const AnalysedRun& run, std::string_view name);

/// What `rankscope-cli analyze --full` prints about one run for people: findings and their prices, where the time of
/// the steps went, what the traces cannot tell, and their health. UTF-8 without escape sequences.
[[nodiscard]] std::string textReport(const AnalysedRun& run);

/// What `rankscope-cli info` prints about one run: ranks, devices, tracks, slices, steps and health.
[[nodiscard]] std::string textInfo(const AnalysedRun& run);

/// What `analyze` and `info` print about a memory snapshot: where the reserved memory is, what it is for, and who
/// allocated it.
[[nodiscard]] std::string textSnapshot(const ReportedSnapshot& snapshot);

/// One finding of textReport(): Diagnosis::findings[finding], which must exist.
[[nodiscard]] std::string textFinding(const AnalysedRun& run, std::size_t finding);

/// What `rankscope-cli compare --full` prints for people about the change from run `a` to run `b`: the verdict, what
/// else differs, where the time went, and the state of the findings.
[[nodiscard]] std::string textComparison(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison);

/// The report of `rankscope-cli analyze` as GitHub-flavoured Markdown, made to be pasted into an issue or a pull
/// request. Says what textReport() says; if runs are compared, what markdownComparison() says instead, for several
/// comparisons after a line each.
[[nodiscard]] std::string markdownReport(const ReportInput& input);

/// The part of markdownReport() that a memory snapshot has: what textSnapshot() says.
[[nodiscard]] std::string markdownSnapshot(const ReportedSnapshot& snapshot);

/// One finding of markdownReport(), with nothing folded: Diagnosis::findings[finding], which must exist.
[[nodiscard]] std::string markdownFinding(const AnalysedRun& run, std::size_t finding);

/// What changed from run `a` to run `b`, for a pull request: first what comparisonScreen() says, the rest folded.
[[nodiscard]] std::string markdownComparison(const AnalysedRun& a, const AnalysedRun& b,
                                             const RunComparison& comparison);

/// The report of `rankscope-cli analyze` as one HTML file for people who do not have this program: charts and tables
/// inside, nothing loaded from elsewhere, readable without scripts. If runs are compared, the change comes first, and
/// each run is folded. The same input gives the same bytes.
[[nodiscard]] std::string htmlReport(const ReportInput& input);

/// The part of htmlReport() that it shows unfolded, and what that leads to: for a frame in another page.
[[nodiscard]] std::string htmlScreen(const ReportInput& input);

/// One file of the CSV report.
struct CsvFile {
    std::string name;  ///< "steps.csv"
    std::string text;  ///< RFC 4180, UTF-8: a line of column names, then one row per line, each ended by CR LF
};

/// The facts and findings of `rankscope-cli analyze` as tables for spreadsheets and scripts, one file per table. All
/// runs share a file; its first column names the run. Columns have the names and meaning of the JSON report's fields,
/// with the unit in the name; `id` is a position in the run's ranks, and in tables of companions what docs/tables.md
/// says. A field is empty where the JSON has null. Texts
/// that begin like a formula (=, +, -, @) get an apostrophe in front, so that no spreadsheet runs a name from an
/// untrusted trace.
[[nodiscard]] std::vector<CsvFile> csvReport(const ReportInput& input);

}  // namespace rankscope
