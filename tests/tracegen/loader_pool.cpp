// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/loader_pool.h"

#include <algorithm>

namespace rankscope::tracegen {

LoaderPool::LoaderPool(int workers, int prefetch)
    : workers_(static_cast<std::size_t>(std::max(workers, 1))),
      ready_(workers_ * static_cast<std::size_t>(prefetch)),
      free_(workers_) {}

TimeNs LoaderPool::take(std::size_t index, TimeNs now_ns, DurationNs next_batch_ns) {
    TimeNs& slot = ready_[index % ready_.size()];
    const TimeNs have = std::max(now_ns, slot);
    TimeNs& worker = free_[index % workers_];  // ahead() is a multiple of the workers: the same one again
    worker = std::max(worker, have) + next_batch_ns;
    slot = worker;
    return have;
}

}  // namespace rankscope::tracegen
