// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "ui/timeline/timeline_state.h"

namespace rankscope::ui {

// What a session file holds of the timeline. All of it may be missing from the file of an earlier version.

[[nodiscard]] nlohmann::ordered_json spanToJson(const TimeSpan& span);
[[nodiscard]] TimeSpan spanFromJson(const nlohmann::ordered_json& json);

/// All but the window.
[[nodiscard]] nlohmann::ordered_json timelineJson(const TimelineState& state);
/// Fills all but the window. What a later version may add to the vocabularies is passed over; what is not of its type
/// throws nlohmann's exception.
void readTimeline(const nlohmann::ordered_json& json, TimelineState& state);

}  // namespace rankscope::ui
