// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/forecast_buckets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "core/analysis/collectives/used_map.h"
#include "core/analysis/replay/contention.h"
#include "core/base/statistics.h"
#include "core/base/student.h"
#include "core/diagnosis/prices/fit_band.h"
#include "core/diagnosis/prices/merged_buckets.h"
#include "core/diagnosis/prices/step_buckets.h"

namespace rankscope {
namespace {

/// A bucket as sent today. Times are on the run's clock.
struct Today {
    CollectivePosition collective;
    std::int64_t end_bytes = 0;  ///< the step's gradient bytes up to the end of this bucket
    TimeNs ready_ns = 0;         ///< when the last of its ranks had all of it
    DurationNs lead_ns = 0;      ///< how far the host was ahead of the device: the minimum over the ranks
};

/// The buckets that a step sends in sequence.
struct Lane {
    RunStepPosition step;
    TimeNs begin_ns = 0;  ///< earliest time at which its first gradient can be ready
    const TransferFit* fit = nullptr;
    std::size_t parameters = 0;  ///< number of parameters whose gradients are sent; 0 if the trace does not show it
    std::vector<Today> today;

    [[nodiscard]] std::int64_t bytes() const { return today.back().end_bytes; }
};

class LaneMaker {
  public:
    explicit LaneMaker(const RuleContext& context) : context_(context) {}

    [[nodiscard]] std::vector<Lane> make(const std::vector<StepBucket>& buckets) const {
        std::vector<Lane> lanes;
        for (std::size_t i = 0; i < buckets.size(); ++i) {
            if (i == 0 || !goTogether(context_.facts, buckets[i - 1], buckets[i])) {
                lanes.push_back(laneOf(buckets[i]));
            }
            addTo(lanes.back(), buckets[i].collective);
        }
        for (Lane& lane : lanes) {
            lane.parameters = parametersOf(lane);
        }
        return lanes;
    }

  private:
    [[nodiscard]] TimeNs onRun(RankPosition rank, TimeNs file_ns) const {
        return context_.clock.ranks[rank].toRun(FileTime(file_ns));
    }
    [[nodiscard]] const Collective& at(CollectivePosition c) const { return context_.facts.collectives.collectives[c]; }

    [[nodiscard]] Lane laneOf(const StepBucket& first) const {
        Lane lane;
        lane.step = first.step;
        lane.fit = context_.facts.collectives.fitOf(at(first.collective));
        lane.begin_ns = readyAt(at(first.collective));
        bool told = false;
        for (const CollectiveMember& member : at(first.collective).members) {
            if (const std::optional<TimeNs> begin_ns = backwardBegins(first.step, member)) {
                const TimeNs on_run_ns = onRun(member.rank, *begin_ns);
                lane.begin_ns = told ? std::max(lane.begin_ns, on_run_ns) : std::min(lane.begin_ns, on_run_ns);
                told = true;
            }
        }
        return lane;
    }

    /// The first device work of the part of the backward that sends a bucket, on the rank's file clock.
    [[nodiscard]] std::optional<TimeNs> backwardBegins(RunStepPosition step, const CollectiveMember& member) const {
        const std::optional<RankStepPosition> own = context_.facts.steps[step].of(member.rank);
        const auto& spans = context_.facts.ranks[member.rank].phases.spans;
        std::optional<TimeNs> begin_ns;
        for (const PhaseSpan& span : own&&* own < spans.size() ? spans[*own] : std::vector<PhaseSpan>()) {
            if (span.phase == Phase::Backward && span.span.start_ns < member.span.start_ns) {
                begin_ns = span.span.start_ns;
            }
        }
        return begin_ns;
    }

    /// The number of autograd nodes that accumulate a gradient before the launch of the step's last bucket, on its
    /// first rank.
    [[nodiscard]] std::size_t parametersOf(const Lane& lane) const {
        constexpr std::string_view kNode = "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad";
        const CollectiveMember& last = at(lane.today.back().collective).members.front();
        const RankTrace& trace = *context_.work[last.rank].trace;
        const StringId name = trace.strings.find(kNode);
        const std::optional<RankStepPosition> own = context_.facts.steps[lane.step].of(last.rank);
        if (!name.valid() || !own) {
            return 0;
        }
        const SliceTable& slices = trace.track(last.launch).slices;
        const auto first =
            std::ranges::lower_bound(slices.start_ns, context_.facts.ranks[last.rank].steps[*own].host.start_ns);
        const auto begin = static_cast<std::ptrdiff_t>(first - slices.start_ns.begin());
        const auto end = static_cast<std::ptrdiff_t>(last.launch.slice);
        return begin >= end
                   ? 0
                   : static_cast<std::size_t>(std::count(slices.name.begin() + begin, slices.name.begin() + end, name));
    }

    [[nodiscard]] static TimeNs readyOn(const CollectiveMember& member) {
        return member.ready_ns.value_or(member.call.start_ns);
    }
    [[nodiscard]] TimeNs readyAt(const Collective& collective) const {
        TimeNs ready_ns = onRun(collective.members.front().rank, readyOn(collective.members.front()));
        for (const CollectiveMember& member : collective.members) {
            ready_ns = std::max(ready_ns, onRun(member.rank, readyOn(member)));
        }
        return ready_ns;
    }

    void addTo(Lane& lane, CollectivePosition c) const {
        const Collective& collective = at(c);
        Today bucket{.collective = c};
        bucket.end_bytes = (lane.today.empty() ? 0 : lane.bytes()) + *collective.bytes;
        bucket.ready_ns =
            std::max(readyAt(collective), lane.today.empty() ? lane.begin_ns : lane.today.back().ready_ns);
        bucket.lead_ns = readyOn(collective.members.front()) - collective.members.front().call.start_ns;
        for (const CollectiveMember& member : collective.members) {
            bucket.lead_ns = std::min(bucket.lead_ns, readyOn(member) - member.call.start_ns);
        }
        lane.today.push_back(bucket);
    }

    const RuleContext& context_;
};

/// The end of each bucket of a cap, in the bytes of a step. A bucket is closed once it reaches the cap, and parameters
/// are not split. All parameters are assumed to have one size.
std::vector<std::int64_t> endsOf(std::int64_t cap_bytes, const Lane& lane) {
    const std::int64_t all_bytes = lane.bytes();
    const std::int64_t parameter_bytes =
        lane.parameters > 0 ? std::max<std::int64_t>(1, all_bytes / static_cast<std::int64_t>(lane.parameters)) : 1;
    const auto closed_at = [&](std::int64_t cap) {
        return (cap + parameter_bytes - 1) / parameter_bytes * parameter_bytes;
    };
    std::vector<std::int64_t> ends;
    // Less than half a parameter is rounding, not a bucket.
    for (std::int64_t end = closed_at(std::min(cap_bytes, kFirstBucketBytes)); end + parameter_bytes / 2 < all_bytes;
         end += closed_at(cap_bytes)) {
        ends.push_back(end);
    }
    ends.push_back(all_bytes);
    return ends;
}

/// The ends of today's buckets.
std::vector<std::int64_t> endsOf(const Lane& lane) {
    std::vector<std::int64_t> ends;
    for (const Today& bucket : lane.today) {
        ends.push_back(bucket.end_bytes);
    }
    return ends;
}

/// The cost of buckets besides their transfers.
struct BucketCost {
    DurationNs send_ns = 0;  ///< host time per bucket
    DurationNs wait_ns = 0;  ///< host time per bucket at the end of the backward
    /// How many times as long compute takes during a collective; nothing if no kernels show it.
    std::optional<double> slowdown;
};

/// How many times as long compute may take during a collective, if the trace does not show it. An assumption, used only
/// for error ranges.
constexpr double kUntoldSlowdown = 1.1;

DurationNs lostBeside(double slowdown, DurationNs beside_ns) {
    return std::llround((1 - 1 / slowdown) * static_cast<double>(beside_ns));
}

/// A step with other buckets.
struct PlayedLane {
    std::vector<std::optional<DurationNs>> takes;  ///< transfer of each of today's buckets; nothing if it is gone
    DurationNs beside_ns = 0;                      ///< transfers while the backward computes
    TimeNs over_ns = 0;                            ///< when the last bucket has been sent
};

/// Simulates one step's gradients in other buckets.
class LanePlayer {
  public:
    LanePlayer(const Lane& lane, BucketCost cost) : lane_(lane), cost_(cost) {}

    /// With a band, transfers take longer by the error of the fit.
    [[nodiscard]] PlayedLane play(const std::vector<std::int64_t>& ends, const FitBand* band = nullptr) const {
        PlayedLane played;
        std::size_t next = 0;
        std::int64_t sent_bytes = 0;
        played.over_ns = lane_.begin_ns;
        for (std::size_t k = 0; k < lane_.today.size(); ++k) {
            const Today& bucket = lane_.today[k];
            const TimeNs free_ns = std::max(played.over_ns, bucket.ready_ns);
            const std::size_t first = next;
            for (; next < ends.size() && ends[next] <= bucket.end_bytes; ++next) {
                const TimeNs begin_ns = std::max(played.over_ns, readyAt(k, ends[next], next));
                const std::int64_t bytes = ends[next] - sent_bytes;
                played.over_ns = begin_ns + lane_.fit->at(bytes) + (band == nullptr ? 0 : band->at(bytes));
                sent_bytes = ends[next];
                const TimeNs beside_until_ns = std::min(played.over_ns, lane_.today.back().ready_ns);
                played.beside_ns += std::max<DurationNs>(0, beside_until_ns - begin_ns);
            }
            played.takes.push_back(next == first ? std::nullopt
                                                 : std::optional(std::max<DurationNs>(1, played.over_ns - free_ns)));
        }
        // Compute during these transfers is slower, which delays the last bucket.
        const DurationNs later_ns = lostBeside(cost_.slowdown.value_or(1), played.beside_ns);
        played.takes.back() = played.takes.back().value_or(1) + later_ns;
        played.over_ns += later_ns;
        return played;
    }

  private:
    /// When the `index`th bucket of the step, which ends inside today's bucket `k`, is ready on all ranks.
    [[nodiscard]] TimeNs readyAt(std::size_t k, std::int64_t end_bytes, std::size_t index) const {
        const Today& bucket = lane_.today[k];
        const std::int64_t from_bytes = k == 0 ? 0 : lane_.today[k - 1].end_bytes;
        const TimeNs from_ns = k == 0 ? lane_.begin_ns : lane_.today[k - 1].ready_ns;
        const double share = static_cast<double>(end_bytes - from_bytes) /
                             static_cast<double>(std::max<std::int64_t>(1, bucket.end_bytes - from_bytes));
        const auto more = std::max<std::int64_t>(0, static_cast<std::int64_t>(index) - static_cast<std::int64_t>(k));
        // The host waits for each bucket before the step ends.
        const DurationNs each_ns = cost_.send_ns + (end_bytes == lane_.bytes() ? cost_.wait_ns : 0);
        const DurationNs late_ns = std::max<DurationNs>(0, more * each_ns - bucket.lead_ns);
        return from_ns + std::llround(share * static_cast<double>(bucket.ready_ns - from_ns)) + late_ns;
    }

    const Lane& lane_;
    BucketCost cost_;
};

class Forecaster {
  public:
    Forecaster(const RuleContext& context, std::vector<StepBucket> buckets)
        : context_(context),
          buckets_(std::move(buckets)),
          lanes_(LaneMaker(context).make(buckets_)),
          cost_(costOfBucket()) {}

    [[nodiscard]] BucketForecast forecast() {
        BucketForecast out = today();
        out.reason = prepare();
        if (out.reason.empty()) {
            replayCaps(out);
        }
        return out;
    }

    /// The buckets of one cap as a change.
    [[nodiscard]] BucketChange changeTo(std::int64_t mb) {
        BucketChange out;
        out.reason = prepare();
        if (!out.reason.empty()) {
            return out;
        }
        const BucketForecast now = today();
        const Resent as_today = replayed(todaysEnds());
        std::vector<std::size_t> counts;
        const Ends ends = endsFor(mb, counts);
        const Planned plan = planned(ends);
        out.buckets = lowerMedian(std::move(counts));
        out.of_replay_ns = as_today.saving.saved_ns;
        out.error_ns = std::abs(out.of_replay_ns) + fitError(now) + plan.off_ns +
                       untold(plan.beside_ns - as_today.beside_ns, out.buckets, now.today.size());
        out.change = plan.resent.change(context_);
        return out;
    }

  private:
    /// Medians: of the operators around the launches, and of each step's waits.
    [[nodiscard]] BucketCost costOfBucket() const {
        std::vector<DurationNs> sends;
        for (const StepBucket& bucket : buckets_) {
            const CollectiveMember& first = firstOf(bucket.collective);
            const RankContext& work = context_.work[first.rank];
            const SliceRef op = collectiveAround(work, first.launch);
            sends.push_back(work.trace->span(op.valid() ? op : first.launch).length());
        }
        std::vector<DurationNs> waits;
        for (const Lane& lane : lanes_) {
            const CollectiveMember& last = firstOf(lane.today.back().collective);
            waits.push_back(waitForEach(context_.work[last.rank], last.launch, lane.today.size()));
        }
        return {lowerMedian(std::move(sends)), lowerMedian(std::move(waits)),
                slowdownBesideCommunication(context_.pricer.model(), context_.work)};
    }
    [[nodiscard]] const CollectiveMember& firstOf(CollectivePosition c) const {
        return context_.facts.collectives.collectives[c].members.front();
    }

    /// The typical lane: medians over the steps with the usual number of buckets.
    void describeToday(BucketForecast& out) const {
        std::vector<std::size_t> counts;
        for (const Lane& lane : lanes_) {
            counts.push_back(lane.today.size());
        }
        const std::size_t count = lowerMedian(std::move(counts));
        for (std::size_t k = 0; k < count; ++k) {
            std::vector<std::int64_t> bytes;
            std::vector<DurationNs> ready;
            std::vector<DurationNs> transfers;
            for (const Lane& lane : lanes_) {
                if (lane.today.size() == count) {
                    const Collective& collective = context_.facts.collectives.collectives[lane.today[k].collective];
                    bytes.push_back(*collective.bytes);
                    ready.push_back(lane.today[k].ready_ns - lane.begin_ns);
                    transfers.push_back(*collective.transfer_ns);
                }
            }
            out.today.push_back(
                {lowerMedian(std::move(bytes)), lowerMedian(std::move(ready)), lowerMedian(std::move(transfers))});
        }
        const std::int64_t largest = std::ranges::max(out.today, {}, &TypicalBucket::bytes).bytes;
        std::vector<std::int64_t> full;
        for (const TypicalBucket& bucket : out.today) {
            if (2 * bucket.bytes >= largest) {
                full.push_back(bucket.bytes);
            }
        }
        out.today_bytes = lowerMedian(std::move(full));
    }

    using Ends = std::vector<std::vector<std::int64_t>>;  // by lane

    /// A replay with other buckets; medians over its steps.
    struct Resent {
        ReplayedSaving saving;
        DurationNs beside_ns = 0;  ///< transfers while the backward computes
        DurationNs off_ns = 0;     ///< delay of the last bucket at the largest error of the fit
    };

    /// The run's buckets with these ends, and what the trace says of them besides the replay.
    struct Planned {
        ResentBuckets resent;
        DurationNs beside_ns = 0;  ///< as Resent::beside_ns
        DurationNs off_ns = 0;     ///< as Resent::off_ns
    };

    [[nodiscard]] Planned planned(const Ends& ends) const {
        Planned plan;
        plan.resent.transfers.assign(context_.facts.collectives.collectives.size(), -1);
        std::vector<DurationNs> beside;
        std::vector<DurationNs> off;
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
            const LanePlayer player(lanes_[i], cost_);
            const PlayedLane played = player.play(ends[i]);
            resend(lanes_[i], played, plan.resent);
            beside.push_back(played.beside_ns);
            off.push_back(player.play(ends[i], &bands_.at(lanes_[i].fit)).over_ns - played.over_ns);
        }
        std::ranges::sort(plan.resent.gone);
        plan.resent.sent = sentByRank(context_, buckets_, plan.resent.gone);
        plan.beside_ns = lowerMedian(std::move(beside));
        plan.off_ns = lowerMedian(std::move(off));
        return plan;
    }

    [[nodiscard]] Resent replayed(const Ends& ends) {
        const auto known = replayed_.find(ends);
        if (known != replayed_.end()) {
            return known->second;
        }
        const Planned plan = planned(ends);
        const Resent result{context_.pricer.replayedSaving({}, plan.resent.change(context_)), plan.beside_ns,
                            plan.off_ns};
        return replayed_.emplace(ends, result).first->second;
    }

    static void resend(const Lane& lane, const PlayedLane& played, ResentBuckets& resent) {
        for (std::size_t k = 0; k < lane.today.size(); ++k) {
            if (const std::optional<DurationNs> takes_ns = played.takes[k]) {
                resent.transfers[lane.today[k].collective] = *takes_ns;
            } else {
                resent.gone.push_back(lane.today[k].collective);
            }
        }
    }

    /// The precision of a replay.
    [[nodiscard]] static DurationNs precisionOf(const BucketForecast& out) {
        return static_cast<DurationNs>(Pricer::kPrecision * static_cast<double>(out.step_ns));
    }

    /// The error of the fit for the transfers of a step.
    [[nodiscard]] DurationNs fitError(const BucketForecast& out) const {
        DurationNs transfer_ns = 0;
        for (const TypicalBucket& bucket : out.today) {
            transfer_ns += bucket.transfer_ns;
        }
        return std::llround(lanes_.front().fit->mean_error * static_cast<double>(transfer_ns));
    }

    /// How far the mean of as many other steps may be from today's, because steps vary. 0 with fewer than three steps.
    [[nodiscard]] DurationNs stepError() const {
        std::vector<DurationNs> steps;
        for (const RunStep* const step : context_.pricer.steady()) {
            steps.push_back(step->duration_ns);
        }
        constexpr std::size_t kLeastSteps = 3;
        if (steps.size() < kLeastSteps) {
            return 0;
        }
        const auto count = static_cast<double>(steps.size());
        const double variance_ns2 = statisticsOf(steps).variance_ns2 * count / (count - 1);  // of the population
        constexpr double kChance = 0.05;
        return std::llround(studentCritical(kChance, count - 1) * std::sqrt(variance_ns2 * 2 / count));
    }

    /// What the trace does not show about more buckets. Compute may be slower during more transfers, if none of today's
    /// shows how much. A host that is ahead may not have enough spare time in every step.
    [[nodiscard]] DurationNs untold(DurationNs more_beside_ns, std::size_t buckets, std::size_t today) const {
        const auto more = static_cast<DurationNs>(buckets > today ? buckets - today : 0);
        return more * (cost_.send_ns + cost_.wait_ns) +
               (cost_.slowdown ? 0 : lostBeside(kUntoldSlowdown, std::abs(more_beside_ns)));
    }

    /// Nothing, or why the buckets cannot be played.
    [[nodiscard]] std::string prepare() {
        if (!context_.pricer.coupled() || context_.pricer.steady().empty()) {
            return "The ranks cannot be simulated together.";
        }
        if (std::ranges::any_of(lanes_, [](const Lane& lane) { return lane.fit == nullptr; })) {
            return "All buckets have about the same size, so latency and bandwidth cannot be separated.";
        }
        for (const Lane& lane : lanes_) {
            bands_.try_emplace(lane.fit, *lane.fit, context_.facts.collectives.collectives);
        }
        return {};
    }

    [[nodiscard]] BucketForecast today() const {
        BucketForecast out;
        out.step_ns = context_.facts.pricedStep();
        describeToday(out);
        return out;
    }

    [[nodiscard]] Ends todaysEnds() const {
        Ends ends;
        for (const Lane& lane : lanes_) {
            ends.push_back(endsOf(lane));
        }
        return ends;
    }

    /// The ends of buckets of one cap; adds the number of buckets of each lane.
    [[nodiscard]] Ends endsFor(std::int64_t mb, std::vector<std::size_t>& counts) const {
        Ends ends;
        for (const Lane& lane : lanes_) {
            ends.push_back(endsOf(mb * kMiB, lane));
            counts.push_back(ends.back().size());
        }
        return ends;
    }

    void replayCaps(BucketForecast& out) {
        const Resent today = replayed(todaysEnds());
        const DurationNs today_ns = today.saving.saved_ns;
        for (const int mb : kBucketCaps) {
            std::vector<std::size_t> counts;
            const Resent resent = replayed(endsFor(mb, counts));
            BucketCap cap;
            cap.mb = mb;
            cap.buckets = lowerMedian(std::move(counts));
            cap.step_ns = std::max<DurationNs>(0, out.step_ns - (resent.saving.saved_ns - today_ns));
            if (resent.saving.uncertainty_ns) {
                cap.error_ns = *resent.saving.uncertainty_ns + stepError() + precisionOf(out) + std::abs(today_ns) +
                               fitError(out) + resent.off_ns +
                               untold(resent.beside_ns - today.beside_ns, cap.buckets, out.today.size());
            }
            out.caps.push_back(cap);
        }
        markBest(out);
    }

    /// The shortest step, if a replay can distinguish it from today's. Among caps that a replay cannot distinguish from
    /// it, the size nearest to today's: the smaller the change, the less depends on the replay. Of caps with the same
    /// buckets, the smallest.
    static void markBest(BucketForecast& out) {
        const DurationNs apart_ns = precisionOf(out);
        const DurationNs least_ns = std::ranges::min(out.caps, {}, &BucketCap::step_ns).step_ns;
        if (least_ns + apart_ns >= out.step_ns) {
            return;
        }
        const auto from_today = [&out](std::size_t cap) {
            return std::abs(std::log(static_cast<double>(out.caps[cap].mb * kMiB) /
                                     static_cast<double>(std::max<std::int64_t>(1, out.today_bytes))));
        };
        for (std::size_t i = 0; i < out.caps.size(); ++i) {
            const bool same = i > 0 && out.caps[i].step_ns == out.caps[i - 1].step_ns &&
                              out.caps[i].buckets == out.caps[i - 1].buckets;
            if (!same && out.caps[i].step_ns <= least_ns + apart_ns &&
                (!out.best || from_today(i) < from_today(*out.best))) {
                out.best = i;
            }
        }
    }

    const RuleContext& context_;
    std::vector<StepBucket> buckets_;
    std::vector<Lane> lanes_;
    BucketCost cost_;
    std::map<const TransferFit*, FitBand> bands_;
    std::map<Ends, Resent> replayed_;
};

}  // namespace

std::optional<BucketForecast> forecastBuckets(const RuleContext& context) {
    std::vector<StepBucket> buckets = stepBuckets(context);
    if (buckets.empty()) {
        return std::nullopt;
    }
    return Forecaster(context, std::move(buckets)).forecast();
}

BucketChange changeBuckets(const RuleContext& context, std::int64_t mb) {
    std::vector<StepBucket> buckets = stepBuckets(context);
    if (buckets.empty()) {
        return {.change = {}, .reason = "DDP sent no bucket of gradients that all of its ranks recorded."};
    }
    return Forecaster(context, std::move(buckets)).changeTo(mb);
}

}  // namespace rankscope
