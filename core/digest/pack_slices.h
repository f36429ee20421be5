// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/digest/columns.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The slices of all tracks, exactly: times, names, categories, nesting, flags and places in the files. Written as what
/// differs from what the slices before tell, so that most of it is zeros.
void packSlices(const RankTrace& trace, ColumnsOut& columns);
/// The same, back into a trace whose tracks and strings are there. Throws DigestFault where they are no slices as
/// SliceTable describes them.
void unpackSlices(ColumnsIn& columns, RankTrace& trace);

}  // namespace rankscope
