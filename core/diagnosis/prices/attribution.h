// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/prices/pricing.h"

namespace rankscope {

/// How a finding takes its saving where others save a part of the same.
enum class Claim : std::uint8_t {
    Named,     ///< something with a name: a call, a line, a setting. It keeps what it saves alone.
    LeftOver,  ///< what is left after everything with a name: late launches, exposed transfers
    Rest       ///< nothing but what it saves beyond what is attributed already
};

/// What ranks that are late cost beyond what is attributed to other findings already.
struct LatenessPrice {
    DurationNs saving_ns = 0;  ///< a step
    std::optional<Overlap> overlap;
};

/// What long steps cost beyond what is attributed to other findings already.
struct WholeStepsPrice {
    DurationNs saving_ns = 0;  ///< a step of the window
    std::optional<Overlap> overlap;
};

/// Attributes savings to findings, so that no nanosecond is counted twice.
///
/// Findings are not independent: a fix of the host in one place may hide what another place costs, and two findings may
/// save the same wait. What they save together is therefore not the sum of what each saves alone, and only a replay of
/// all of them at once shows it. So the rules are asked in a fixed order, from causes with a name (a call, a line, a
/// setting) to what is left over. This keeps, of all findings so far: the ledger entries that they own, the change that
/// a replay leaves out for all of them at once, and what that replay saves. For the next problem it replays the joint
/// change with the problem's own added. The additional saving is what the problem adds. It becomes a finding only if
/// that is enough (Pricer::kLeastShare of the median step). Then:
/// - a ledger entry belongs to the first finding that claims it, so blocked times of findings add up;
/// - the saving of a finding is what it saves alone; if what it adds differs from that by the least share, both are
///   reported (Overlap), with the earlier finding that changes it most;
/// - a problem that is left over, and that earlier findings save most of, has only what it adds.
///
/// Late ranks (stragglers) are treated the same: their change is a replay in which they take what the other ranks take.
/// They own no entries, since the waits for them are in the ledger of the ranks that wait. If findings on exactly their
/// ranks name what makes them late, they keep only what they add to those, mostly nothing. The DataLoader's finding
/// does not name a rank, so ranks that are late because of their DataLoader come before it, and it has the rest
/// (Claim::Rest). The same is true of slow launching: ranks whose hosts are late in general come before `host-code`,
/// which then has the rest, and before `launch-bound`; if they are late without stalls too, also before stalls and the
/// DataLoader.
///
/// Rare long steps come after stalled threads and the DataLoader, and have what these leave of them; they keep other
/// causes of long steps. They own no entries either, since they are about whole steps.
class Attribution {
  public:
    /// Both must outlive it. Independent replays run on `threads` threads, 0: one for each core.
    Attribution(const Pricer& pricer, const RunFacts& facts, unsigned threads)
        : pricer_(pricer), facts_(facts), threads_(threads) {}

    /// As Pricer::price() for a finding `id`, but a share of 0 if the replay saves less than Pricer::kLeastShare
    /// beyond what is attributed already. From then on, what `owned` picks and `change` leaves out is attributed.
    /// `change` is kept as long as this lives. It saves no more than what provably follows (limitSaving()). One to
    /// three replays, and up to kMostCompared more where savings overlap.
    [[nodiscard]] Price price(FindingId id, const LedgerFilter& owned, const RunChange& change,
                              Reach reach = Reach::SegmentTime, Claim claim = Claim::Named);

    /// The price of the lateness of `ranks` (ascending), which without it would save `alone_ns` a
    /// step; nothing if that is under Pricer::kLeastShare, or they add less than `least_ns` to findings on exactly
    /// these ranks.
    [[nodiscard]] std::optional<LatenessPrice> priceLateness(FindingId id, const std::vector<RankPosition>& ranks,
                                                             const RunChange& change, DurationNs alone_ns,
                                                             DurationNs least_ns);

    /// The price of steps that take longer than the others (RunChange::as_others of `change`): what a step of the
    /// window would be shorter in the mean if they did not, beyond what is attributed already; nothing if that is
    /// below Pricer::kLeastShare. `ranks` (ascending) make them long.
    [[nodiscard]] std::optional<WholeStepsPrice> priceWholeSteps(FindingId id, const std::vector<RankPosition>& ranks,
                                                                 const RunChange& change);

    /// With this many findings that save most, at most, is a finding compared to tell which changes its saving most.
    static constexpr std::size_t kMostCompared = 8;

  private:
    struct Attributed {
        FindingId id = FindingId::DataloaderStall;
        std::vector<RankPosition> ranks;
        LedgerSet owned;
        RunChange change;
        DurationNs alone_ns = 0;
    };
    /// Some findings together.
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
    Joint all_;
};

}  // namespace rankscope
