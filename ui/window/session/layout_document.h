// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ui/window/places/panel_layout.h"
#include "ui/window/session/timeline_document.h"

namespace rankscope::ui {

// What a session file and the settings hold of how the panels share the window. All of it may be missing.

/// The layout as an object.
[[nodiscard]] Json layoutJson(const PanelLayout& layout);
/// The layout that layoutJson() wrote. Places that a later version may add are passed over; what is not of its type
/// throws nlohmann's exception.
[[nodiscard]] PanelLayout layoutFromJson(const Json& json);

}  // namespace rankscope::ui
