// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/digest/columns.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What stands in a rank trace beside its events: which rank it is, files, devices, groups, metadata, window, health,
/// and what its tracks are called. Everything but TraceFile::seek_index, which is made anew from its packing.
void packIdentity(const RankTrace& trace, ColumnsOut& columns);
/// The same, back into an empty trace. Throws DigestFault.
void unpackIdentity(ColumnsIn& columns, RankTrace& trace);

}  // namespace rankscope
