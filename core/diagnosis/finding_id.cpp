// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/finding_id.h"

#include <array>

namespace rankscope {

std::string_view findingName(FindingId id) {
    static constexpr std::array<std::string_view, kFindingIds> kNames = {
        "dataloader-stall", "unpinned-memcpy",  "host-sync",        "allocator-stall",
        "host-code",        "launch-bound",     "unexplained-idle", "find-unused-parameters",
        "gradient-copies",  "bucket-size",      "slow-collective",  "exposed-communication",
        "straggler-rank",   "moving-straggler", "memory-pressure",  "trace-health"};
    return kNames[static_cast<std::size_t>(id)];
}

}  // namespace rankscope
