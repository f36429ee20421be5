// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ui/timeline/timeline_state.h"

namespace rankscope::ui {

/// What sessions are written as: members keep their order.
using Json = nlohmann::ordered_json;

// What a session file holds of the timeline. All of it may be missing from the file of an earlier version.

/// A span as an object with `start_ns` and `end_ns`, integer nanoseconds.
[[nodiscard]] Json spanToJson(const TimeSpan& span);
/// The span that spanToJson() wrote. Throws nlohmann's exception where a key is missing or is no number.
[[nodiscard]] TimeSpan spanFromJson(const Json& json);

/// All but the window.
[[nodiscard]] Json timelineJson(const TimelineState& state);
/// Fills all but the window. What a later version may add to the vocabularies is passed over; what is not of its type
/// throws nlohmann's exception.
void readTimeline(const Json& json, TimelineState& state);

}  // namespace rankscope::ui
