// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <stop_token>

#include "core/ingest/nsight/export.h"
#include "core/ingest/nsight/process.h"

namespace rankscope::nsight {

/// Adds the sampled metrics of GPUs (`--gpu-metrics-devices`) to the processes that work on them, as readings of
/// sensors: active SMs, bandwidth of DRAM (reads and writes together) and the clock. Other metrics are not kept. Linear
/// in the rows of GPU_METRICS. Stops early if asked to.
void addGpuMetrics(const Export& from, std::map<std::int64_t, Process>& processes, const std::stop_token& stop);

}  // namespace rankscope::nsight
