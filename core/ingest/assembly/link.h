// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ingest/assembly/assemble.h"

namespace rankscope {

/// Joins device work with the host calls that launched it, by correlation and, for work without one, by flow events;
/// and forward with backward operators by their flows. Counts in the health what stays without a partner. Runs on up to
/// `threads` threads. A stop ends it early, and leaves a trace that must not be used.
void linkTrace(LinkInput input, unsigned threads, RankTrace& trace, const std::stop_token& stop = {});

}  // namespace rankscope
