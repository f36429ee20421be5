// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::test {

/// Expects the headline to name a part that a finding with a price names, or compute, or to say that it does not know:
/// the verdict and the findings tell one story. The first finding is of its kind, or its text names it.
void checkHeadline(const AnalysedRun& run);

/// Expects each finding that saves more than 1.5 times what it blocks to say which waits follow, or to be an upper
/// bound; of those that own time in the ledger.
void checkPrices(const AnalysedRun& run);

}  // namespace rankscope::test
