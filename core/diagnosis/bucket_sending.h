// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/rank_context.h"
#include "core/analysis/replay/replay.h"

namespace rankscope {

/// A gradient bucket that a rank sent.
struct SentBucket {
    SliceRef launch;
    std::size_t step = 0;  ///< which step it belongs to: any number that tells steps apart
    bool gone = false;     ///< it would not be sent
};

/// What the host does for buckets that are gone takes no time: their operators, with what is not recorded between two
/// that are sent in a row, and the calls at the end of the backward that make the compute stream wait for each bucket
/// (`Reducer::finalize_backward`). The latter only where there are as many as buckets. `sent` holds all buckets of a
/// rank, in the order in which they were sent.
[[nodiscard]] std::vector<HostChange> withoutSending(const RankContext& work, const std::vector<SentBucket>& sent);

}  // namespace rankscope
