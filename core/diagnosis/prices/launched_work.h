// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <vector>

#include "core/analysis/steps/step_bounds.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// One sum per steady-state step, over the device work that the step's critical rank launched in it. Calls add(sum,
/// work of the rank, event) for each event. Linear in the device work.
template <class Sum, class Add>
[[nodiscard]] std::vector<Sum> sumLaunchedWork(const RuleContext& context, const Add& add) {
    std::map<RankPosition, std::vector<Sum>> by_rank;  // by the rank's step
    std::vector<Sum> sums;
    for (const RunStep* step : context.pricer.steady()) {
        const auto [of_rank, is_new] = by_rank.try_emplace(step->critical_rank);
        if (is_new) {
            const RankContext& work = context.work[step->critical_rank];
            of_rank->second.resize(work.marks.marks.size());
            for (const DeviceEvent& event : work.device.events) {
                if (const auto own = slotOf(work.marks.marks, event.launched_ns).step()) {
                    add(of_rank->second[*own], work, event);
                }
            }
        }
        sums.push_back(of_rank->second[step->ofCriticalRank()]);
    }
    return sums;
}

}  // namespace rankscope
