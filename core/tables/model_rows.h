// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tables/table.h"

// The tables of the model, and helpers that their rows share.
namespace rankscope::tables {

/// One row per run.
[[nodiscard]] Table runTable();
/// One row per rank.
[[nodiscard]] Table rankTable();
/// One row per thread or stream.
[[nodiscard]] Table trackTable();
/// One row per slice: views of the columns in memory, without copies.
[[nodiscard]] Table sliceTable();
/// One row per piece of GPU work with its call.
[[nodiscard]] Table launchTable();
/// One row per gap in a step.
[[nodiscard]] Table gapTable();
/// One row per part of a gap with its cause.
[[nodiscard]] Table gapCauseTable();

/// Converts an instant on the clock of a rank's file to nanoseconds from the run's first instant, on the run's clock.
[[nodiscard]] std::int64_t onRunClock(const AnalysedRun& run, RankPosition rank, TimeNs file_ns);
/// The number of a rank; null if no file has it.
[[nodiscard]] Value rankValue(const AnalysedRun& run, RankPosition rank);

}  // namespace rankscope::tables
