// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tables/table.h"

// The tables of the model, and what their rows share.
namespace rankscope::tables {

/// A row a run.
[[nodiscard]] Table runTable();
/// A row a rank.
[[nodiscard]] Table rankTable();
/// A row a thread or stream.
[[nodiscard]] Table trackTable();
/// A row a slice: views of the columns in memory, no copies.
[[nodiscard]] Table sliceTable();
/// A row a piece of GPU work with its call.
[[nodiscard]] Table launchTable();
/// A row a gap in a step.
[[nodiscard]] Table gapTable();
/// A row a part of a gap with its cause.
[[nodiscard]] Table gapCauseTable();

/// Nanoseconds from the run's first instant, on the run's clock, of an instant on the clock of a rank's file.
[[nodiscard]] std::int64_t onRunClock(const AnalysedRun& run, RankPosition rank, TimeNs file_ns);
/// The number of a rank, null where no file says it.
[[nodiscard]] Value rankValue(const AnalysedRun& run, RankPosition rank);

}  // namespace rankscope::tables
