// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session/layout_document.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

namespace rankscope::ui {
namespace {

constexpr std::array<const char*, kDocks + 1> kPlaceNames = {"below", "side-top", "side-bottom", "window"};
constexpr int kMostPixels = 100'000;  // limit of a length or a position on the screens: their sums stay in range

std::optional<PanelPlace> placeOfName(const std::string& name) {
    const auto at = std::ranges::find(kPlaceNames, name);
    return at == kPlaceNames.end() ? std::nullopt : std::optional(static_cast<PanelPlace>(at - kPlaceNames.begin()));
}

int pixels(const Json& json, const char* key) {
    return std::clamp(json.at(key).get<int>(), -kMostPixels, kMostPixels);
}

int lengthOr0(const Json& json, const char* key) {
    return std::clamp(json.value(key, 0), 0, kMostPixels);
}

Json movedJson(const PanelLayout::Moved& moved) {
    Json json = {{"panel", moved.panel}, {"place", kPlaceNames[static_cast<std::size_t>(moved.place)]}};
    if (moved.place == PanelPlace::Window) {
        json["x"] = moved.window.x();
        json["y"] = moved.window.y();
        json["width"] = moved.window.width();
        json["height"] = moved.window.height();
    }
    return json;
}

/// Nothing if only a later version knows the place.
std::optional<PanelLayout::Moved> movedOf(const Json& json) {
    PanelLayout::Moved moved;
    moved.panel = json.at("panel").get<std::string>();
    const auto place = placeOfName(json.at("place").get<std::string>());
    if (!place) {
        return std::nullopt;
    }
    moved.place = *place;
    if (moved.place == PanelPlace::Window) {
        moved.window = {pixels(json, "x"), pixels(json, "y"), pixels(json, "width"), pixels(json, "height")};
    }
    return moved;
}

}  // namespace

Json layoutJson(const PanelLayout& layout) {
    Json moved = Json::array();
    for (const PanelLayout::Moved& panel : layout.moved) {
        moved.push_back(movedJson(panel));
    }
    return {{"moved", moved},
            {"side_fronts", layout.side_fronts},
            {"side_heights", layout.side_heights},
            {"side_width", layout.side_width},
            {"bottom_height", layout.bottom_height}};
}

PanelLayout layoutFromJson(const Json& json) {
    PanelLayout layout;
    for (const Json& panel : json.at("moved")) {
        if (const auto moved = movedOf(panel)) {
            layout.moved.push_back(*moved);
        }
    }
    layout.side_fronts = json.value("side_fronts", layout.side_fronts);
    layout.side_heights = json.value("side_heights", layout.side_heights);
    for (int& height : layout.side_heights) {
        height = std::clamp(height, 0, kMostPixels);
    }
    layout.side_width = lengthOr0(json, "side_width");
    layout.bottom_height = lengthOr0(json, "bottom_height");
    return layout;
}

}  // namespace rankscope::ui
