// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/exposed_reasons.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/base/format.h"

namespace rankscope {
namespace {

/// The computation of a rank, for queries about what ran around a transfer.
class ComputeOfRank {
  public:
    explicit ComputeOfRank(const DeviceWork& work) : stream_(computeStream(work)) {
        for (const DeviceEvent& event : work.events) {
            if (event.work == WorkClass::Compute) {
                events_.push_back(&event);
                ends_ns_.push_back(std::max(ends_ns_.empty() ? event.span.end_ns : ends_ns_.back(), event.span.end_ns));
            }
        }
    }

    [[nodiscard]] TrackId stream() const { return stream_; }
    /// The first computation to start at `at_ns` or later; nullptr if there is none.
    [[nodiscard]] const DeviceEvent* nextFrom(TimeNs at_ns) const {
        const auto next = firstFrom(at_ns);
        return next == events_.end() ? nullptr : *next;
    }
    /// Whether all computation that had started before `at_ns` had ended by `by_ns`, and there was some.
    [[nodiscard]] bool hadEnded(TimeNs at_ns, TimeNs by_ns) const {
        const auto before = firstFrom(at_ns) - events_.begin();
        return before > 0 && ends_ns_[static_cast<std::size_t>(before) - 1] <= by_ns;
    }

  private:
    [[nodiscard]] std::vector<const DeviceEvent*>::const_iterator firstFrom(TimeNs at_ns) const {
        return std::ranges::lower_bound(events_, at_ns, {}, [](const DeviceEvent* e) { return e->span.start_ns; });
    }

    TrackId stream_;
    std::vector<const DeviceEvent*> events_;  // sorted by start
    std::vector<TimeNs> ends_ns_;             // as events_: the latest end so far
};

/// Why a transfer does not overlap; it is exposed from `exposed_ns` on, or earlier.
ExposedBecause reasonOf(const ComputeOfRank& compute, const CollectiveMember& member, TimeSpan transfer,
                        TimeNs exposed_ns) {
    if (!member.slices.empty() && member.slices.front().track == compute.stream()) {
        return ExposedBecause::SameStream;
    }
    const DeviceEvent* const next = compute.nextFrom(exposed_ns);
    const bool after = next != nullptr && next->span.start_ns >= transfer.end_ns;
    if (after && next->launch.valid() && next->call.start_ns < transfer.end_ns) {
        return ExposedBecause::Awaited;
    }
    const bool called_late = member.launch.valid() && compute.hadEnded(transfer.start_ns, member.call.start_ns);
    return called_late ? ExposedBecause::IssuedLate : ExposedBecause::NothingLeft;
}

}  // namespace

DurationNs ExposedReasons::total() const {
    return std::accumulate(ns.begin(), ns.end(), DurationNs{0});
}

double ExposedReasons::share(ExposedBecause because) const {
    const DurationNs all_ns = total();
    return all_ns > 0 ? static_cast<double>(ns[static_cast<std::size_t>(because)]) / static_cast<double>(all_ns) : 0.0;
}

ExposedBecause ExposedReasons::main() const {
    return total() > 0 ? static_cast<ExposedBecause>(std::ranges::max_element(ns) - ns.begin())
                       : ExposedBecause::NothingLeft;
}

TrackId computeStream(const DeviceWork& work) {
    std::map<TrackId, DurationNs> times;
    for (const DeviceEvent& event : work.events) {
        if (event.work == WorkClass::Compute) {
            times[event.ref.track] += event.span.length();
        }
    }
    const auto most = std::ranges::max_element(times, {}, [](const auto& one) { return one.second; });
    return most == times.end() ? TrackId() : most->first;
}

ExposedReasons exposedReasons(const RuleContext& context, const std::function<bool(CollectivePosition)>& picks) {
    std::vector<ComputeOfRank> compute;
    for (const RankContext& rank : context.work) {
        compute.emplace_back(rank.device);
    }
    ExposedReasons reasons;
    const std::vector<Collective>& all = context.facts.collectives.collectives;
    for (CollectivePosition c{0}; c < all.size(); ++c) {
        if (!all[c].transfer_ns || !picks(c)) {
            continue;
        }
        for (const CollectiveMember& member : all[c].members) {
            const RankFacts& rank = context.facts.ranks[member.rank];
            const RankStep* const step = stepAt(rank, member.span.end_ns - 1);
            const TimeSpan transfer{all[c].beginOf(member).value_or(member.span.end_ns), member.span.end_ns};
            const IntervalSet open = rank.compute.gapsIn(transfer);
            if (step == nullptr || !step->complete || step->outlier || open.empty()) {
                continue;
            }
            const ExposedBecause because =
                reasonOf(compute[member.rank], member, transfer, open.spans().front().start_ns);
            reasons.ns[static_cast<std::size_t>(because)] += open.length();
            if (because == ExposedBecause::SameStream && reasons.stream.empty()) {
                reasons.stream = context.work[member.rank].trace->track(member.slices.front()).name;
            }
        }
    }
    return reasons;
}

std::string exposedReasonsText(const Sentences& say, const ExposedReasons& reasons) {
    constexpr double kLeastTold = 0.01;
    static constexpr std::array<std::string_view, kExposedBecauses> kKeys = {
        "exposed-communication.same-stream", "exposed-communication.awaited", "exposed-communication.issued-late",
        "exposed-communication.nothing-left"};
    std::string text;
    for (std::size_t i = 0; i < kExposedBecauses; ++i) {
        const auto because = static_cast<ExposedBecause>(i);
        if (reasons.share(because) >= kLeastTold) {
            text += say.fillFrom(kKeys.at(i),
                                 {{"share", formatPercent(reasons.share(because))}, {"stream", reasons.stream}});
        }
    }
    return text;
}

}  // namespace rankscope
