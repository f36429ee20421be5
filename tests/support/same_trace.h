// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/rank_trace.h"

namespace rankscope::test {

/// Expects that two traces hold the same, to the nanosecond, in everything but how to find bytes of their files again
/// and which digest they come from.
void expectSameTrace(const RankTrace& a, const RankTrace& b);

}  // namespace rankscope::test
