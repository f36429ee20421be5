// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/report/check/check.h"
#include "core/report/check/check_lists.h"
#include "core/report/check/protocol.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/table.h"

namespace rankscope::report {

/// A row per rank for people: its steps, its own work, and its use of the device; the first `rows` ranks, those with a
/// "look here" first. No rows if no rank has a complete, steady step.
[[nodiscard]] Table checkRankTable(const AnalysedRun& run, const Check& check, std::size_t rows);
/// What its columns mean.
[[nodiscard]] std::string checkRankNote();

/// A row per line of the check.
[[nodiscard]] DataTable checkTable(const AnalysedRun& run);
/// A row per rank of the check.
[[nodiscard]] DataTable checkRanksTable(const AnalysedRun& run);
/// A row per question of the check lists.
[[nodiscard]] DataTable checkListsTable(const AnalysedRun& run);
/// A row per step of the protocol.
[[nodiscard]] DataTable protocolTable(const AnalysedRun& run);

}  // namespace rankscope::report
