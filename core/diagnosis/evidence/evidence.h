// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// A part of a gap, with its place.
struct SeenPart {
    RankPosition rank;
    const RankStep* step = nullptr;
    const Gap* gap = nullptr;
    const GapPart* part = nullptr;
};

/// Calls visit(step, gap, part) for the parts of a rank's gaps that belong to ledger entries that `owned` picks, in
/// order of time.
template <class Visit>
void forEachPart(const RuleContext& context, RankPosition rank, const LedgerFilter& owned, const Visit& visit);

/// The longest of these parts on `ranks`, longest first, up to `most`.
[[nodiscard]] std::vector<SeenPart> longestParts(const RuleContext& context, const std::vector<RankPosition>& ranks,
                                                 const LedgerFilter& owned, std::size_t most);

/// Evidence for the longest parts, those of the typical place (core/diagnosis/evidence/example.h) first: what blocked
/// the device, and for the very first also the launch and the device work that ended the gap. Parts below 1 % of the
/// finding's time there prove little and are left out. At most eight.
[[nodiscard]] std::vector<Evidence> evidenceOf(const RuleContext& context, const Price& price,
                                               const LedgerFilter& owned);

/// "Rank 3", "Ranks 1, 4 and 5", or "All 8 ranks" of a run of several; many ranks as ranges: "Ranks 64 to 127".
[[nodiscard]] std::string rankNames(const RuleContext& context, const std::vector<RankPosition>& ranks);

/// The same within a sentence: "rank 3", "ranks 1, 4 and 5", "all 8 ranks".
[[nodiscard]] std::string rankNamesWithin(const RuleContext& context, const std::vector<RankPosition>& ranks);

/// "Affected: only rank 3 of 8 ranks. ": whether one rank, some or all have the problem; empty in a run of one rank.
[[nodiscard]] std::string whoText(const RuleContext& context, const std::vector<RankPosition>& ranks);

/// Whether Python stacks were recorded on a rank.
[[nodiscard]] bool hasStacks(const RankTrace& rank);

/// "1 step" or "3 steps".
[[nodiscard]] std::string countText(std::size_t count, const std::string& noun);

template <class Visit>
void forEachPart(const RuleContext& context, RankPosition rank, const LedgerFilter& owned, const Visit& visit) {
    const std::vector<RankStep>& steps = context.facts.ranks[rank].steps;
    std::vector<bool> picked;
    for (RankStepPosition s{0}; s < steps.size(); ++s) {
        picked.clear();
        for (const LedgerEntry& entry : context.pricer.entries(rank, s)) {
            picked.push_back(entry.owner == Owner::Blocked && owned(entry));
        }
        if (std::ranges::find(picked, true) == picked.end()) {
            continue;
        }
        auto entry = context.facts.entry_of_part[rank][s].begin();
        for (const Gap& gap : steps[s].gaps) {
            for (const GapPart& part : gap.parts) {
                if (picked[*entry++]) {
                    visit(steps[s], gap, part);
                }
            }
        }
    }
}

}  // namespace rankscope
