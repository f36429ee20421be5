// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/facts.h"

namespace rankscope {

/// The complete, steady-state steps of a rank on the host, for queries in order of time.
class SteadySteps {
  public:
    explicit SteadySteps(const ExplainedRank& facts) {
        for (const RankStep& step : facts.steps) {
            if (step.complete && !step.outlier) {
                hosts_.push_back(step.host);
            }
        }
    }

    /// Answers queries for instants in ascending order.
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

    /// A cursor before the first of the steps. It refers to this object, which must outlive it and not be moved. All of
    /// its queries together cost O(steps + queries).
    [[nodiscard]] Cursor cursor() const { return Cursor(hosts_); }
    /// The number of complete, steady-state steps of the rank.
    [[nodiscard]] std::size_t count() const { return hosts_.size(); }

  private:
    std::vector<TimeSpan> hosts_;  // disjoint, by start
};

}  // namespace rankscope
