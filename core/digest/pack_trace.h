// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/digest/columns.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What a rank trace has apart from its events: which rank it is, files, devices, groups, metadata, window, health, and
/// the names of its tracks. Everything except TraceFile::seek_index, which is made again from the packed file.
void packIdentity(const RankTrace& trace, ColumnsOut& columns);
/// The same, back into an empty trace. Throws DigestFault.
void unpackIdentity(ColumnsIn& columns, RankTrace& trace);

/// The slices of all tracks, exactly: times, names, categories, nesting, flags and places in the files. Written as
/// differences from what the slices before predict, so most of it is zeros.
void packSlices(const RankTrace& trace, ColumnsOut& columns);
/// The same, back into a trace whose tracks and strings are there. Throws DigestFault where they are no slices as
/// SliceTable describes them.
void unpackSlices(ColumnsIn& columns, RankTrace& trace);

/// What only some slices have (bytes of copies, args of collectives and waits, inputs of operators), launches, flows
/// and the events of the allocator.
void packArgs(const RankTrace& trace, ColumnsOut& columns);
/// The same, back into a trace whose slices and strings are there. Throws DigestFault.
void unpackArgs(ColumnsIn& columns, RankTrace& trace);

}  // namespace rankscope
