// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/diagnosis/rules.h"

namespace rankscope {

/// A part of a gap, with where it stands.
struct SeenPart {
    std::uint32_t rank = 0;
    const RankStep* step = nullptr;
    const Gap* gap = nullptr;
    const GapPart* part = nullptr;
};

using PartFilter = std::function<bool(const GapPart&)>;

/// The longest parts of gaps that `wanted` picks on `ranks`, longest first, at most `most`.
[[nodiscard]] std::vector<SeenPart> longestParts(const RuleContext& context, const std::vector<std::uint32_t>& ranks,
                                                 const PartFilter& wanted, std::size_t most);

/// Evidence for the longest parts: what blocked the device, and for the longest of all also the launch and the device
/// work that ended the gap. At most eight.
[[nodiscard]] std::vector<Evidence> evidenceOf(const RuleContext& context, const std::vector<std::uint32_t>& ranks,
                                               const PartFilter& wanted);

/// Whether Python stacks were recorded on a rank.
[[nodiscard]] bool hasStacks(const RankTrace& rank);

/// "a replay takes 12.0 ms a step instead of 14.0 ms": what a finding saves, for the end of its explanation.
[[nodiscard]] std::string replayText(const RuleContext& context, const Price& price);

/// "1 step" or "3 steps".
[[nodiscard]] std::string countText(std::size_t count, const std::string& noun);

}  // namespace rankscope
