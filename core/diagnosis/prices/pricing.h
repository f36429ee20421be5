// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/replay/run_replay.h"
#include "core/analysis/run_facts.h"
#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/prices/ledger_set.h"

namespace rankscope {

/// How much of what a replay saves is believed where ranks are replayed alone: what the others wait for is not known
/// then. Where all are coupled, all time without computation may go.
enum class Reach : std::uint8_t {
    SegmentTime,  ///< what the cause owns in the ledger, and the precision of savings
    /// All blocked time: for causes that drain the queue or slow down every launch. Without them the host runs ahead,
    /// and launches that other causes own are hidden too.
    BlockedTime,
};

/// The two prices of a problem, and where it was seen.
struct Price {
    /// Ledger time per step on the critical rank, of the step that prices are of. Where ranks are replayed together and
    /// no critical rank has any to speak of, on the rank that has most of it.
    DurationNs blocked_ns = 0;
    DurationNs saving_ns = 0;    ///< what the replay without it saves of the step
    DurationNs replayed_ns = 0;  ///< the same before it was bound by what can be believed
    DurationNs beyond_ns = 0;    ///< the part of it that the replay finds in time of other owners
    // Of Attribution only, where there is such a part: limitSaving().
    CauseTimes follows;                       ///< how much of the replayed saving is idle time of others, by cause
    DurationNs follows_communication_ns = 0;  ///< and how much is communication, or waiting for other ranks in it
    DurationNs unproven_ns = 0;               ///< what the replay saves more, in pauses that nothing explains
    bool at_most = false;                     ///< that is so much that the saving is an upper bound
    double share = 0.0;                       ///< saving over RunFacts::pricedStep()
    /// With it above 1 % of their steps; where there are none, since it makes more time idle than it owns, those that
    /// lose at least half as much to it as the one that loses most.
    std::vector<RankPosition> ranks;
    /// The ranks that lose more than 1 % of the step to it: directly, or waiting in collectives for one that does; else
    /// as `ranks`.
    std::vector<RankPosition> paying_ranks;
    std::vector<std::int64_t> steps;      ///< in which a rank of the run loses that much
    StepBasis basis = StepBasis::Median;  ///< as RunFacts::basis
    std::size_t steady_steps = 0;         ///< how many the price is based on
    std::size_t steady_seen = 0;          ///< how many of these it was seen in
    DurationNs least_seen_ns = 0;         ///< ledger time on the critical rank in those, the least and
    DurationNs most_seen_ns = 0;          ///< the most of a step
    /// How far the saving may be off since steps vary: see Finding::range. Nothing below three steps.
    std::optional<DurationNs> uncertainty_ns;
    bool coupled = false;            ///< all ranks were replayed together
    bool communicates = false;       ///< a rank has communication, so there are others to wait for
    std::optional<Overlap> overlap;  ///< as Finding::overlap; of Attribution only
    LedgerSet entries;               ///< what it owns of the ledger, without what others own already
};

/// What a problem owns of the steps that prices are of: its price before any replay.
struct OwnedTime {
    LedgerSet entries;
    Price price;                ///< without the saving, its share and where it was seen
    DurationNs most_ns = 0;     ///< of the step, on the rank that is blocked most
    bool worth_replay = false;  ///< it could become a finding
};

/// What a replay saves of the step that prices are of, before it is bound by what can be believed.
struct ReplayedSaving {
    DurationNs saved_ns = 0;
    std::optional<DurationNs> uncertainty_ns;  ///< as Price::uncertainty_ns
};

/// Prices problems by the ledger and by replays.
class Pricer {
  public:
    /// Below this share of the step a problem is not worth a finding.
    static constexpr double kLeastShare = 0.01;
    /// How exact a saving is, as a share of the step: it may exceed the blocked time by that much.
    static constexpr double kPrecision = 0.005;

    /// All must outlive it. After `stop` was requested, no replay is begun or ended: prices are 0 then.
    Pricer(const RunFacts& facts, const RunClock& clock, const RunReplayModel& model, std::stop_token stop = {});

    /// The price of the ledger entries that `owned` picks, without those that are `taken`, if a replay leaves out
    /// `change`: ownedTime(), saving() and priced() in one.
    [[nodiscard]] Price price(const LedgerFilter& owned, const RunChange& change, Reach reach = Reach::SegmentTime,
                              const LedgerSet& taken = {}) const;
    /// The time in the ledger of what `owned` picks, without what is `taken`. No replay.
    [[nodiscard]] OwnedTime ownedTime(const LedgerFilter& owned, const LedgerSet& taken) const;
    /// The price of what `owned` picks, which takes `time`; a replay without it gave `replayed`.
    [[nodiscard]] Price priced(const OwnedTime& time, const LedgerFilter& owned, const ReplayedSaving& replayed,
                               Reach reach) const;
    /// saving(), with how far it may be off since steps vary.
    [[nodiscard]] ReplayedSaving replayedSaving(const LedgerSet& owned, const RunChange& change) const;
    /// A replay with `change`, of all ranks where they are coupled, else of those that pace a step; empty elsewhere,
    /// and after `stop` was requested.
    [[nodiscard]] std::vector<ReplayedRank> replayedWork(const RunChange& change) const;
    /// What the step that prices are of loses in a replay with `change`, of all ranks where they are coupled, else of
    /// the rank that paces it; without the bounds that a price has. `owned`: as of price().
    [[nodiscard]] DurationNs saving(const LedgerSet& owned, const RunChange& change) const;
    /// What the step of the run that prices are of loses in a replay with `change`; below zero where it grows. Without
    /// the bounds that a price has. Where not all communication is coupled, the rest of it lasts as long as it did,
    /// with what a rank waited in it.
    [[nodiscard]] DurationNs coupledSaving(const RunChange& change) const;
    /// Whether all ranks are replayed together (see RunReplayModel::coupled); else only the critical rank is.
    [[nodiscard]] bool coupled() const { return model_.coupled; }
    [[nodiscard]] const RunReplayModel& model() const { return model_; }
    /// The ledger entries of one step of one rank.
    [[nodiscard]] std::span<const LedgerEntry> entries(RankPosition rank, RankStepPosition step) const;
    /// Ledger time of `owned` in one step of one rank.
    [[nodiscard]] DurationNs ledgerTime(RankPosition rank, RankStepPosition step, const LedgerSet& owned) const;
    /// The same in one step of the run; 0 if the rank has no part in it.
    [[nodiscard]] DurationNs ledgerTime(RankPosition rank, const RunStep& step, const LedgerSet& owned) const;
    /// What `filter` picks in the step that prices are of, on the critical rank.
    [[nodiscard]] DurationNs typicalLedgerTime(const LedgerFilter& filter) const;
    /// The steps of the run that count for prices: the steady-state ones that follow another, or all steady-state ones
    /// where few do; in the order of the run's.
    [[nodiscard]] const std::vector<const RunStep*>& steady() const { return steady_; }
    /// Whether a step of the run is one of steady(); log n of n steps.
    [[nodiscard]] bool counts(const RunStep& step) const;

    /// The part of the window that steady() is.
    [[nodiscard]] Coverage coverage() const;

  private:
    /// How long the steps that count for prices are, and how long in a replay.
    struct ReplayedSteps {
        std::vector<DurationNs> old_ns;
        std::vector<DurationNs> new_ns;
    };
    [[nodiscard]] ReplayedSteps replayCoupled(const RunChange& change) const;
    [[nodiscard]] ReplayedSteps replayAlone(const LedgerSet& owned, const RunChange& change) const;
    [[nodiscard]] ReplayedSteps replaySteps(const LedgerSet& owned, const RunChange& change) const;
    [[nodiscard]] DurationNs savingIn(const ReplayedSteps& steps, const RunChange& change) const;
    [[nodiscard]] DurationNs blockedOn(RankPosition rank, const LedgerSet& owned) const;
    [[nodiscard]] DurationNs mostBlocked(const LedgerSet& owned, DurationNs on_critical_ns) const;
    [[nodiscard]] RankPosition mostBlockedRank(const LedgerSet& owned) const;
    void addSeen(const LedgerSet& owned, std::optional<RankPosition> rank, Price& price) const;
    /// kPrecision of the step that prices are of.
    [[nodiscard]] DurationNs precision() const;
    [[nodiscard]] DurationNs mostBelievable(DurationNs most_ns, Reach reach) const;
    void findPlaces(const LedgerSet& owned, double least_share, Price& price) const;
    [[nodiscard]] std::vector<RankPosition> payersOf(const LedgerFilter& owned) const;
    [[nodiscard]] DurationNs othersNeed(const RunStep& step, const LedgerSet& owned) const;

    const RunFacts& facts_;
    const RunClock& clock_;
    std::vector<std::vector<std::size_t>> first_entry_;  // by [rank][step]: in the ledger; one more at the end
    std::vector<const RunStep*> steady_;
    const RunReplayModel& model_;
    std::stop_token stop_;
};

/// What makes a price less sure than it could be.
enum class Doubt : std::uint8_t {
    OneStep,     ///< it is based on one step at most
    SeldomSeen,  ///< most of the steps that it is based on do not show it
    TwoSteps,    ///< it is based on two steps only
    BeyondOwn,   ///< a part of it is in time that other causes own
    FewVary,     ///< the steps are few, and vary
    RanksAlone   ///< ranks could not be replayed together
};
/// All that makes a price of a run of this many ranks less sure, the worst first.
[[nodiscard]] std::vector<Doubt> doubtsOf(const Price& price, std::size_t ranks);
/// How far a price can be trusted: high without a doubt, low with too few steps.
[[nodiscard]] Confidence confidenceOf(const Price& price, std::size_t ranks);
/// A finding with its prices and places filled in; texts and evidence are the rule's.
[[nodiscard]] Finding makeFinding(FindingId id, const Price& price, std::size_t ranks);

}  // namespace rankscope
