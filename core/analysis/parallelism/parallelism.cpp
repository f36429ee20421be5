// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/parallelism.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace rankscope {

std::string GroupPart::label() const {
    return role ? std::string(roleName(*role)) : what.empty() ? "cannot tell" : what;
}

std::string GroupRole::label() const {
    if (!description.empty() && description != "undefined") {
        return description;
    }
    if (!name.empty()) {
        return name;
    }
    return group ? fmt::format("#{}", *group) : std::string();
}

bool GroupRole::isNamed(std::string_view choice) const {
    return !choice.empty() &&
           (choice == description || choice == name || (group && choice == fmt::format("#{}", *group)));
}

std::optional<std::int32_t> strideOf(const std::vector<RankNumber>& ranks) {
    if (ranks.size() < 2) {
        return std::nullopt;
    }
    const auto apart = [&ranks](std::size_t i) { return std::int64_t{ranks[i].value} - ranks[i - 1].value; };
    const std::int64_t stride = apart(1);
    for (std::size_t i = 2; i < ranks.size(); ++i) {
        if (apart(i) != stride) {
            return std::nullopt;
        }
    }
    const bool usable = stride > 0 && stride <= std::numeric_limits<std::int32_t>::max();
    return usable ? std::optional(static_cast<std::int32_t>(stride)) : std::nullopt;
}

std::string JobGrid::text() const {
    std::string text;
    for (const GridDimension& dimension : dimensions) {
        text += (text.empty() ? "" : " x ") + fmt::format("{} {}", roleName(dimension.role), dimension.size);
    }
    return text;
}

std::int32_t JobGrid::sizeOf(Role role) const {
    const auto at = std::ranges::find(dimensions, role, &GridDimension::role);
    return at == dimensions.end() ? 1 : at->size;
}

std::string JobGrid::placeText(RankPosition rank) const {
    std::string text;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        if (const std::optional<std::int32_t>& place = places[rank][d]) {
            text += (text.empty() ? "" : ", ") + fmt::format("{} {}", rolePlace(dimensions[d].role), *place);
        }
    }
    return text;
}

}  // namespace rankscope
