// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

class NameRules;
struct DeviceWork;
struct RankTrace;

/// A kernel that counts as compute although its name looks like communication: no args, no launching operator and no
/// rule say that it is. Valid as long as the rank's trace, which has the text of its name.
struct CommunicationSuspect {
    std::string_view name;
    std::uint64_t calls = 0;
    DurationNs total_ns = 0;  ///< sum of durations
};

/// The most that a rank lists.
inline constexpr std::size_t kMostSuspects = 20;

/// The suspects among the compute of `work`, which is of `rank`; those with most time first, up to kMostSuspects. A
/// kernel that a rule has decided about is none. Linear in the device work.
[[nodiscard]] std::vector<CommunicationSuspect> communicationSuspects(const RankTrace& rank, const DeviceWork& work,
                                                                      const NameRules& rules);

/// Whether the name of a kernel, up to its arguments, contains a collective or a library of collectives: "AllReduce",
/// "all_to_all", "nvshmem". False if the name says that threads of a block or a warp reduce among themselves.
[[nodiscard]] bool looksLikeCommunication(std::string_view kernel_name);

}  // namespace rankscope
