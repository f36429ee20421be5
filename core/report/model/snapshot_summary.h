// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/report/model/data_table.h"
#include "core/report/model/table.h"
#include "core/report/reports.h"

// What the reports for people say of a memory snapshot, whatever their markup.
namespace rankscope::report {

/// "snapshot.pickle": what its part of a report is called.
[[nodiscard]] std::string snapshotTitle(const ReportedSnapshot& snapshot);
/// How much is reserved and for what, how fragmented it is, its peak, what failed, and what to do; a line each, device
/// by device.
[[nodiscard]] std::vector<std::string> snapshotLines(const ReportedSnapshot& snapshot);
/// A row a device: where what is reserved is.
[[nodiscard]] Table snapshotDevices(const ReportedSnapshot& snapshot);
/// A row a part (parameters, gradients...) of what is in use: at the snapshot, and at the peak of its history.
[[nodiscard]] Table snapshotParts(const ReportedSnapshot& snapshot);
/// What the columns of these two mean.
[[nodiscard]] std::string snapshotNote();
/// The first `rows` stacks of each device, the one that holds most first.
[[nodiscard]] Table snapshotStacks(const ReportedSnapshot& snapshot, std::size_t rows);

/// The same in full, for programs: a row a device.
[[nodiscard]] DataTable snapshotDevicesTable(const ReportedSnapshot& snapshot);
/// A row a stack, of what is in use at the snapshot (`when` is "now") and at the peak ("peak").
[[nodiscard]] DataTable snapshotStacksTable(const ReportedSnapshot& snapshot);
/// A row a segment, the one with most free bytes beside others in use first.
[[nodiscard]] DataTable snapshotSegmentsTable(const ReportedSnapshot& snapshot);
/// A row a block: the largest that are allocated.
[[nodiscard]] DataTable snapshotBlocksTable(const ReportedSnapshot& snapshot);

}  // namespace rankscope::report
