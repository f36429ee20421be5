// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ui/window/places/panel_layout.h"
#include "ui/window/session/timeline_document.h"

namespace rankscope::ui {

// How a session file and the settings store the layout of the panels. All of it may be missing.

/// The layout as an object.
[[nodiscard]] Json layoutJson(const PanelLayout& layout);
/// The layout from layoutJson(). Unknown places, from a later version, are ignored; a wrong type throws nlohmann's
/// exception.
[[nodiscard]] PanelLayout layoutFromJson(const Json& json);

}  // namespace rankscope::ui
