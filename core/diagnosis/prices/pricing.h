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

/// How much of a replay's saving is accepted if ranks are replayed alone, when the waits of the others are unknown. If
/// all ranks are coupled, up to all time without compute is accepted.
enum class Reach : std::uint8_t {
    SegmentTime,  ///< the cause's own time in the ledger, plus the precision of savings
    /// All blocked time: for causes that drain the queue or slow down every launch. Without them the host runs ahead,
    /// which also hides launches that other causes own.
    BlockedTime,
};

/// The two prices of a problem, and where it was seen.
struct Price {
    /// Ledger time per priced step on the critical rank. If ranks are replayed together and the critical rank has
    /// almost none: on the rank with most.
    DurationNs blocked_ns = 0;
    DurationNs saving_ns = 0;    ///< what the replay without the problem saves of the priced step
    DurationNs replayed_ns = 0;  ///< the same before any limit
    DurationNs beyond_ns = 0;    ///< the part of it in time that others own
    // Set by limitSaving() if Attribution finds such a part.
    CauseTimes follows;                       ///< by cause: how much of the replayed saving is idle time of others
    DurationNs follows_communication_ns = 0;  ///< how much of it is communication, or waits for other ranks in it
    DurationNs unproven_ns = 0;               ///< the rest of the replayed saving, in pauses without a recorded reason
    bool at_most = false;                     ///< unproven_ns is so large that the saving is an upper bound
    double share = 0.0;                       ///< saving / RunFacts::pricedStep()
    /// Ranks that lose at least 1 % of a step to it. If there are none, because it causes more idle time than it owns:
    /// those that lose at least half as much as the worst one.
    std::vector<RankPosition> ranks;
    /// Ranks that lose at least 1 % of a step to it, directly or by waiting in collectives for a rank that does; else
    /// as `ranks`.
    std::vector<RankPosition> paying_ranks;
    std::vector<std::int64_t> steps;      ///< in which any rank loses that much
    StepBasis basis = StepBasis::Median;  ///< as RunFacts::basis
    std::size_t steady_steps = 0;         ///< number of steps that the price is based on
    std::size_t steady_seen = 0;          ///< number of these in which it was seen
    DurationNs least_seen_ns = 0;         ///< smallest ledger time per step, on the critical rank, where it was seen
    DurationNs most_seen_ns = 0;          ///< largest ledger time per step, as above
    /// How far the saving may be off because steps vary: see Finding::range. Nothing below three steps.
    std::optional<DurationNs> uncertainty_ns;
    bool coupled = false;            ///< all ranks were replayed together
    bool communicates = false;       ///< a rank communicates, so there are others to wait for
    std::optional<Overlap> overlap;  ///< as Finding::overlap; set by Attribution
    LedgerSet entries;               ///< its ledger entries, without those that others own already
};

/// The time that a problem owns in the priced step: its price before any replay.
struct OwnedTime {
    LedgerSet entries;
    Price price;                ///< without the saving, its share and where it was seen
    DurationNs most_ns = 0;     ///< per priced step, on the rank that is blocked most
    bool worth_replay = false;  ///< it could become a finding
};

/// What a replay saves of the priced step, before any limit.
struct ReplayedSaving {
    DurationNs saved_ns = 0;
    std::optional<DurationNs> uncertainty_ns;       ///< as Price::uncertainty_ns
    std::optional<DurationNs> step_uncertainty_ns;  ///< the same of the replayed steps: how far the mean of as many
                                                    ///< other steps may be from theirs
    std::vector<ReplayedRank> work;                 ///< as Pricer::replayedWork() returns it
};

/// Prices problems by the ledger and by replays. The priced step is the median or the mean one
/// (RunFacts::pricedStep()).
class Pricer {
  public:
    /// A problem below this share of the step is not worth a finding.
    static constexpr double kLeastShare = 0.01;
    /// The precision of a saving, as a share of the step: it may exceed the blocked time by this much.
    static constexpr double kPrecision = 0.005;

    /// All must outlive it. After `stop` is requested, no replay starts or finishes, and prices are 0.
    Pricer(const RunFacts& facts, const RunClock& clock, const RunReplayModel& model, std::stop_token stop = {});

    /// The price of the ledger entries that `owned` selects and that are not `taken`, with a replay of `change`:
    /// ownedTime(), saving() and priced() in one.
    [[nodiscard]] Price price(const LedgerFilter& owned, const RunChange& change, Reach reach = Reach::SegmentTime,
                              const LedgerSet& taken = {}) const;
    /// The ledger time of what `owned` selects, without what is `taken`. No replay.
    [[nodiscard]] OwnedTime ownedTime(const LedgerFilter& owned, const LedgerSet& taken) const;
    /// The price of what `owned` selects, from its `time` and what a replay without it `replayed`.
    [[nodiscard]] Price priced(const OwnedTime& time, const LedgerFilter& owned, const ReplayedSaving& replayed,
                               Reach reach) const;
    /// saving(), with its error because steps vary.
    [[nodiscard]] ReplayedSaving replayedSaving(const LedgerSet& owned, const RunChange& change) const;
    /// A replay with `change`: of all ranks if they are coupled, else of the critical ranks, with the others empty.
    /// Empty after `stop` is requested.
    [[nodiscard]] std::vector<ReplayedRank> replayedWork(const RunChange& change) const;
    /// What the priced step saves in a replay with `change`, of all ranks if they are coupled, else of the critical
    /// rank. Without the limits of a price. `owned`: as in price().
    [[nodiscard]] DurationNs saving(const LedgerSet& owned, const RunChange& change) const;
    /// What the run's priced step saves in a replay with `change`; negative if it grows. Without the limits of a
    /// price. Communication that is not coupled keeps its length, waits included.
    [[nodiscard]] DurationNs coupledSaving(const RunChange& change) const;
    /// Whether all ranks are replayed together (RunReplayModel::coupled); else the critical rank is replayed alone.
    [[nodiscard]] bool coupled() const { return model_.coupled; }
    [[nodiscard]] const RunReplayModel& model() const { return model_; }
    /// The ledger entries of one step of one rank.
    [[nodiscard]] std::span<const LedgerEntry> entries(RankPosition rank, RankStepPosition step) const;
    /// Ledger time of `owned` in one step of one rank.
    [[nodiscard]] DurationNs ledgerTime(RankPosition rank, RankStepPosition step, const LedgerSet& owned) const;
    /// The same in a step of the run; 0 if the rank is not in it.
    [[nodiscard]] DurationNs ledgerTime(RankPosition rank, const RunStep& step, const LedgerSet& owned) const;
    /// Ledger time of what `filter` selects, per priced step on the critical rank.
    [[nodiscard]] DurationNs typicalLedgerTime(const LedgerFilter& filter) const;
    /// The steps of the run that count for prices, in order: steady-state steps that follow another, or all
    /// steady-state steps if few do.
    [[nodiscard]] const std::vector<const RunStep*>& steady() const { return steady_; }
    /// Whether a step of the run is in steady(). O(log n) in steps.
    [[nodiscard]] bool counts(const RunStep& step) const;

    /// The part of the window that steady() covers.
    [[nodiscard]] Coverage coverage() const;

  private:
    /// Measured and replayed lengths of the steps that count for prices.
    struct ReplayedSteps {
        std::vector<DurationNs> old_ns;
        std::vector<DurationNs> new_ns;
    };
    [[nodiscard]] ReplayedSteps replayCoupled(const RunChange& change) const;
    [[nodiscard]] ReplayedSteps stepsTogether(const std::vector<std::vector<TimeSpan>>& of_ranks) const;
    [[nodiscard]] ReplayedSteps stepsAlone(const LedgerSet& owned, const std::vector<ReplayedRank>& replayed) const;
    [[nodiscard]] ReplayedSteps stepsOf(const LedgerSet& owned, const std::vector<ReplayedRank>& replayed) const;
    [[nodiscard]] ReplayedSteps replaySteps(const LedgerSet& owned, const RunChange& change) const;
    [[nodiscard]] DurationNs savingIn(const ReplayedSteps& steps, const RunChange& change) const;
    [[nodiscard]] DurationNs blockedOn(RankPosition rank, const LedgerSet& owned) const;
    [[nodiscard]] DurationNs mostBlocked(const LedgerSet& owned, DurationNs on_critical_ns) const;
    [[nodiscard]] RankPosition mostBlockedRank(const LedgerSet& owned) const;
    void addSeen(const LedgerSet& owned, std::optional<RankPosition> rank, Price& price) const;
    /// kPrecision of the priced step.
    [[nodiscard]] DurationNs precision() const;
    [[nodiscard]] DurationNs mostBelievable(DurationNs most_ns, Reach reach) const;
    void findPlaces(const LedgerSet& owned, double least_share, Price& price) const;
    [[nodiscard]] std::vector<RankPosition> payersOf(const LedgerFilter& owned) const;
    [[nodiscard]] DurationNs othersNeed(const RunStep& step, const LedgerSet& owned) const;

    const RunFacts& facts_;
    const RunClock& clock_;
    std::vector<std::vector<std::size_t>> first_entry_;  // by [rank][step], in the ledger; one more at the end
    std::vector<const RunStep*> steady_;
    const RunReplayModel& model_;
    std::stop_token stop_;
};

/// A reason why a price is less certain.
enum class Doubt : std::uint8_t {
    OneStep,     ///< it is based on at most one step
    SeldomSeen,  ///< most of the steps that it is based on do not show it
    TwoSteps,    ///< it is based on only two steps
    BeyondOwn,   ///< part of it is in time that other causes own
    FewVary,     ///< the steps are few, and vary
    RanksAlone   ///< ranks could not be replayed together
};
/// All doubts about a price, for a run with this many ranks, worst first.
[[nodiscard]] std::vector<Doubt> doubtsOf(const Price& price, std::size_t ranks);
/// How far a price can be trusted: high without a doubt, low with too few steps.
[[nodiscard]] Confidence confidenceOf(const Price& price, std::size_t ranks);
/// A finding with prices and places; the rule adds texts and evidence.
[[nodiscard]] Finding makeFinding(FindingId id, const Price& price, std::size_t ranks);

}  // namespace rankscope
