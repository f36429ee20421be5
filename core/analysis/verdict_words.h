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
[[nodiscard]] std::array<NamedShare, 9> namedShares(const BoundShares& shares);

/// The rule that decided, with its numbers: Verdict::rule without the shares that it begins with. All of it if there is
/// no verdict.
[[nodiscard]] std::string verdictReason(const Verdict& verdict);

/// What the shares of a path omit if it goes through the stages of a pipeline in sequence: the bubble of all pipelines
/// over the time that they work, 0 to 1. Nothing if that is below a tenth, or without a pipeline or shares.
[[nodiscard]] std::optional<double> bubbleBesidePath(const RunFacts& facts);
/// The share of its complete, steady-state steps that the mean rank computes, 0 to 1, if it differs by a tenth or more
/// from that of the path, which continues on the ranks that others wait for. Else nothing, as without shares.
[[nodiscard]] std::optional<double> computeBesidePath(const RunFacts& facts);
/// One of the two as a sentence, the bubble first; empty for nothing. A bubble is the least that it may be where ranks
/// of a pipeline were not opened.
[[nodiscard]] std::string besidePathText(const RunFacts& facts);

}  // namespace rankscope
