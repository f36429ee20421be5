// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

/// How late a rank is.
struct LateRank {
    RankPosition rank;
    DurationNs late_ns = 0;   ///< after the first of its peers, in its median step
    bool stands_out = false;  ///< late by 1 % of the step or more, and by more than half of the latest rank's lateness
};

/// All ranks of a run, the latest first; empty if their lateness is not known, as with a single rank. O(ranks x steps).
[[nodiscard]] std::vector<LateRank> lateRanks(const RunFacts& facts);
/// Whether a rank is late by 1 % of the step or more; without a step any lateness counts. O(ranks x steps).
[[nodiscard]] bool isSomebodyLate(const RunFacts& facts);
/// A rank's measures as in the reports, one per line: "rank 3: 9.79 ms behind the first".
[[nodiscard]] QString lateRankText(const AnalysedRun& run, const LateRank& late);

}  // namespace rankscope::ui
