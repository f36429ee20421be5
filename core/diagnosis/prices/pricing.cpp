// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/pricing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"
#include "core/base/student.h"

namespace rankscope {
namespace {

/// The length of each step of a rank, from the end of the previous one; the first step from its own start.
std::vector<DurationNs> durations(const std::vector<TimeSpan>& steps) {
    std::vector<DurationNs> result;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        result.push_back(steps[i].end_ns - (i == 0 ? steps[i].start_ns : steps[i - 1].end_ns));
    }
    return result;
}

/// With this many steps that follow another, only these are used for the median.
constexpr std::size_t kLeastSteps = 3;

/// The 95 % error of a forecast: how far the mean of as many other steps may be from the mean of these lengths, with
/// the same variation. t x s x sqrt(1/n + 1/n), with s the standard deviation. Nothing for fewer than three.
std::optional<DurationNs> forecastError(const std::vector<DurationNs>& lengths) {
    if (lengths.size() < kLeastSteps) {
        return std::nullopt;
    }
    const Statistics statistics = statisticsOf(lengths);
    const auto count = static_cast<double>(lengths.size());
    const double variance_ns2 = statistics.variance_ns2 * count / (count - 1);  // of the population
    constexpr double kChance = 0.05;
    return static_cast<DurationNs>(studentCritical(kChance, count - 1) * std::sqrt(variance_ns2 * 2 / count));
}

/// Whether the price is uncertain because its steps are few and vary. For forecasts only. With many steps single steps
/// vary too, but it is certain that the problem costs them time.
bool fewVary(const Price& price) {
    constexpr std::size_t kFew = 8;
    constexpr double kSureWithin = 0.15;
    const auto saving = static_cast<double>(price.saving_ns);
    const double precise = price.share > 0 ? Pricer::kPrecision * saving / price.share : 0.0;
    return price.steady_steps < kFew && price.uncertainty_ns &&
           static_cast<double>(*price.uncertainty_ns) > std::max(kSureWithin * saving, precise);
}

bool isBlocked(const LedgerEntry& entry) {
    return entry.owner == Owner::Blocked;
}

}  // namespace

Pricer::Pricer(const RunFacts& facts, const RunClock& clock, const RunReplayModel& model, std::stop_token stop)
    : facts_(facts),
      clock_(clock),
      first_entry_(facts.ranks.size()),
      steady_(pricedSteps(facts.steps)),
      model_(model),
      stop_(std::move(stop)) {
    std::size_t at = 0;
    for (RankPosition r{0}; r < facts.ranks.size(); ++r) {
        for (RankStepPosition s{0}; s < facts.ranks[r].steps.size(); ++s) {
            first_entry_[r].push_back(at);
            while (at < facts.ledger.size() && facts.ledger[at].rank == r && facts.ledger[at].step == s) {
                ++at;
            }
        }
        first_entry_[r].push_back(at);
    }
}

Coverage Pricer::coverage() const {
    return coverageOf(facts_, [this](const RunStep& step) { return counts(step); });
}

bool Pricer::counts(const RunStep& step) const {
    return std::ranges::binary_search(steady_, &step);
}

std::span<const LedgerEntry> Pricer::entries(RankPosition rank, RankStepPosition step) const {
    const std::size_t first = first_entry_[rank][step];
    return std::span(facts_.ledger).subspan(first, first_entry_[rank][step + 1] - first);
}

DurationNs Pricer::ledgerTime(RankPosition rank, RankStepPosition step, const LedgerSet& owned) const {
    DurationNs total = 0;
    for (std::size_t i = first_entry_[rank][step]; i < first_entry_[rank][step + 1]; ++i) {
        total += owned.has(i) ? facts_.ledger[i].ns : 0;
    }
    return total;
}

DurationNs Pricer::ledgerTime(RankPosition rank, const RunStep& step, const LedgerSet& owned) const {
    const std::optional<RankStepPosition> own = step.of(rank);
    return own ? ledgerTime(rank, *own, owned) : 0;
}

DurationNs Pricer::typicalLedgerTime(const LedgerFilter& filter) const {
    const LedgerSet owned(facts_.ledger, filter);
    std::vector<DurationNs> times;
    for (const RunStep* step : steady_) {
        times.push_back(ledgerTime(step->critical_rank, step->ofCriticalRank(), owned));
    }
    return typicalOf(facts_.basis, std::move(times));
}

/// The time of the slowest other rank for a step, without exposed communication and without what `owned` selects. Even
/// if the critical rank arrives sooner, the run waits for that rank.
DurationNs Pricer::othersNeed(const RunStep& step, const LedgerSet& owned) const {
    DurationNs longest_ns = 0;
    for (RankPosition r{0}; r < facts_.ranks.size(); ++r) {
        const std::optional<RankStepPosition> at = step.of(r);
        if (r == step.critical_rank || !at) {
            continue;
        }
        const RankStep& own = facts_.ranks[r].steps[*at];
        const DurationNs waited_ns = own.partition ? own.partition->exposed_comm_ns : 0;
        longest_ns = std::max(longest_ns, own.span.length() - waited_ns - ledgerTime(r, *at, owned));
    }
    return longest_ns;
}

/// The steps if the critical rank is replayed alone: collectives keep their lengths, and the run waits for the next
/// slowest rank.
Pricer::ReplayedSteps Pricer::stepsAlone(const LedgerSet& owned, const std::vector<ReplayedRank>& replayed) const {
    std::vector<std::vector<DurationNs>> before(facts_.ranks.size());
    std::vector<std::vector<DurationNs>> after(facts_.ranks.size());
    ReplayedSteps steps;
    for (const RunStep* step : steady_) {
        const RankPosition rank = step->critical_rank;
        const RankStepPosition own = step->ofCriticalRank();
        if (before[rank].empty()) {
            std::vector<TimeSpan> measured;
            for (const RankStep& of_rank : facts_.ranks[rank].steps) {
                measured.push_back(of_rank.span);
            }
            before[rank] = durations(measured);
            after[rank] = durations(replayed[rank].steps);
        }
        steps.old_ns.push_back(step->duration_ns);
        const DurationNs alone_ns =
            after[rank].empty() ? step->duration_ns : step->duration_ns - (before[rank][own] - after[rank][own]);
        steps.new_ns.push_back(std::max(alone_ns, std::min(step->duration_ns, othersNeed(*step, owned))));
    }
    return steps;
}

Pricer::ReplayedSteps Pricer::stepsTogether(const std::vector<std::vector<TimeSpan>>& of_ranks) const {
    const std::vector<DurationNs> replayed = stepDurations(facts_.steps, of_ranks, clock_);
    ReplayedSteps steps;
    for (const RunStep* step : steady_) {
        steps.old_ns.push_back(step->duration_ns);
        steps.new_ns.push_back(replayed[static_cast<std::size_t>(step - facts_.steps.data())]);
    }
    return steps;
}

Pricer::ReplayedSteps Pricer::replayCoupled(const RunChange& change) const {
    if (steady_.empty() || stop_.stop_requested()) {
        return {};
    }
    const std::vector<std::vector<TimeSpan>> replayed = replayRun(model_, change, stop_);
    return stop_.stop_requested() ? ReplayedSteps() : stepsTogether(replayed);
}

/// What the priced step saves if the steps that count take what a replay gave. For steps in RunChange::as_others, adds
/// their mean saving per step of the window if they take as long as the others. Those of them that do not count for
/// prices enter with their measured time, because no other price includes it.
DurationNs Pricer::savingIn(const ReplayedSteps& steps, const RunChange& change) const {
    const StepBasis basis = change.in_mean ? StepBasis::Mean : facts_.basis;
    const DurationNs saving_ns = typicalOf(basis, steps.old_ns) - typicalOf(basis, steps.new_ns);
    if (change.as_others.empty() || steps.new_ns.empty()) {
        return saving_ns;
    }
    std::vector<DurationNs> others_old;
    std::vector<DurationNs> others_new;
    std::vector<DurationNs> spikes_new;
    for (std::size_t i = 0; i < steady_.size(); ++i) {
        const RunStepPosition step(steady_[i] - facts_.steps.data());
        if (std::ranges::binary_search(change.as_others, step)) {
            spikes_new.push_back(steps.new_ns[i]);
        } else {
            others_old.push_back(steps.old_ns[i]);
            others_new.push_back(steps.new_ns[i]);
        }
    }
    if (others_new.empty()) {
        return saving_ns;
    }
    DurationNs excess_ns = 0;
    for (const DurationNs ns : spikes_new) {
        excess_ns += std::max<DurationNs>(0, ns - meanOf(others_new));
    }
    for (const RunStepPosition step : change.as_others) {
        if (!counts(facts_.steps[step])) {
            excess_ns += std::max<DurationNs>(0, facts_.steps[step].duration_ns - meanOf(others_old));
        }
    }
    const std::size_t window = others_old.size() + change.as_others.size();
    return saving_ns + excess_ns / static_cast<DurationNs>(window);
}

DurationNs Pricer::coupledSaving(const RunChange& change) const {
    return savingIn(replayCoupled(change), change);
}

/// Blocked time of a rank in the priced step.
DurationNs Pricer::blockedOn(RankPosition rank, const LedgerSet& owned) const {
    std::vector<DurationNs> blocked;
    for (const RunStep* step : steady_) {
        blocked.push_back(ledgerTime(rank, *step, owned));
    }
    return typicalOf(facts_.basis, std::move(blocked));
}

/// The largest blocked time of any rank in the priced step. If ranks are coupled, a rank may delay only part of a
/// step.
DurationNs Pricer::mostBlocked(const LedgerSet& owned, DurationNs on_critical_ns) const {
    DurationNs most_ns = on_critical_ns;
    for (RankPosition r{0}; model_.coupled && r < facts_.ranks.size(); ++r) {
        most_ns = std::max(most_ns, blockedOn(r, owned));
    }
    return most_ns;
}

RankPosition Pricer::mostBlockedRank(const LedgerSet& owned) const {
    RankPosition most{0};
    DurationNs most_ns = 0;
    for (RankPosition r{0}; r < facts_.ranks.size(); ++r) {
        if (const DurationNs ns = blockedOn(r, owned); ns > most_ns) {
            most = r;
            most_ns = ns;
        }
    }
    return most;
}

/// Adds where and how much it was seen: in the steps that count, on `rank`, or else on each step's critical rank.
void Pricer::addSeen(const LedgerSet& owned, std::optional<RankPosition> rank, Price& price) const {
    std::vector<DurationNs> blocked;
    for (const RunStep* step : steady_) {
        const DurationNs ns = ledgerTime(rank.value_or(step->critical_rank), *step, owned);
        blocked.push_back(ns);
        if (static_cast<double>(ns) >= kLeastShare * static_cast<double>(step->duration_ns)) {
            price.least_seen_ns = price.steady_seen == 0 ? ns : std::min(price.least_seen_ns, ns);
            price.most_seen_ns = std::max(price.most_seen_ns, ns);
            ++price.steady_seen;
        }
    }
    price.blocked_ns = typicalOf(facts_.basis, std::move(blocked));
}

std::vector<ReplayedRank> Pricer::replayedWork(const RunChange& change) const {
    if (stop_.stop_requested()) {
        return {};
    }
    std::vector<ReplayedRank> replayed(model_.ranks.size());
    if (model_.coupled) {
        replayed = replayRunWork(model_, change, stop_);
        if (stop_.stop_requested()) {
            replayed.clear();
        }
        return replayed;
    }
    for (const RunStep* const step : steady_) {
        const RankPosition rank = step->critical_rank;
        if (replayed[rank].steps.empty()) {
            replayed[rank] = replayWork(model_.ranks[rank], change.of_rank ? change.of_rank(rank) : ReplayChange());
        }
    }
    return replayed;
}

DurationNs Pricer::saving(const LedgerSet& owned, const RunChange& change) const {
    return savingIn(replaySteps(owned, change), change);
}

ReplayedSaving Pricer::replayedSaving(const LedgerSet& owned, const RunChange& change) const {
    ReplayedSaving replayed;
    replayed.work = replayedWork(change);
    const ReplayedSteps steps = stepsOf(owned, replayed.work);
    replayed.saved_ns = savingIn(steps, change);
    replayed.step_uncertainty_ns = forecastError(steps.new_ns);
    if (change.as_others.empty()) {  // else the saving is over the window: no single step has it
        std::vector<DurationNs> savings;
        for (std::size_t i = 0; i < steps.old_ns.size(); ++i) {
            savings.push_back(steps.old_ns[i] - steps.new_ns[i]);
        }
        replayed.uncertainty_ns = forecastError(savings);
    }
    return replayed;
}

Pricer::ReplayedSteps Pricer::replaySteps(const LedgerSet& owned, const RunChange& change) const {
    return model_.coupled ? replayCoupled(change) : stepsOf(owned, replayedWork(change));
}

/// The steps of replayedWork().
Pricer::ReplayedSteps Pricer::stepsOf(const LedgerSet& owned, const std::vector<ReplayedRank>& replayed) const {
    if (replayed.empty() || steady_.empty()) {
        return {};
    }
    if (!model_.coupled) {
        return stepsAlone(owned, replayed);
    }
    std::vector<std::vector<TimeSpan>> of_ranks;
    for (const ReplayedRank& rank : replayed) {
        of_ranks.push_back(rank.steps);
    }
    return stepsTogether(of_ranks);
}

/// The most that a replay without a cause may save, if the cause owns `most_ns`. If all ranks are coupled, that is all
/// time without compute: waits of other ranks for a rank that the cause delays, and launches and transfers that a host
/// which runs ahead hides.
DurationNs Pricer::mostBelievable(DurationNs most_ns, Reach reach) const {
    if (model_.coupled) {
        return mostBlocked({facts_.ledger, [](const LedgerEntry&) { return true; }}, most_ns);
    }
    return reach == Reach::BlockedTime ? mostBlocked({facts_.ledger, isBlocked}, most_ns) : most_ns;
}

OwnedTime Pricer::ownedTime(const LedgerFilter& owned, const LedgerSet& taken) const {
    OwnedTime time{.entries = {facts_.ledger, owned}, .price = {}};
    time.entries.subtract(taken);
    Price& price = time.price;
    price.steady_steps = steady_.size();
    price.basis = facts_.basis;
    price.coupled = model_.coupled;
    price.communicates =
        std::ranges::any_of(facts_.ranks, [](const RankFacts& rank) { return !rank.communication.empty(); });
    addSeen(time.entries, std::nullopt, price);
    time.most_ns = mostBlocked(time.entries, price.blocked_ns);
    if (price.steady_seen == 0 && time.most_ns > price.blocked_ns) {
        addSeen(time.entries, mostBlockedRank(time.entries), price);
    }
    const auto least_ns = static_cast<DurationNs>(kLeastShare * static_cast<double>(facts_.pricedStep()));
    time.worth_replay = time.most_ns > 0 && time.most_ns + precision() >= least_ns && facts_.pricedStep() > 0;
    return time;
}

DurationNs Pricer::precision() const {
    return static_cast<DurationNs>(kPrecision * static_cast<double>(facts_.pricedStep()));
}

Price Pricer::priced(const OwnedTime& time, const LedgerFilter& owned, const ReplayedSaving& replayed,
                     Reach reach) const {
    Price price = time.price;
    price.entries = time.entries;
    const DurationNs bound_ns = std::min(precision() + mostBelievable(time.most_ns, reach), facts_.pricedStep());
    price.replayed_ns = replayed.saved_ns;
    price.uncertainty_ns = replayed.uncertainty_ns;
    price.saving_ns = std::clamp<DurationNs>(price.replayed_ns, 0, bound_ns);
    price.beyond_ns = std::max<DurationNs>(0, price.saving_ns - time.most_ns - precision());
    price.share = static_cast<double>(price.saving_ns) / static_cast<double>(facts_.pricedStep());
    findPlaces(time.entries, kLeastShare, price);
    price.paying_ranks = payersOf(owned);
    if (price.ranks.empty()) {
        const double share = static_cast<double>(time.most_ns) / static_cast<double>(facts_.pricedStep());
        findPlaces(time.entries, 0.5 * share, price);
    }
    if (price.paying_ranks.empty()) {
        price.paying_ranks = price.ranks;
    }
    return price;
}

Price Pricer::price(const LedgerFilter& owned, const RunChange& change, Reach reach, const LedgerSet& taken) const {
    const OwnedTime time = ownedTime(owned, taken);
    return time.worth_replay ? priced(time, owned, replayedSaving(time.entries, change), reach) : time.price;
}

/// Finds the steps and ranks in which a problem takes at least the least share.
void Pricer::findPlaces(const LedgerSet& owned, double least_share, Price& price) const {
    price.steps.clear();
    std::vector<bool> has_rank(facts_.ranks.size(), false);
    for (const RunStep& step : facts_.steps) {
        bool seen = false;
        for (RankPosition r{0}; r < facts_.ranks.size(); ++r) {
            if (step.of(r)) {
                const auto ns = static_cast<double>(ledgerTime(r, step, owned));
                const bool here = ns > 0 && ns >= least_share * static_cast<double>(step.duration_ns);
                has_rank[r] = has_rank[r] || (here && isSteady(step));
                seen = seen || here;
            }
        }
        if (seen) {
            price.steps.push_back(step.index);
        }
    }
    for (RankPosition r{0}; r < has_rank.size(); ++r) {
        if (has_rank[r]) {
            price.ranks.push_back(r);
        }
    }
}

/// The ledger records a wait for another rank with what that rank did: it is judged like that rank's entry.
std::vector<RankPosition> Pricer::payersOf(const LedgerFilter& owned) const {
    // One entry is reused: there are many entries, and their texts are long. Evidence is left out, because that of a
    // wait is in the trace of the rank that waits.
    LedgerEntry of_culprit;
    const auto pays = [&owned, &of_culprit](const LedgerEntry& entry) {
        if (entry.cause != Cause::OtherRank || entry.waited_for != WaitedFor::Idle) {
            return owned(entry);
        }
        of_culprit.rank = entry.waited_rank;
        of_culprit.step = entry.step;
        of_culprit.owner = entry.owner;
        of_culprit.cause = entry.waited_cause;
        of_culprit.label = entry.label;
        of_culprit.long_stretch = entry.long_stretch;
        of_culprit.code_name = entry.code_name;
        of_culprit.ns = entry.ns;
        return owned(of_culprit);
    };
    const LedgerSet paid(facts_.ledger, pays);
    std::vector<RankPosition> payers;
    for (RankPosition r{0}; r < facts_.ranks.size(); ++r) {
        const bool here = std::ranges::any_of(steady_, [&](const RunStep* step) {
            const DurationNs ns = ledgerTime(r, *step, paid);
            return ns > 0 && static_cast<double>(ns) >= kLeastShare * static_cast<double>(step->duration_ns);
        });
        if (here) {
            payers.push_back(r);
        }
    }
    return payers;
}

std::vector<Doubt> doubtsOf(const Price& price, std::size_t ranks) {
    // If long steps are too many to leave out, three steps with the problem are enough; else most steps must show it.
    const std::size_t enough =
        price.basis == StepBasis::Mean ? std::min(kLeastSteps, price.steady_steps) : (price.steady_steps + 1) / 2;
    std::vector<Doubt> doubts;
    const auto add_if = [&doubts](bool so, Doubt doubt) {
        if (so) {
            doubts.push_back(doubt);
        }
    };
    add_if(price.steady_steps < 2, Doubt::OneStep);
    add_if(price.steady_seen < enough, Doubt::SeldomSeen);
    add_if(price.steady_steps == 2, Doubt::TwoSteps);
    // What a replay saves beyond the cause's own time depends on all of its assumptions.
    add_if(price.beyond_ns > 0, Doubt::BeyondOwn);
    add_if(fewVary(price), Doubt::FewVary);
    // If ranks are replayed alone, it is unknown how much sooner the others would be.
    add_if(!price.coupled && (ranks > 1 || price.communicates), Doubt::RanksAlone);
    return doubts;
}

Confidence confidenceOf(const Price& price, std::size_t ranks) {
    const std::vector<Doubt> doubts = doubtsOf(price, ranks);
    if (doubts.empty()) {
        return Confidence::High;
    }
    return doubts.front() == Doubt::OneStep || doubts.front() == Doubt::SeldomSeen ? Confidence::Low
                                                                                   : Confidence::Medium;
}

Finding makeFinding(FindingId id, const Price& price, std::size_t ranks) {
    Finding finding;
    finding.id = id;
    finding.confidence = confidenceOf(price, ranks);
    finding.ranks = price.ranks;
    finding.paying_ranks = price.paying_ranks;
    finding.steps = price.steps;
    finding.blocked_ns = price.blocked_ns;
    finding.saving_ns = price.saving_ns;
    finding.share = price.share;
    finding.overlap = price.overlap;
    if (price.uncertainty_ns) {
        finding.range = SavingRange{std::max<DurationNs>(0, price.saving_ns - *price.uncertainty_ns),
                                    price.saving_ns + *price.uncertainty_ns};
    }
    return finding;
}

}  // namespace rankscope
