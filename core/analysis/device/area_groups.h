// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device/area_sums.h"
#include "core/base/result.h"

namespace rankscope {

/// The key by which the slices of an area are grouped.
enum class AreaKey : std::uint8_t {
    Name,      ///< as recorded; the marks of all steps are one group
    Class,     ///< "compute", "communication", "copy" for device work, else the category: "cpu_op"
    Operator,  ///< the innermost operator around a host slice, or around the launch of device work
    Module,    ///< the innermost `nn.Module: ` frame around a host slice, or around the launch of device work
    Track,     ///< the stream or the thread
    Rank,
    Step,   ///< the step of the rank in which the slice begins
    Group,  ///< the process group of a collective
};
inline constexpr std::array kAreaKeys = {AreaKey::Name,  AreaKey::Class, AreaKey::Operator, AreaKey::Module,
                                         AreaKey::Track, AreaKey::Rank,  AreaKey::Step,     AreaKey::Group};
/// For people: "Name".
[[nodiscard]] std::string_view areaKeyTitle(AreaKey key);

/// How the slices of an area are grouped, and which of them.
struct AreaQuery {
    AreaKey by = AreaKey::Name;
    std::optional<AreaKey> then_by;  ///< a group for each pair of keys
    std::string of_class;            ///< only slices of this AreaKey::Class; empty: all
    std::string with_text;           ///< only slices with this text in their name, case-insensitive; empty: all
};

/// A group of slices of an area. Times are of the parts of slices inside the area.
struct AreaGroup {
    std::string key;
    std::string then_key;  ///< empty if the query has no second key
    std::uint64_t count = 0;
    DurationNs total_ns = 0;  ///< summed durations
    DurationNs self_ns = 0;   ///< minus what slices directly inside them cover (see selfTime())

    /// The mean duration, in whole nanoseconds rounded down; 0 without slices.
    [[nodiscard]] DurationNs meanNs() const { return count == 0 ? 0 : total_ns / static_cast<DurationNs>(count); }
};

/// The groups of an area, the longest total first.
struct AreaGroups {
    std::vector<AreaGroup> groups;
    DurationNs self_ns = 0;  ///< over all groups: the total for shares, since self times do not overlap
};

/// The name of the class of a slice with this category and class, as for AreaKey::Class.
[[nodiscard]] std::string_view areaClassOf(Category category, WorkClass work);

/// Groups the slices of an area. Linear in the slices of the tracks up to its end; by operator or module times their
/// depth. Stops soon after `stop` is requested.
[[nodiscard]] Result<AreaGroups> groupArea(const Run& run, const RunFacts& facts, const RunClock& clock,
                                           const Area& area, const AreaQuery& query, const std::stop_token& stop);

}  // namespace rankscope
