// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/prices/pricing.h"

namespace rankscope {

/// How a finding takes its saving if others save part of the same time.
enum class Claim : std::uint8_t {
    Named,     ///< a cause with a name: a call, a line, a setting. It keeps what it saves alone.
    LeftOver,  ///< the remainder after causes with a name: late launches, exposed transfers
    Rest       ///< only what it saves in addition to the findings so far
};

/// The cost of late ranks, beyond what other findings save.
struct LatenessPrice {
    DurationNs saving_ns = 0;  ///< per step
    std::optional<Overlap> overlap;
};

/// The cost of long steps, beyond what other findings save.
struct WholeStepsPrice {
    DurationNs saving_ns = 0;  ///< per step of the window
    std::optional<Overlap> overlap;
};

/// Attributes savings to findings, so that no nanosecond is counted twice.
///
/// Findings are not independent. A fix in one place may hide the cost of another, and two findings may save the same
/// wait. So savings do not add up: only a replay without all problems shows what they save together. The rules are
/// called in a fixed order, from causes with a name (a call, a line, a setting) to remainders. This class keeps, for
/// all findings so far: their ledger entries, their joint change, and what a replay with that change saves. For the
/// next problem it replays the joint change plus the problem's own. The additional saving is what the problem adds. It
/// becomes a finding only if that is enough (Pricer::kLeastShare of the priced step). Then:
/// - A ledger entry belongs to the first finding that claims it, so blocked times of findings add up.
/// - The saving of a finding is what it saves alone. If what it adds differs from that by the least share, both are
///   reported (Overlap), with the earlier finding that changes it most.
/// - A remainder that earlier findings save for the most part has only what it adds.
///
/// Late ranks (stragglers) follow the same rules. In their replay they take as long as the other ranks. They own no
/// entries, because the waits for them are in the ledgers of the ranks that wait. If findings on exactly their ranks
/// name the cause of the lateness, they keep only what they add to those, mostly nothing. The DataLoader's finding
/// names no rank, so ranks that are late because of their DataLoader come before it, and it gets the rest
/// (Claim::Rest). The same is true for slow launches: ranks whose hosts are generally slow come before `host-code`,
/// which gets the rest, and before `launch-bound`. If they are late without stalls too, they also come before stalls
/// and the DataLoader.
///
/// Rare long steps come after stalled threads and the DataLoader, and get what these leave. They come before other
/// causes of long steps. They own no entries either, because they concern whole steps.
class Attribution {
  public:
    /// Both must outlive it. Independent replays run on `threads` threads; 0: one per core.
    Attribution(const Pricer& pricer, const RunFacts& facts, unsigned threads)
        : pricer_(pricer), facts_(facts), threads_(threads) {}

    /// As Pricer::price() for a finding `id`, but the share is 0 if the problem adds less than Pricer::kLeastShare to
    /// the findings so far. Else what `owned` selects and `change` leaves out is now attributed. `change` is kept as
    /// long as this lives. The saving is limited to what provably follows (limitSaving()). One or two replays, and up
    /// to kMostCompared more if savings overlap.
    [[nodiscard]] Price price(FindingId id, const LedgerFilter& owned, const RunChange& change,
                              Reach reach = Reach::SegmentTime, Claim claim = Claim::Named);

    /// What a replay without the last problem priced as a finding `id` saved, before any limit. Nothing if none was
    /// replayed, or if ranks are not coupled: then that depends on the findings before it.
    [[nodiscard]] std::optional<DurationNs> replayedAlone(FindingId id) const;

    /// The price of late `ranks` (ascending); without their lateness a step would be shorter by `alone_ns`. Nothing if
    /// that is below Pricer::kLeastShare, or if they add less than `least_ns` to findings on exactly these ranks.
    [[nodiscard]] std::optional<LatenessPrice> priceLateness(FindingId id, const std::vector<RankPosition>& ranks,
                                                             const RunChange& change, DurationNs alone_ns,
                                                             DurationNs least_ns);

    /// The price of long steps (RunChange::as_others of `change`): the mean saving per step of the window if they took
    /// as long as the others, beyond the findings so far. Nothing if that is below Pricer::kLeastShare. `ranks`
    /// (ascending) make the steps long.
    [[nodiscard]] std::optional<WholeStepsPrice> priceWholeSteps(FindingId id, const std::vector<RankPosition>& ranks,
                                                                 const RunChange& change);

    /// A finding is compared with at most this many others, those that save most, to find which one changes its saving
    /// most.
    static constexpr std::size_t kMostCompared = 8;

  private:
    struct Attributed {
        FindingId id = FindingId::DataloaderStall;
        std::vector<RankPosition> ranks;
        LedgerSet owned;
        RunChange change;
        DurationNs alone_ns = 0;
    };
    /// Several findings together.
    struct Joint {
        LedgerSet owned;
        RunChange change;
        DurationNs saved_ns = 0;
    };
    [[nodiscard]] Joint with(const Joint& joint, const Attributed& one) const;
    [[nodiscard]] DurationNs addedTo(const std::vector<RankPosition>& ranks, const Attributed& one) const;
    [[nodiscard]] std::optional<Overlap> overlapOf(const Attributed& one, DurationNs beyond_ns) const;
    [[nodiscard]] FindingId mostInvolved(const Attributed& one) const;
    [[nodiscard]] bool isMuch(DurationNs ns) const;

    const Pricer& pricer_;
    const RunFacts& facts_;
    unsigned threads_;
    std::vector<Attributed> attributed_;
    std::map<FindingId, DurationNs> replayed_alone_;
    Joint all_;
};

}  // namespace rankscope
