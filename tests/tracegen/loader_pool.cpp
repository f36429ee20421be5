// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/loader_pool.h"

#include <algorithm>
#include <utility>

namespace rankscope::tracegen {

LoaderPool::LoaderPool(int workers, int prefetch, std::function<DurationNs(std::size_t)> batch_time)
    : batch_time_(std::move(batch_time)), free_(static_cast<std::size_t>(std::max(workers, 1))) {
    ready_.resize(free_.size() * static_cast<std::size_t>(prefetch));
    for (std::size_t batch = 0; batch < ready_.size(); ++batch) {
        TimeNs& worker = free_[batch % free_.size()];
        const DurationNs time = batch_time_(batch);
        const auto share = static_cast<DurationNs>(batch);
        const auto workers_count = static_cast<DurationNs>(free_.size());
        worker += batch < free_.size() ? time * share / workers_count : time;
        ready_[batch] = worker;
    }
}

TimeNs LoaderPool::take(TimeNs now_ns) {
    TimeNs& slot = ready_[next_ % ready_.size()];
    const TimeNs have = std::max(now_ns, slot);
    // The ring is a multiple of the workers: the batch sent out is made by the worker that made this one.
    TimeNs& worker = free_[next_ % free_.size()];
    worker = std::max(worker, have) + batch_time_(next_ + ready_.size());
    slot = worker;
    ++next_;
    return have;
}

}  // namespace rankscope::tracegen
