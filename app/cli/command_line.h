// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/cli/answer_printer.h"
#include "app/cli/companions_command.h"
#include "app/cli/hang_command.h"
#include "app/cli/merge_command.h"
#include "app/cli/options/digest_options.h"
#include "app/cli/options/screen_options.h"
#include "app/cli/recording_commands.h"
#include "core/compare/recordings.h"
#include "core/diagnosis/frame/finding.h"
#include "core/report/check/check.h"
#include "core/request/run_request.h"
#include "core/whatif/change.h"

namespace rankscope::cli {

enum class Command { Analyze, Check, Compare, Info };

/// A request of the user.
struct Request : RunRequest {
    Command command = Command::Analyze;
    /// With --against: this many of `paths`, from the first on, are recordings of the baseline, and the others are of
    /// the new runs. Each side has at least one.
    std::optional<std::size_t> baselines;
    double matters = kMatters;  ///< the smallest share of the baseline's step that matters
    std::optional<Severity> fail_on;
    std::optional<report::CheckStatus> fail_on_check;  ///< fail if a line of the health check is this, or worse
    /// Fail if a run is slower by more than this, with confidence; in per cent of the baseline's median step.
    std::optional<double> fail_on_regression;
    std::string name_rules_file;  ///< the file with `name_rules`; empty for the user's own
    std::string json;             ///< file to write; "-": standard output; empty: none
    bool json_detail = false;     ///< write all facts, not only a summary
    std::string markdown;         ///< as `json`
    std::string html;             ///< as `json`
    std::string csv;              ///< folder to write into, created if missing; empty: none
    Printed printed;              ///< what to print on standard output for people
};

/// A question in SQL, and the runs it is about.
struct QueryRequest {
    Request runs;
    std::string sql;  ///< empty: questions come from standard input
    QueryFormat format = QueryFormat::Table;
    bool list_tables = false;  ///< print the tables and columns; no run is read
    double seconds = 0;        ///< time limit of the answer, without reading; 0: no limit
};

/// Changes to a run, and what to write about them.
struct WhatIfRequest {
    Request runs;
    std::vector<WhatIfChange> changes;
    std::optional<DurationNs> goal_ns;  ///< find the fewest changes that reach it
    std::string digest;                 ///< file to write the predicted run into; empty: none
    bool list = false;                  ///< print the kinds of changes; no run is read
};

/// The runs that agents can query.
struct McpRequest {
    Request runs;
};

/// Recordings, and what they lack.
struct DoctorRequest {
    Request runs;
};

/// What a command line asks for; a number is the exit code if there is nothing to do.
using Parsed = std::variant<Request, DigestRequest, MergeRequest, CompanionsRequest, HangRequest, QueryRequest,
                            WhatIfRequest, McpRequest, RecipeRequest, DoctorRequest, int>;

/// The request in the arguments; a path in place of a command means `analyze`. Or the exit code if there is nothing to
/// do: help or version was printed, or the usage was wrong, as standard error explains.
[[nodiscard]] Parsed parseCommandLine(int argc, const char* const* argv);

}  // namespace rankscope::cli
