// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/nsight/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rankscope::nsight {
namespace {

std::string_view memoryName(std::int64_t kind) {
    constexpr std::array<std::string_view, 7> kNames = {"Pageable", "Pinned", "Device", "Array",
                                                        "Managed",  "Device", "Managed"};
    return kind >= 0 && kind < static_cast<std::int64_t>(kNames.size()) ? kNames[static_cast<std::size_t>(kind)]
                                                                        : std::string_view("Unknown");
}

}  // namespace

std::string copyName(std::int64_t direction, std::int64_t from, std::int64_t to) {
    constexpr std::array<std::string_view, 14> kNames = {"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD",
                                                         "DtoA",    "DtoD", "HtoH", "PtoP", "HtoD", "DtoH", "DtoD"};
    const bool is_known = direction >= 0 && direction < static_cast<std::int64_t>(kNames.size());
    return fmt::format("Memcpy {} ({} -> {})", kNames[is_known ? static_cast<std::size_t>(direction) : 0],
                       memoryName(from), memoryName(to));
}

std::string setName(std::int64_t memory) {
    return fmt::format("Memset ({})", memoryName(memory));
}

std::string_view callName(std::string_view name) {
    const std::size_t mark = name.rfind("_v");
    const bool is_version = mark != std::string_view::npos && mark > 0 && mark + 3 < name.size() &&
                            name.find_first_not_of("0123456789", mark + 2) == std::string_view::npos;
    return is_version ? name.substr(0, mark) : name;
}

std::string_view waitName(std::int64_t type) {
    constexpr std::array<std::string_view, 5> kNames = {"Unknown Sync", "Event Sync", "Stream Wait Event",
                                                        "Stream Sync", "Context Sync"};
    return kNames[type > 0 && type < static_cast<std::int64_t>(kNames.size()) ? static_cast<std::size_t>(type) : 0];
}

RangeName rangeName(std::string_view text) {
    constexpr std::array<std::string_view, 3> kMarks = {", seq = ", ", op_id = ", ", sizes = "};
    std::size_t end = text.size();
    for (const std::string_view mark : kMarks) {
        end = std::min(end, text.find(mark));
    }
    RangeName range{text.substr(0, end), {}, end < text.size()};
    const std::size_t sizes = range.is_operator ? text.find(kMarks[2]) : std::string_view::npos;
    if (sizes != std::string_view::npos) {
        const std::string_view list = text.substr(sizes + kMarks[2].size());
        std::size_t depth = 0;
        for (std::size_t at = 0; at < list.size(); ++at) {
            depth += list[at] == '[' ? 1U : 0U;
            if (list[at] == ']' && (depth == 0 || --depth == 0)) {
                range.shapes = list.substr(0, at + 1);
                break;
            }
        }
    }
    return range;
}

}  // namespace rankscope::nsight
