// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/copied_bytes.h"

namespace rankscope {

std::optional<std::int64_t> copiedBytes(const RankTrace& rank, SliceRef copy) {
    if (const std::int64_t* own = rank.track(copy).bytes.find(copy.slice)) {
        return *own;
    }
    const SliceRef call = rank.launches.launchOf(copy);
    const std::int64_t* of_call = call.valid() ? rank.track(call).bytes.find(call.slice) : nullptr;
    return of_call == nullptr ? std::nullopt : std::optional(*of_call);
}

}  // namespace rankscope
