// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/sides.h"

#include <fmt/format.h>
#include <algorithm>
#include <optional>

#include "core/base/format.h"
#include "core/compare/comparability.h"
#include "core/compare/step_samples.h"
#include "core/trace/forecast_mark.h"

namespace rankscope {
namespace {

/// Judges the recordings of a side, one after the other.
class SideReader {
  public:
    explicit SideReader(const SideRuns& runs) : runs_(runs) {}

    ComparedSide read() {
        for (std::size_t at = 0; at < runs_.size(); ++at) {
            steps_.push_back(sampleSteps(runs_[at]->facts).durations_ns);
            side_.recordings.push_back({runs_[at]->run->name, centreOf(steps_.back()), {}});
            side_.recordings.back().left_out = reasonToLeaveOut(at);
            if (!first_ && side_.recordings.back().counts()) {
                first_ = at;
            }
        }
        side_.shown = middle();
        return std::move(side_);
    }

  private:
    std::string reasonToLeaveOut(std::size_t at) {
        if (runs_.size() == 1) {
            return {};  // no recording counts: the list of differences says why it cannot be judged
        }
        if (isForecast(*runs_[at]->run)) {
            return "it is a forecast, not a recording";
        }
        if (steps_[at].size() < kFewestSteps) {
            return fmt::format("it has {}, fewer than {}",
                               formatCounted(steps_[at].size(), "complete, steady-state step"), kFewestSteps);
        }
        for (std::size_t other = 0; other < at; ++other) {
            if (steps_[other] == steps_[at]) {
                return fmt::format("it has the same steps as {}, to the nanosecond: a copy", nameAt(other));
            }
        }
        return first_ ? compareWithFirst(at) : std::string();
    }

    /// Why it cannot be compared with the first recording. If it can, notes the differences.
    std::string compareWithFirst(std::size_t at) {
        std::string differs;
        for (const ConfigDifference& one : whatDiffers(*runs_[*first_], *runs_[at])) {
            const std::string values = fmt::format("{}: {} and {}", aspectWords(one.aspect), one.a, one.b);
            if (one.impact == Impact::Prevents) {
                return fmt::format("it cannot be compared with {} ({})", nameAt(*first_), values);
            }
            differs += (differs.empty() ? "" : "; ") + values;
        }
        if (!differs.empty()) {
            side_.notes.push_back(fmt::format("{} differs from {}: {}.", nameAt(at), nameAt(*first_), differs));
        }
        return {};
    }

    /// The recording with the median step among those that count; for an even number, the shorter of the middle two.
    [[nodiscard]] std::size_t middle() const {
        std::vector<std::size_t> counting;
        for (std::size_t at = 0; at < side_.recordings.size(); ++at) {
            if (side_.recordings[at].counts()) {
                counting.push_back(at);
            }
        }
        std::ranges::stable_sort(counting, {}, [&](std::size_t at) { return side_.recordings[at].step.middle_ns; });
        return counting.empty() ? 0 : counting[(counting.size() - 1) / 2];
    }

    [[nodiscard]] const std::string& nameAt(std::size_t at) const { return runs_[at]->run->name; }

    const SideRuns& runs_;
    std::vector<std::vector<DurationNs>> steps_;
    std::optional<std::size_t> first_;  // the first that counts
    ComparedSide side_;
};

}  // namespace

ComparedSide sideOf(const SideRuns& runs) {
    return SideReader(runs).read();
}

}  // namespace rankscope
