// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/interval_set.h"
#include "core/diagnosis/evidence/late_host.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// The kernels of one step, compared with their launch calls.
struct LaunchedKernels {
    std::size_t count = 0;
    std::size_t shorter = 0;  ///< than their launch call
};

/// The kernels of the step with the median count. Linear in the device work.
[[nodiscard]] LaunchedKernels medianKernels(const RuleContext& context);

/// Hosts that need no time, except for what other findings own.
class FastHosts {
  public:
    /// `context` must outlive it.
    FastHosts(const RuleContext& context, const LateHost& late);

    /// What a replay leaves out if `kept` takes its time too.
    [[nodiscard]] ReplayChange changeOf(RankPosition rank, std::vector<TimeSpan> kept) const;

  private:
    const RuleContext& context_;
    std::vector<IntervalSet> of_others_;  // host time of other findings, by rank
};

}  // namespace rankscope
