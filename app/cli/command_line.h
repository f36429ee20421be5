// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/cli/answer_printer.h"
#include "app/cli/digest_options.h"
#include "app/cli/merge_command.h"
#include "app/cli/screen_options.h"
#include "core/analysis/device/name_rules.h"
#include "core/analysis/efficiency/efficiency.h"
#include "core/analysis/model_size.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/base/time.h"
#include "core/compare/recordings.h"
#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/prices/peer_links.h"
#include "core/ingest/load.h"
#include "core/report/check/check.h"
#include "core/trace/iteration_names.h"

namespace rankscope::cli {

enum class Command { Analyze, Check, Compare, Info };

/// A run that the user names, with its files and folders.
struct NamedRun {
    std::string name;
    std::vector<std::string> paths;
};

/// What the user asked for.
struct Request {
    Command command = Command::Analyze;
    std::vector<std::string> paths;
    /// With --against: how many of `paths`, from the first, are recordings of the baseline; the others are of the new
    /// runs. Both are there.
    std::optional<std::size_t> baselines;
    double matters = kMatters;  ///< the smallest share of the baseline's step that matters
    std::vector<NamedRun> named_runs;
    std::vector<std::string> snapshots;  ///< files with memory snapshots
    LoadOptions load;
    std::optional<Severity> fail_on;
    std::optional<report::CheckStatus> fail_on_check;  ///< fail where a line of the health check says this, or worse
    /// In per cent of the baseline's median step: fail where a run is slower by more, with confidence.
    std::optional<double> fail_on_regression;
    std::string name_rules_file;          ///< the file that `name_rules` stand in; empty for the user's own
    std::optional<NameRules> name_rules;  ///< with the built-in ones behind them; nothing for the user's own
    bool file_clocks = false;
    std::map<RankNumber, DurationNs> clock_offsets;  ///< typed instead of fitted
    ModelSize model;                                 ///< what the user says of the model
    RoleChoices roles;                               ///< what the user says of process groups
    std::optional<IterationKind> iterations;         ///< of a server, which prices are of
    EfficiencyOptions efficiency;                    ///< what the user says of the job's work and its devices
    LinkChoices links;                               ///< what the user says of links between ranks
    std::string json;                                ///< file to write, "-" for standard output, empty for none
    bool json_detail = false;                        ///< all facts in it, not only in short
    std::string markdown;                            ///< the same
    std::string html;                                ///< the same
    std::string csv;                                 ///< folder to write into, made if it is not there; empty for none
    Printed printed;                                 ///< what goes to standard output for people
};

/// A question in SQL, and the runs that it is of.
struct QueryRequest {
    Request runs;
    std::string sql;
    QueryFormat format = QueryFormat::Table;
    bool list_tables = false;  ///< print what can be asked for, of no run
    double seconds = 0;        ///< that the answer may take, without the reading; 0: any time
};

/// The runs that agents may ask of.
struct McpRequest {
    Request runs;
};

/// What the arguments ask for; a path in place of a command is `analyze` of it. Or the exit code where there is nothing
/// to do: help and version were printed, or the usage was wrong, which standard error explains.
[[nodiscard]] std::variant<Request, DigestRequest, MergeRequest, QueryRequest, McpRequest, int> parseCommandLine(
    int argc, const char* const* argv);

}  // namespace rankscope::cli
