// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/query/database.h"

namespace rankscope::test {

/// The rows of an answer as texts; "-" for null.
struct Answer {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    std::string error;  ///< why there is none; empty if there is
};

/// Asks, and keeps what is answered.
[[nodiscard]] Answer answerOf(query::Database& database, const std::string& sql, const query::Limits& limits = {});
/// The one number that is answered; a failed test where it is something else.
[[nodiscard]] long long numberOf(query::Database& database, const std::string& sql);

/// Runs for tests of tables: those of the corpus, and a real one where it is.
[[nodiscard]] std::vector<AnalysedRun> someRuns();
/// The pointers to them.
[[nodiscard]] tables::Runs pointersTo(const std::vector<AnalysedRun>& runs);

}  // namespace rankscope::test
