// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/self_time.h"

#include "core/base/interval_set.h"

namespace rankscope {

DurationNs selfTime(const SliceTable& slices, SliceIndex slice) {
    const TimeSpan whole = slices.span(slice);
    UnionLength inside;
    // Children stand behind their parent, in order of their start.
    for (SliceIndex i = slice + 1; i < slices.size() && slices.start_ns[i] < whole.end_ns; ++i) {
        if (slices.parent[i] == slice) {
            inside.add(intersect(slices.span(i), whole));
        }
    }
    return whole.length() - inside.length();
}

}  // namespace rankscope
