// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/digest/columns.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Everything of a rank trace except its events: which rank it is, files, devices, groups, metadata, window, health,
/// and the names of its tracks. Without TraceFile::seek_index, which is made again from the packed file.
void packIdentity(const RankTrace& trace, ColumnsOut& columns);
/// The same back, into an empty trace. Throws DigestFault.
void unpackIdentity(ColumnsIn& columns, RankTrace& trace);

/// The slices of all tracks, exactly: times, names, categories, nesting, flags and places in the files. Written as
/// differences from a prediction by previous slices, so most of it is zeros.
void packSlices(const RankTrace& trace, ColumnsOut& columns);
/// The same back, into a trace that has its tracks and strings. Throws DigestFault if they are not slices as SliceTable
/// describes them.
void unpackSlices(ColumnsIn& columns, RankTrace& trace);

/// The data that only some slices have (bytes of copies, args of collectives and waits, inputs of operators), launches,
/// flows and the allocator's events.
void packArgs(const RankTrace& trace, ColumnsOut& columns);
/// The same back, into a trace that has its slices and strings. Throws DigestFault.
void unpackArgs(ColumnsIn& columns, RankTrace& trace);

}  // namespace rankscope
