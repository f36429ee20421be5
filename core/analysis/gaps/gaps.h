// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/device/device_work.h"
#include "core/analysis/facts.h"
#include "core/analysis/gaps/gap_causes.h"
#include "core/trace/recorded_windows.h"

namespace rankscope {

/// Finds and explains the gaps of one device, step by step and in order of time.
class GapFinder {
  public:
    GapFinder(const RankTrace& rank, const DeviceWork& work, const GapCauses& causes)
        : rank_(rank), work_(work), causes_(causes), windows_(rank) {}

    /// All gaps inside `step`, with their parts. An idle stretch of the device that crosses the bounds of the step is
    /// explained as a whole, and its parts are cut at the bounds; it never crosses the bounds of its recorded window.
    [[nodiscard]] std::vector<Gap> gapsIn(const TimeSpan& step);

  private:
    /// An explained stretch in which the device is idle between two pieces of work.
    struct Stretch {
        TimeSpan span;
        const DeviceEvent* releasing = nullptr;
        std::vector<CausePart> parts;
    };
    /// The stretch `whole`; `ends`: it ends with device work, not with the trace. Stretches of a step come in order.
    [[nodiscard]] const Stretch& stretchOf(const TimeSpan& whole, bool ends);
    /// The part of the stretch inside `span`, with texts.
    [[nodiscard]] Gap explain(const TimeSpan& span, const Stretch& stretch) const;

    const RankTrace& rank_;
    const DeviceWork& work_;
    const GapCauses& causes_;
    RecordedWindows windows_;
    Stretch last_;
    std::size_t next_event_ = 0;  // the first event that starts at the end of the last stretch or later
};

}  // namespace rankscope
