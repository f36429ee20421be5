// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::test {

inline constexpr TimeNs kBaseNs = 1'700'000'000'000'000'000;
inline constexpr DurationNs kRank3OffsetNs = 250;

/// An analysed run by hand, with a value of its own in every field: position 0 is rank 2 with device work, one finding
/// and its evidence; position 1 is rank 3 without device work, 250 ns off; ranks 0 and 1 are missing.
[[nodiscard]] AnalysedRun sampleRun();

/// The same, where `change` may alter the name and the notes of the run, and the traces of ranks 2 and 3.
[[nodiscard]] AnalysedRun sampleRunWith(const std::function<void(Run&, RankTrace& two, RankTrace& three)>& change);

}  // namespace rankscope::test
