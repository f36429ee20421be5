// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/link_speeds.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "resources/link_speeds.h"

namespace rankscope {

LinkSpeeds LinkSpeeds::builtIn() {
    Result<LinkSpeeds> speeds = fromJson(resources::link_speeds, "link_speeds.json");
    return speeds.ok() ? std::move(speeds).value() : LinkSpeeds();
}

Result<LinkSpeeds> LinkSpeeds::fromJson(std::string_view json, const std::string& path) {
    const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
    if (document.is_discarded()) {
        return Error{path, {}, "is not valid JSON"};
    }
    LinkSpeeds speeds;
    try {
        speeds.default_ = document.at("default").get<double>();
        for (const nlohmann::json& device : document.at("devices")) {
            speeds.entries_.push_back({device.at("name").get<std::string>(), device.at("gb_per_s").get<double>()});
        }
    } catch (const nlohmann::json::exception& error) {
        return Error{path, {}, std::string("is not a table of link speeds: ") + error.what()};
    }
    if (speeds.default_ <= 0 || std::ranges::any_of(speeds.entries_, [](const Entry& e) { return e.gb_per_s <= 0; })) {
        return Error{path, {}, "a link speed must be above 0"};
    }
    return speeds;
}

double LinkSpeeds::of(std::string_view device_name) const {
    const auto entry = std::ranges::find_if(
        entries_, [&](const Entry& e) { return device_name.find(e.name) != std::string_view::npos; });
    return entry == entries_.end() ? default_ : entry->gb_per_s;
}

double LinkSpeeds::of(const RankTrace& rank, std::int32_t device) const {
    const auto properties = std::ranges::find(rank.devices, device, &DeviceProperties::id);
    return properties == rank.devices.end() ? default_ : of(properties->name);
}

}  // namespace rankscope
