// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "core/trace/rank_trace.h"

namespace rankscope {

// Whether two traces are windows of one process, recorded one after the other (`schedule(repeat=...)`).

/// The numbers of the ProfilerStep marks of a trace. Linear in the texts of the trace.
[[nodiscard]] std::set<std::int64_t> stepNumbers(const RankTrace& trace);
/// Whether a number is in both. A profiler that continues counts its steps upwards: repeated numbers are from another
/// job, or from another profiler of the process, whose steps could not be distinguished from the first ones.
[[nodiscard]] bool repeatSteps(const std::set<std::int64_t>& a, const std::set<std::int64_t>& b);
inline constexpr std::string_view kSameSteps = "but with the same steps again";

/// Whether two traces have a host process in common, as windows of one job do.
[[nodiscard]] bool sameProcess(const RankTrace& a, const RankTrace& b);

/// Whether it is proven that one process wrote both, for traces without a rank: the same process, the same devices, and
/// the same host. If neither names its host, the same name before the time in their files' names
/// ("worker.1234.1700000000000.pt.trace.json").
[[nodiscard]] bool provenSameProcess(const RankTrace& a, const RankTrace& b);

/// Why `later` is not a further window, judged by its time and its process: "at the same time", "but from another
/// process"; empty if it may be one. `earlier` began no later.
[[nodiscard]] std::string_view whyNotAfter(const RankTrace& earlier, const RankTrace& later);
/// The same, and kSameSteps for repeated steps: empty if it is a further window of the rank of `earlier`.
[[nodiscard]] std::string whyNoFurtherWindow(const RankTrace& earlier, const RankTrace& later);

}  // namespace rankscope
