// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <variant>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope::ui {

/// One slice of one rank of one of the open runs.
struct SliceSelection {
    std::uint32_t run = 0;   ///< index among the open runs
    std::uint32_t rank = 0;  ///< index in Run::ranks
    SliceRef slice;
    friend bool operator==(const SliceSelection&, const SliceSelection&) = default;
};

/// One gap of the device: RunFacts::ranks[rank].steps[step].gaps[gap].
struct GapSelection {
    std::uint32_t run = 0;
    std::uint32_t rank = 0;
    std::uint32_t step = 0;
    std::uint32_t gap = 0;
    friend bool operator==(const GapSelection&, const GapSelection&) = default;
};

/// What is selected: one tagged value, from which every panel derives what it shows. std::monostate is nothing.
using Selection = std::variant<std::monostate, SliceSelection, GapSelection>;

}  // namespace rankscope::ui
