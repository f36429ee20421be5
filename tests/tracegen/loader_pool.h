// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/time.h"

namespace rankscope::tracegen {

/// The worker processes of one rank's DataLoader: batch k is made by worker k mod N; asking for a batch sends out the
/// index of the batch N x prefetch further on. At the start of the window all of these are made already.
class LoaderPool {
  public:
    LoaderPool(int workers, int prefetch);

    /// The main thread asks for batch `index` (each once, in order) at `now_ns`. When it has it. `next_batch_ns` is
    /// what the batch sent out by this takes.
    TimeNs take(std::size_t index, TimeNs now_ns, DurationNs next_batch_ns);
    /// How far ahead of the batch asked for the batch sent out is.
    [[nodiscard]] std::size_t ahead() const { return ready_.size(); }

  private:
    std::size_t workers_;
    std::vector<TimeNs> ready_;  ///< of the batches on their way, a ring
    std::vector<TimeNs> free_;   ///< of each worker
};

}  // namespace rankscope::tracegen
