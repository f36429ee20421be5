// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/finding.h"

namespace rankscope {

/// Sees to it that no time is claimed by two findings: a straggler and what makes it one.
///
/// The order of claims is: what has a name before what has only a rank. Where a finding on the straggler's ranks alone
/// explains its lateness by a named call or line (a sync, a copy, an allocation) and saves at least most of the same,
/// the straggler is dropped: that finding names the rank too. A DataLoader has no such name: there the straggler claims
/// first, and the DataLoader's finding keeps what it would save beyond; less than 1 % of the step is no finding.
void settleClaims(Diagnosis& diagnosis, DurationNs median_step_ns);

}  // namespace rankscope
