// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <vector>

#include "core/analysis/steps/step_bounds.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace device_shared {
namespace {

bool isHeld(const LedgerEntry& entry) {
    return entry.owner == Owner::Blocked && entry.cause == Cause::DeviceShared;
}

/// How often work was held back, and for how long.
struct HeldSums {
    std::vector<DurationNs> ns;
    std::size_t steps = 0;  ///< with such work launched
};

HeldSums sumHeld(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    HeldSums sums;
    for (const RankPosition rank : ranks) {
        const RankContext& work = context.work[rank];
        std::vector<bool> seen(work.marks.marks.size());
        for (const DeviceEvent& event : work.device.events) {
            if (event.held_ns > 0) {
                sums.ns.push_back(event.held_ns);
                if (const auto step = slotOf(work.marks.marks, event.launched_ns).step()) {
                    seen[*step] = true;
                }
            }
        }
        sums.steps += static_cast<std::size_t>(std::ranges::count(seen, true));
    }
    return sums;
}

/// Whether a rank sees several devices, so that its device number is unique on the host. If each rank sees a single
/// device (CUDA_VISIBLE_DEVICES), all number theirs 0.
bool numbersDevices(const RuleContext& context, RankPosition rank) {
    return context.run.ranks[rank]->devices.size() > 1 || context.facts.ranks[rank].device > 0;
}

/// The ranks of the same host that use the same device as one of `ranks`, as far as the files show.
std::vector<RankPosition> ranksBeside(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    std::vector<RankPosition> beside;
    for (RankPosition other{0}; other < context.facts.ranks.size(); ++other) {
        const bool shares = std::ranges::any_of(ranks, [&](RankPosition rank) {
            const std::string& host = context.run.ranks[rank]->host;
            return other != rank && !host.empty() && context.run.ranks[other]->host == host &&
                   context.facts.ranks[rank].device >= 0 &&
                   context.facts.ranks[other].device == context.facts.ranks[rank].device &&
                   numbersDevices(context, rank) && numbersDevices(context, other);
        });
        if (shares) {
            beside.push_back(other);
        }
    }
    return beside;
}

Explanation explain(const RuleContext& context, const Price& price) {
    const Sentences& say = context.sentences;
    const HeldSums held = sumHeld(context, price.ranks);
    const std::vector<RankPosition> beside = ranksBeside(context, price.ranks);
    const std::string who = rankNames(context, price.ranks);
    const DurationNs longest_ns = held.ns.empty() ? 0 : std::ranges::max(held.ns);
    return {
        .why = say.fill(
            "device-shared.why",
            {{"who", who},
             {"held", formatCounted(held.ns.size(), "time")},
             {"steps", formatCounted(held.steps, "step")},
             {"median", formatDuration(lowerMedian(held.ns))},
             {"longest", formatDuration(longest_ns)},
             {"beside",
              beside.empty() ? "" : say.fill("device-shared.beside", {{"others", rankNamesWithin(context, beside)}})},
             {"blocked", formatDuration(price.blocked_ns)},
             {"replay", replayText(context, price)}}),
        .conditions = {beside.empty() ? "unknown" : "second-rank"},
        .title = say.fill("device-shared.title", {{"who", who}}),
        // The trace shows that the device was busy for this rank, but not with whose work.
        .at_most = beside.empty() ? Confidence::Medium : Confidence::High,
        .doubt = beside.empty() ? say.fill("device-shared.doubt", {}) : ""};
}

}  // namespace
}  // namespace device_shared

std::vector<Problem> sharedDevices(const RuleContext& context) {
    using namespace device_shared;
    return {{.id = FindingId::DeviceShared,
             .owned = isHeld,
             .change = onAllRanks({.device_alone = true}),
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
