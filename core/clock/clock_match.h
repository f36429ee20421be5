// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// A moment that several ranks share: one collective that all its members finish together, each on its own file clock.
/// What the clocks are fitted on (design 4.6).
struct ClockMatch {
    struct Member {
        std::uint32_t rank = 0;  ///< index in Run::ranks
        TimeSpan span;           ///< on the rank's file clock
    };
    std::vector<Member> members;  ///< two or more, by rank
};

}  // namespace rankscope
