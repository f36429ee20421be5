// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/base/time.h"

namespace rankscope::tracegen {

/// The worker processes of one rank's DataLoader: batch k is made by worker k mod N; asking for a batch sends out the
/// index of the batch N x prefetch further on. The workers are out of step with each other, as they are after a while:
/// batch 0 is there at time 0, and then one every N-th of what a batch takes.
class LoaderPool {
  public:
    /// `batch_time` says what batch k, counted from the first one ever, takes its worker.
    LoaderPool(int workers, int prefetch, std::function<DurationNs(std::size_t)> batch_time);

    /// The main thread asks for the next batch at `now_ns`. When it has it.
    TimeNs take(TimeNs now_ns);

  private:
    std::function<DurationNs(std::size_t)> batch_time_;
    std::size_t next_ = 0;
    std::vector<TimeNs> ready_;  ///< of the batches on their way, a ring
    std::vector<TimeNs> free_;   ///< of each worker
};

}  // namespace rankscope::tracegen
