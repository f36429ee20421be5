// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/verdict.h"

namespace rankscope {

struct RunFacts;

// What a verdict is made of, part by part, in the words of Verdict::rule.

/// One of the shares of a verdict with what it is called.
struct NamedShare {
    std::string_view name;   ///< as in the JSON: "input"
    std::string_view title;  ///< for people: "waiting for input and copies"
    double share = 0;        ///< of the step, 0 to 1
};
/// All shares, in the order of BoundShares.
[[nodiscard]] std::array<NamedShare, 8> namedShares(const BoundShares& shares);

/// Which rule decided, with its numbers: Verdict::rule without the shares that it begins with. The whole of it where
/// nothing could be told.
[[nodiscard]] std::string verdictReason(const Verdict& verdict);

/// What the shares of a path leave out that goes through the stages of a pipeline one after the other: the bubble of
/// all pipelines over the time that they are at work, 0 to 1. Nothing where that is below a tenth, or no pipeline or no
/// share is told.
[[nodiscard]] std::optional<double> bubbleBesidePath(const RunFacts& facts);
/// What the mean rank computes of its complete, steady-state steps, 0 to 1, where that differs by a tenth or more from
/// what the path computes, which goes on at the ranks that others wait for. Else nothing, as where no share is told.
[[nodiscard]] std::optional<double> computeBesidePath(const RunFacts& facts);
/// One of the two as a sentence, the bubble first; empty for nothing. A bubble is the least that it may be where ranks
/// of a pipeline were not opened.
[[nodiscard]] std::string besidePathText(const RunFacts& facts);

}  // namespace rankscope
