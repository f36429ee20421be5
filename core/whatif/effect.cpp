// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/effect.h"

#include <algorithm>
#include <utility>

namespace rankscope {
namespace {

using LengthChange = std::function<DurationNs(RankPosition, const ReplayEvent&, DurationNs)>;
using TransferChange = std::function<DurationNs(CollectivePosition, DurationNs)>;

ChangeOfRank withLengths(ChangeOfRank base, std::vector<LengthChange> lengths) {
    return [base = std::move(base), lengths = std::move(lengths)](RankPosition rank) {
        ReplayChange of_rank = base ? base(rank) : ReplayChange();
        of_rank.length = [first = std::move(of_rank.length), lengths, rank](const ReplayEvent& event) {
            DurationNs length_ns = first ? first(event) : event.span.length();
            for (const LengthChange& next : lengths) {
                length_ns = next(rank, event, length_ns);
            }
            return length_ns;
        };
        return of_rank;
    };
}

}  // namespace

RunChange composed(const std::vector<WhatIfEffect>& effects) {
    RunChange joint;
    std::vector<LengthChange> lengths;
    std::vector<TransferChange> transfers;
    for (const WhatIfEffect& effect : effects) {
        joint = joined(joint, effect.replay);
        if (effect.length) {
            lengths.push_back(effect.length);
        }
        if (effect.transfer) {
            transfers.push_back(effect.transfer);
        }
    }
    if (!lengths.empty()) {
        joint.of_rank = withLengths(std::move(joint.of_rank), std::move(lengths));
    }
    if (!transfers.empty()) {
        joint.transfer = [first = std::move(joint.transfer), transfers = std::move(transfers)](
                             CollectivePosition collective, DurationNs transfer_ns) {
            DurationNs left_ns = first ? first(collective, transfer_ns) : transfer_ns;
            for (const TransferChange& next : transfers) {
                left_ns = next(collective, left_ns);
            }
            return left_ns;
        };
    }
    return joint;
}

DurationNs hostWorkIn(const ReplayModel& model, const TimeSpan& span) {
    DurationNs work_ns = span.length();
    auto wait = std::ranges::lower_bound(model.waits, span.start_ns, {}, [](const auto& w) { return w.call.end_ns; });
    for (; wait != model.waits.end() && wait->call.start_ns < span.end_ns; ++wait) {
        work_ns -= intersect(wait->call, span).length();
    }
    return work_ns;
}

PipelinePlan planOf(const std::vector<WhatIfEffect>& effects) {
    PipelinePlan plan;
    for (const WhatIfEffect& effect : effects) {
        const PipelinePlan& own = effect.pipeline;
        plan.micro_batches = own.micro_batches ? own.micro_batches : plan.micro_batches;
        plan.schedule = own.schedule ? own.schedule : plan.schedule;
        plan.even = plan.even || own.even;
    }
    return plan;
}

}  // namespace rankscope
