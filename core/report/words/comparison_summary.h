// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/compare/compare_runs.h"

// What the reports for people say of two runs, whatever their markup.
namespace rankscope::report {

/// Two runs and what changed from the first to the second; of several recordings a side, those that are shown.
struct ComparisonView {
    const AnalysedRun& a;
    const AnalysedRun& b;
    const RunComparison& comparison;
};

/// The finding that a pair is about: A's, or B's where A has none.
[[nodiscard]] const Finding& findingOf(const ComparisonView& view, const FindingPair& pair);
/// Its title; of both runs where these differ, since titles have figures in them.
[[nodiscard]] std::string comparedTitle(const ComparisonView& view, const FindingPair& pair);
/// "ZeroWorkers (A) against FourWorkers (B)".
[[nodiscard]] std::string comparisonTitle(const ComparisonView& view);
/// Steps that are no samples, a line a reason and run.
[[nodiscard]] std::vector<std::string> leftOutLines(const ComparisonView& view);
/// The recordings of both sides where one has several: their steps, which do not count and why, how far apart they are.
[[nodiscard]] std::vector<std::string> recordingLines(const ComparisonView& view);
/// What the step times are judged by, and what was assumed.
[[nodiscard]] std::vector<std::string> judgedBy(const ComparisonView& view);
[[nodiscard]] std::string breakdownNote(const ComparisonView& view);
/// What a change gave: a sentence per finding for which that is known.
[[nodiscard]] std::vector<std::string> whatChangesGave(const ComparisonView& view);
/// What "cannot-tell" says, if a finding has it.
[[nodiscard]] std::vector<std::string> findingNotes(const ComparisonView& view);

/// How ranks are paired where grids differ, and who has no counterpart.
[[nodiscard]] std::vector<std::string> pairingLines(const ComparisonView& view);
/// Tokens a second of servers' iterations, a line per kind.
[[nodiscard]] std::vector<std::string> throughputLines(const ComparisonView& view);

/// "+12.3 ms", "-4.00 µs", "0 ns".
[[nodiscard]] std::string signedDuration(DurationNs ns);

}  // namespace rankscope::report
