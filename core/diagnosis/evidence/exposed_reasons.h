// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <functional>
#include <string>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// Why transfers do not overlap with computation: their exposed time by reason, over all complete, steady steps of all
/// ranks. Transfers that overlap each other each count in full.
struct ExposedReasons {
    std::array<DurationNs, kExposedBecauses> ns{};
    std::string stream;  ///< the compute stream that transfers are on, for people; empty if none is

    [[nodiscard]] DurationNs total() const;  ///< over all reasons
    /// 0 to 1; 0 if nothing is exposed.
    [[nodiscard]] double share(ExposedBecause because) const;
    /// The reason with most of the time; NothingLeft if nothing is exposed.
    [[nodiscard]] ExposedBecause main() const;
};

/// The stream on which a rank computes most; an invalid id if it does not compute. O(events).
[[nodiscard]] TrackId computeStream(const DeviceWork& work);

/// Reasons of the collectives that `picks` accepts. A transfer has the first reason that fits: it is on the compute
/// stream; the computation that starts after it was launched before it ended; its call began when the computation
/// before it had ended; nothing else. How many channels NCCL used is not recorded. O(events + collectives x log
/// events).
[[nodiscard]] ExposedReasons exposedReasons(const RuleContext& context,
                                            const std::function<bool(CollectivePosition)>& picks);

/// " 61 % of the exposed transfer time is on the compute stream (stream 7): on one stream nothing overlaps. ...":
/// a sentence, with a space before it, for each reason with at least 1 % of the time; empty if nothing is exposed.
[[nodiscard]] std::string exposedReasonsText(const Sentences& say, const ExposedReasons& reasons);

}  // namespace rankscope
