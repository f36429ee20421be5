// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/bounds.h"

#include <algorithm>

namespace rankscope {

void BoundsReport::add(OutOfBounds found) {
    const auto known = std::ranges::find(found_, found.what, &OutOfBounds::what);
    if (known == found_.end()) {
        found_.push_back(std::move(found));
        return;
    }
    const std::uint64_t count = known->count + found.count;
    if (found.byte_offset && known->byte_offset && *found.byte_offset < *known->byte_offset) {
        *known = std::move(found);
    }
    known->count = count;
}

void BoundsReport::add(const BoundsReport& other) {
    for (const OutOfBounds& found : other.found_) {
        add(found);
    }
}

std::vector<std::string> BoundsReport::notes(const std::string& file) const {
    std::vector<std::string> notes;
    for (const OutOfBounds& found : found_) {
        std::string note = file + ": " + found.what + " " + found.value;
        note += found.byte_offset ? " at byte " + std::to_string(*found.byte_offset) : std::string();
        note += " exceeds the limit of " + std::to_string(found.bound) + " and is treated as unknown";
        note += found.count > 1 ? " (" + std::to_string(found.count) + " such values)." : ".";
        notes.push_back(std::move(note));
    }
    return notes;
}

std::optional<std::int64_t> bounded(std::string_view what, std::int64_t value, std::int64_t lowest,
                                    std::int64_t highest, BoundsReport& report,
                                    std::optional<std::uint64_t> byte_offset) {
    if (value >= lowest && value <= highest) {
        return value;
    }
    report.add({std::string(what), std::to_string(value), value < lowest ? lowest : highest, byte_offset, 1});
    return std::nullopt;
}

}  // namespace rankscope
