// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/facts.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/sentences.h"

namespace rankscope {

/// The last word on the findings of a run, once all are known. A late rank whose saving lies all in another forecast is
/// not listed, since it is not worth its own price: it is told with that one, and so is a slow stage with the slow
/// group that its ranks are. Each says what of its saving others save too. Then they are put in order: forecasts by
/// what they add to the findings before them, then upper bounds (Finding:: at_most), then what has no price.
void settleFindings(const RunFacts& facts, const Sentences& say, Diagnosis& diagnosis);

}  // namespace rankscope
