// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/report/reports.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/table.h"

// What the reports for people say about a memory snapshot, in any markup.
namespace rankscope::report {

/// "snapshot.pickle": the title of its part of a report.
[[nodiscard]] std::string snapshotTitle(const ReportedSnapshot& snapshot);
/// How much is reserved and for what, how fragmented it is, its peak, what failed, and what to do; one line each,
/// device by device.
[[nodiscard]] std::vector<std::string> snapshotLines(const ReportedSnapshot& snapshot);
/// A row per device: where the reserved memory is.
[[nodiscard]] Table snapshotDevices(const ReportedSnapshot& snapshot);
/// A row per part (parameters, gradients...) of used memory: at the snapshot, and at the peak of its history.
[[nodiscard]] Table snapshotParts(const ReportedSnapshot& snapshot);
/// What the columns of these two mean.
[[nodiscard]] std::string snapshotNote();
/// The first `rows` stacks of each device, the one with most memory first.
[[nodiscard]] Table snapshotStacks(const ReportedSnapshot& snapshot, std::size_t rows);

/// The same in full, for programs: a row per device.
[[nodiscard]] DataTable snapshotDevicesTable(const ReportedSnapshot& snapshot);
/// A row per stack: its used memory at the snapshot (`when` is "now") and at the peak ("peak").
[[nodiscard]] DataTable snapshotStacksTable(const ReportedSnapshot& snapshot);
/// A row per segment, the one with most free bytes next to used ones first.
[[nodiscard]] DataTable snapshotSegmentsTable(const ReportedSnapshot& snapshot);
/// A row per block: the largest allocated blocks.
[[nodiscard]] DataTable snapshotBlocksTable(const ReportedSnapshot& snapshot);

}  // namespace rankscope::report
