// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ui/timeline/timeline_state.h"

namespace rankscope::ui {

/// The JSON of sessions: members keep their order.
using Json = nlohmann::ordered_json;

// How a session file stores the timeline. All of it may be missing in the file of an earlier version.

/// A span as an object with `start_ns` and `end_ns`, integer nanoseconds.
[[nodiscard]] Json spanToJson(const TimeSpan& span);
/// The span from spanToJson(). Throws nlohmann's exception if a key is missing or is not a number.
[[nodiscard]] TimeSpan spanFromJson(const Json& json);

/// Everything except the window.
[[nodiscard]] Json timelineJson(const TimelineState& state);
/// Fills everything except the window. Unknown words, from a later version, are ignored; a wrong type throws nlohmann's
/// exception.
void readTimeline(const Json& json, TimelineState& state);

}  // namespace rankscope::ui
