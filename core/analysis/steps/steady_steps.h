// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/facts.h"

namespace rankscope {

/// The complete, steady-state steps of a rank on the host, to ask of instants in order of time.
class SteadySteps {
  public:
    explicit SteadySteps(const ExplainedRank& facts) {
        for (const RankStep& step : facts.steps) {
            if (step.complete && !step.outlier) {
                hosts_.push_back(step.host);
            }
        }
    }

    /// Walks along with instants that never go back.
    class Cursor {
      public:
        explicit Cursor(const std::vector<TimeSpan>& hosts) : hosts_(&hosts) {}
        [[nodiscard]] bool contains(TimeNs at_ns) {
            while (next_ < hosts_->size() && (*hosts_)[next_].end_ns <= at_ns) {
                ++next_;
            }
            return next_ < hosts_->size() && (*hosts_)[next_].start_ns <= at_ns;
        }

      private:
        const std::vector<TimeSpan>* hosts_;
        std::size_t next_ = 0;
    };

    [[nodiscard]] Cursor cursor() const { return Cursor(hosts_); }
    [[nodiscard]] std::size_t count() const { return hosts_.size(); }

  private:
    std::vector<TimeSpan> hosts_;  // disjoint, by start
};

}  // namespace rankscope
