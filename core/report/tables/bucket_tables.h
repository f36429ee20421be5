// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/table.h"

// DDP's gradient buckets, and the simulated step with other sizes of them (Diagnosis::buckets).
namespace rankscope::report {

/// A row per bucket that a step sends, in order.
[[nodiscard]] DataTable bucketsTable(const AnalysedRun& run);
/// A row per bucket_cap_mb: the step as simulated with it.
[[nodiscard]] DataTable bucketCapsTable(const AnalysedRun& run);
/// What is sent today, and which size is advised or why that is not known; empty if there are no buckets.
[[nodiscard]] std::vector<std::string> bucketLines(const AnalysedRun& run);
/// bucketCapsTable() for people, with the advised size marked. No rows if it is not known.
[[nodiscard]] Table bucketCaps(const AnalysedRun& run);
/// What bucketCaps() is based on.
[[nodiscard]] std::string bucketNote();

}  // namespace rankscope::report
