// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/digest/columns.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What only some slices have (bytes of copies, args of collectives and waits, inputs of operators), launches, flows
/// and the events of the allocator.
void packArgs(const RankTrace& trace, ColumnsOut& columns);
/// The same, back into a trace whose slices and strings are there. Throws DigestFault.
void unpackArgs(ColumnsIn& columns, RankTrace& trace);

}  // namespace rankscope
