// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/shortened_waits.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/interval_set.h"

namespace rankscope {
namespace {

/// A price is an upper bound if its replay saves more than this many times as much.
constexpr double kMostBeyond = 1.5;

/// Pauses of the device without a recorded reason: it is unknown whether they shrink.
constexpr std::array kUnexplained = {Cause::Queued, Cause::InsideGraph, Cause::KernelToKernel, Cause::DeviceShared,
                                     Cause::LateAnswer};

/// The device's idle time before each piece of work, by its index in `work`; 0 if it was not idle.
std::vector<DurationNs> pausesBefore(const std::vector<TimeSpan>& work) {
    std::vector<std::uint32_t> order(work.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return work[i].start_ns; });
    std::vector<DurationNs> pauses(work.size());
    TimeNs end_ns = DeviceEvent::kBeforeAll;
    for (const std::uint32_t i : order) {
        if (work[i].empty()) {
            continue;
        }
        pauses[i] = end_ns == DeviceEvent::kBeforeAll ? 0 : std::max<DurationNs>(0, work[i].start_ns - end_ns);
        end_ns = std::max(end_ns, work[i].end_ns);
    }
    return pauses;
}

/// The device work of one rank, as recorded and as replayed.
class ReplayedDevice {
  public:
    ReplayedDevice(const ReplayModel& model, const ReplayedRank& replayed)
        : steps_(replayed.steps), work_(replayed.work) {
        std::vector<TimeSpan> before;
        for (std::uint32_t i = 0; i < model.events.size(); ++i) {
            before.push_back(model.events[i].span);
            places_.emplace(model.events[i].ref, i);
        }
        old_pauses_ = pausesBefore(before);
        new_pauses_ = pausesBefore(replayed.work);
        std::vector<TimeSpan> there = replayed.work;
        std::erase_if(there, [](const TimeSpan& span) { return span.empty(); });
        busy_ = IntervalSet::unionOf(std::move(there));
    }

    /// The share of its length by which a gap before `releasing` shrinks, 0 to 1.
    [[nodiscard]] double shrinks(SliceRef releasing) const {
        const auto at = places_.find(releasing);
        if (at == places_.end() || old_pauses_[at->second] <= 0 || work_[at->second].empty()) {
            return 0;  // without that work, any gap is before the next piece
        }
        const DurationNs less_ns = old_pauses_[at->second] - new_pauses_[at->second];
        return std::max(0.0, static_cast<double>(less_ns) / static_cast<double>(old_pauses_[at->second]));
    }
    /// The device's busy time in a step of the replay.
    [[nodiscard]] DurationNs busyIn(RankStepPosition step) const { return busy_.lengthIn(steps_[step]); }

  private:
    const std::vector<TimeSpan>& steps_;
    const std::vector<TimeSpan>& work_;
    std::map<SliceRef, std::uint32_t> places_;
    std::vector<DurationNs> old_pauses_;
    std::vector<DurationNs> new_pauses_;
    IntervalSet busy_;
};

DurationNs partOf(double share, DurationNs ns) {
    return static_cast<DurationNs>(share * static_cast<double>(ns));
}

/// Adds the waits of one rank's step that become shorter.
void addStep(const RunFacts& facts, const Pricer& pricer, const LedgerSet& owned, const ReplayedDevice& device,
             RankPosition rank, RankStepPosition position, ShortenedWaits& waits) {
    const RankStep& step = facts.ranks[rank].steps[position];
    const std::span<const LedgerEntry> entries = pricer.entries(rank, position);
    const auto is_own = [&](const LedgerEntry& entry) {
        return owned.has(static_cast<std::size_t>(&entry - facts.ledger.data()));
    };
    auto entry = facts.entry_of_part[rank][position].begin();
    for (const Gap& gap : step.gaps) {
        DurationNs own_ns = 0;
        CauseTimes others;
        for (const GapPart& part : gap.parts) {
            if (is_own(entries[*entry++])) {
                own_ns += part.span.length();
            } else {
                others[part.cause] += part.span.length();
            }
        }
        // Time that the cause owns is shortened first.
        const DurationNs less_ns = partOf(device.shrinks(gap.releasing), gap.span.length());
        waits.own_ns += std::min(less_ns, own_ns);
        const DurationNs rest_ns = less_ns - std::min(less_ns, own_ns);
        const DurationNs others_ns = others.total();
        for (std::size_t i = 0; i < kCauseCount && others_ns > 0; ++i) {
            const double share = static_cast<double>(others.ns[i]) / static_cast<double>(others_ns);
            waits.idle.ns[i] += partOf(share, rest_ns);
        }
    }
    DurationNs own_busy_ns = 0;
    for (const LedgerEntry& one : entries) {
        own_busy_ns += one.owner != Owner::Blocked && is_own(one) ? one.ns : 0;
    }
    const DurationNs idle_ns = step.partition ? step.partition->idle_ns : 0;
    const DurationNs less_ns = std::max<DurationNs>(0, step.span.length() - idle_ns - device.busyIn(position));
    waits.own_ns += std::min(less_ns, own_busy_ns);
    waits.communication_ns += less_ns - std::min(less_ns, own_busy_ns);
}

}  // namespace

ShortenedWaits shortenedWaits(const RunFacts& facts, const Pricer& pricer, const LedgerSet& owned,
                              const std::vector<ReplayedRank>& replayed) {
    std::map<RankPosition, ReplayedDevice> devices;
    ShortenedWaits waits;
    for (const RunStep* const step : pricer.steady()) {
        const RankPosition rank = step->critical_rank;
        if (rank >= replayed.size() || replayed[rank].steps.size() != facts.ranks[rank].steps.size()) {
            continue;
        }
        const auto device = devices.try_emplace(rank, pricer.model().ranks[rank], replayed[rank]).first;
        addStep(facts, pricer, owned, device->second, rank, step->ofCriticalRank(), waits);
    }
    return waits;
}

void limitSaving(const RunFacts& facts, const Pricer& pricer, const std::vector<ReplayedRank>& replayed, Price& price) {
    if (price.beyond_ns <= 0) {
        return;
    }
    const ShortenedWaits waits = shortenedWaits(facts, pricer, price.entries, replayed);
    const auto of_saving = [&, whole = waits.total()](DurationNs ns) {
        const double share = whole > 0 ? static_cast<double>(ns) / static_cast<double>(whole) : 0.0;
        return partOf(share, price.saving_ns);
    };
    const DurationNs own_ns = price.saving_ns - price.beyond_ns;
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        price.follows.ns[i] = of_saving(waits.idle.ns[i]);
    }
    DurationNs unproven_ns = waits.total() > 0 ? 0 : price.beyond_ns;
    for (const Cause cause : kUnexplained) {
        unproven_ns += std::exchange(price.follows[cause], 0);
    }
    price.follows_communication_ns = of_saving(waits.communication_ns);
    const auto precision_ns = static_cast<DurationNs>(Pricer::kPrecision * static_cast<double>(facts.pricedStep()));
    if (unproven_ns <= precision_ns) {
        return;
    }
    const DurationNs believed_ns = std::max(own_ns, price.saving_ns - unproven_ns);
    price.at_most = static_cast<double>(price.saving_ns) > kMostBeyond * static_cast<double>(believed_ns);
    price.unproven_ns = price.saving_ns - believed_ns;
    price.beyond_ns = believed_ns - own_ns;
    price.saving_ns = believed_ns;
    price.share = static_cast<double>(price.saving_ns) / static_cast<double>(facts.pricedStep());
}

}  // namespace rankscope
