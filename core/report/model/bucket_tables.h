// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/analysed_run.h"
#include "core/report/model/data_table.h"
#include "core/report/model/table.h"

// DDP's gradient buckets, and the step with other sizes of them (Diagnosis::buckets).
namespace rankscope::report {

/// A row a bucket that a step sends, in their order.
[[nodiscard]] DataTable bucketsTable(const AnalysedRun& run);
/// A row a bucket_cap_mb: the step as the replay has it.
[[nodiscard]] DataTable bucketCapsTable(const AnalysedRun& run);
/// What is sent today, which size is advised, or why that cannot be told; empty where there are no buckets.
[[nodiscard]] std::vector<std::string> bucketLines(const AnalysedRun& run);
/// bucketCapsTable() for people; the advised one is marked. No rows where it cannot be told.
[[nodiscard]] Table bucketCaps(const AnalysedRun& run);
/// What bucketCaps() stands on.
[[nodiscard]] std::string bucketNote();

}  // namespace rankscope::report
