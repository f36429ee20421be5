// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::test {

/// A group of eight ranks, "mesh_dp", and the fit of its all-reduces over three sizes: 10 kB, bound by latency, 4 MB,
/// on the line, and 16 MB, slower than it.
void addFit(CollectiveFacts& facts);
/// 1.5 of 2 ms of communication are hidden in each step of each rank.
void hideCommunication(RunFacts& facts);
/// DDP's buckets of today, and a step of 20 ms: 18.5 ms with buckets of 5 MB, the best, and 20.1 ms with those of 25.
[[nodiscard]] BucketForecast bucketForecast();

}  // namespace rankscope::test
