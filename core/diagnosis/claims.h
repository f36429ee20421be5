// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/finding.h"
#include "core/diagnosis/pricing.h"

namespace rankscope {

/// What a finding explains.
enum class Claim : std::uint8_t {
    Named,    ///< something that can be pointed at: a call, a line, a setting
    LeftOver  ///< what is left when all that has a name was looked at: launches that come late, transfers in the open
};

/// What the findings so far explain. The rules go from what has a name to what is left over, and each gets a finding
/// only if it saves enough beyond all that come before it: no time is sold twice. No two findings own the same entry of
/// the ledger: it belongs to the first that claims it.
class Claims {
  public:
    /// Both must outlive it.
    Claims(const Pricer& pricer, const RunFacts& facts) : pricer_(pricer), facts_(facts) {}

    /// As Pricer::price() for a finding `id`, but nothing (a share of 0) where the replay saves less than
    /// Pricer::kLeastShare beyond what is explained. Of what is left over only that is saved, if most of its saving is
    /// explained already: then its time has names, and it has none. A price of something explains from then on what it
    /// is for. `change` is kept: it may refer only to what outlives the rules.
    [[nodiscard]] Price price(std::string_view id, const LedgerFilter& owned, const RunChange& change,
                              Reach reach = Reach::OwnTime, Claim claim = Claim::Named);
    /// The same where only ranks change, each in its own way; `change` is called at once if at all, and not kept.
    [[nodiscard]] Price price(std::string_view id, const LedgerFilter& owned, const ChangeOfRank& change,
                              Reach reach = Reach::OwnTime, Claim claim = Claim::Named);
    /// The same where all ranks change alike.
    [[nodiscard]] Price price(std::string_view id, const LedgerFilter& owned, const ReplayChange& change,
                              Reach reach = Reach::OwnTime);

  private:
    struct Explained {
        std::string id;
        LedgerSet owned;
        RunChange change;
        DurationNs alone_ns = 0;
    };
    [[nodiscard]] DurationNs beyond(const Explained& one);
    [[nodiscard]] DurationNs claimFirst(const Explained& one, DurationNs replayed_ns);
    [[nodiscard]] const std::string& mostInvolved(const Explained& one) const;
    [[nodiscard]] bool isMuch(DurationNs ns) const;

    const Pricer& pricer_;
    const RunFacts& facts_;
    std::vector<Explained> explained_;
    LedgerSet owned_;          // by all of them
    RunChange change_;         // what all of them leave out
    DurationNs saved_ns_ = 0;  // what that saves
};

/// Sees to it that no time is claimed by two findings: a straggler and what makes it one.
///
/// The order of claims is: what has a name before what has only a rank. Where a finding on the straggler's ranks alone
/// explains its lateness by a named call or line (a sync, a copy, an allocation) and saves at least most of the same,
/// the straggler is dropped: that finding names the rank too. A DataLoader has no such name: there the straggler claims
/// first, and the DataLoader's finding keeps what it would save beyond; less than 1 % of the step is no finding.
void settleClaims(Diagnosis& diagnosis, DurationNs median_step_ns);

}  // namespace rankscope
