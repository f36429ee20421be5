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

/// What the slices of an area are put together by.
enum class AreaKey : std::uint8_t {
    Name,      ///< as recorded; the marks of all steps are one
    Class,     ///< "compute", "communication", "copy" for device work, else the category: "cpu_op"
    Operator,  ///< the innermost operator around a host slice, or around the launch of device work
    Module,    ///< the innermost `nn.Module: ` frame around the same
    Track,     ///< the stream or the thread
    Rank,
    Step,   ///< of the rank, in which the slice begins
    Group,  ///< the process group of a collective
};
inline constexpr std::array kAreaKeys = {AreaKey::Name,  AreaKey::Class, AreaKey::Operator, AreaKey::Module,
                                         AreaKey::Track, AreaKey::Rank,  AreaKey::Step,     AreaKey::Group};
/// For people: "Name".
[[nodiscard]] std::string_view areaKeyTitle(AreaKey key);

/// How the slices of an area are put together, and which of them.
struct AreaQuery {
    AreaKey by = AreaKey::Name;
    std::optional<AreaKey> then_by;  ///< a group for each pair of both
    std::string of_class;            ///< only slices of this AreaKey::Class; empty: all
    std::string with_text;           ///< only slices with this in their name, whatever the case; empty: all
};

/// Slices of an area that are put together. Times are of the parts of slices that are in it.
struct AreaGroup {
    std::string key;
    std::string then_key;  ///< empty if the query has no second key
    std::uint64_t count = 0;
    DurationNs total_ns = 0;  ///< durations, summed
    DurationNs self_ns = 0;   ///< less what slices directly inside them cover (see selfTime)

    /// The mean duration, in whole nanoseconds rounded down; 0 without slices.
    [[nodiscard]] DurationNs meanNs() const { return count == 0 ? 0 : total_ns / static_cast<DurationNs>(count); }
};

/// The groups of an area, the longest total first.
struct AreaGroups {
    std::vector<AreaGroup> groups;
    DurationNs self_ns = 0;  ///< of all groups: what shares are of, since self times are in no other
};

/// What AreaKey::Class calls a slice of this category and class.
[[nodiscard]] std::string_view areaClassOf(Category category, WorkClass work);

/// Puts the slices of an area together. Linear in the slices of the tracks up to its end; by operator or module times
/// their depth. Stops soon after `stop` asks for it.
[[nodiscard]] Result<AreaGroups> groupArea(const Run& run, const RunFacts& facts, const RunClock& clock,
                                           const Area& area, const AreaQuery& query, const std::stop_token& stop);

}  // namespace rankscope
