// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/verdict.h"

namespace rankscope {

struct RunFacts;

// The parts of a verdict, in the words of Verdict::rule.

/// One of the shares of a verdict with its name.
struct NamedShare {
    std::string_view name;   ///< as in the JSON: "input"
    std::string_view title;  ///< for people: "waiting for input and copies"
    double share = 0;        ///< share of the step, 0 to 1
};
/// All shares, in the order of BoundShares.
[[nodiscard]] std::array<NamedShare, 9> namedShares(const BoundShares& shares);

/// The rule that decided, with its numbers: Verdict::rule without the shares at its start. The whole rule if there is
/// no verdict.
[[nodiscard]] std::string verdictReason(const Verdict& verdict);

/// What the shares of a path omit if it goes through the stages of a pipeline in sequence: the bubble of all pipelines
/// as a share of the time in which they work, 0 to 1. Nothing if that is below a tenth, or without a pipeline or
/// shares.
[[nodiscard]] std::optional<double> bubbleBesidePath(const RunFacts& facts);
/// The share of its complete, steady-state steps in which the mean rank computes, 0 to 1, if that differs by a tenth or
/// more from the share of the path, which continues on the ranks that others wait for. Nothing otherwise, and without
/// shares.
[[nodiscard]] std::optional<double> computeBesidePath(const RunFacts& facts);
/// One of the two as a sentence, the bubble first; empty for nothing. A bubble is a lower bound if ranks of a pipeline
/// were not opened.
[[nodiscard]] std::string besidePathText(const RunFacts& facts);

}  // namespace rankscope
