// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/timeline/rows/row_choices.h"
#include "ui/timeline/timeline_state.h"

namespace rankscope::ui {

/// What the user made of a timeline: what undo gives back.
struct Arrangement {
    RowChoices rows;
    std::vector<TimeMark> marks;
    friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

}  // namespace rankscope::ui
