// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/claims.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace rankscope {
namespace {

/// From this part of a straggler's saving on another finding explains it.
constexpr double kExplains = 0.8;

bool isStraggler(const Finding& finding) {
    return finding.id == "straggler-rank" || finding.id == "moving-straggler";
}

/// The findings that a cause of lateness leads to as well.
bool isCauseOf(const Finding& finding, std::string_view cause) {
    if (cause == "host") {
        return finding.id == "host-code" || finding.id == "launch-bound" || finding.id == "unexplained-idle";
    }
    return (cause == "host-sync" && finding.id == "host-sync") ||
           (cause == "blocking-copy" && finding.id == "unpinned-memcpy") ||
           (cause == "copies" && finding.id == "unpinned-memcpy") ||
           (cause == "allocator" && finding.id == "allocator-stall");
}

bool explains(const Finding& finding, const Finding& straggler) {
    return isCauseOf(finding, straggler.cause) && finding.ranks == straggler.ranks &&
           static_cast<double>(finding.saving_ns) >= kExplains * static_cast<double>(straggler.saving_ns);
}

void claimFrom(Finding& loader, const Finding& straggler, DurationNs median_step_ns) {
    loader.saving_ns = std::max<DurationNs>(0, loader.saving_ns - straggler.saving_ns);
    loader.blocked_ns = std::max<DurationNs>(0, loader.blocked_ns - straggler.saving_ns);
    loader.share = static_cast<double>(loader.saving_ns) / static_cast<double>(median_step_ns);
    loader.severity = severityOf(loader.share);
}

/// The same change, worked out for all ranks when it is asked for first: most problems are too small for a replay.
/// `change` has to be there until then only.
ChangeOfRank workedOut(const ChangeOfRank& change, std::size_t ranks) {
    const auto changes = std::make_shared<std::vector<ReplayChange>>();
    return [changes, &change, ranks](std::uint32_t rank) {
        for (auto r = static_cast<std::uint32_t>(changes->size()); r < ranks; ++r) {
            changes->push_back(change(r));
        }
        return (*changes)[rank];
    };
}

}  // namespace

Price Claims::price(std::string_view id, const LedgerFilter& owned, const ReplayChange& change, Reach reach) {
    RunChange of_run;
    of_run.of_rank = [change](std::uint32_t) { return change; };
    return price(id, owned, of_run, reach);
}

Price Claims::price(std::string_view id, const LedgerFilter& owned, const ChangeOfRank& change, Reach reach,
                    Claim claim) {
    RunChange of_run;
    of_run.of_rank = workedOut(change, facts_.ranks.size());
    return price(id, owned, of_run, reach, claim);
}

Price Claims::price(std::string_view id, const LedgerFilter& owned, const RunChange& change, Reach reach, Claim claim) {
    Price price = pricer_.price(owned, change, reach, owned_);
    if (price.share < Pricer::kLeastShare) {
        return price;
    }
    const Explained one{std::string(id), {facts_.ledger, owned}, change, price.saving_ns};
    // The first claim saves beyond what is explained what it saved just now.
    const DurationNs beyond_ns = explained_.empty() ? claimFirst(one, price.replayed_ns) : beyond(one);
    if (!isMuch(beyond_ns)) {
        price.saving_ns = 0;
        price.share = 0;
        return price;
    }
    if (!explained_.empty() && isMuch(std::abs(price.saving_ns - beyond_ns))) {
        price.overlap = Overlap{mostInvolved(one), price.saving_ns, beyond_ns};
    }
    if (claim == Claim::LeftOver && 2 * beyond_ns < price.saving_ns) {
        price.saving_ns = beyond_ns;
    }
    price.share = static_cast<double>(price.saving_ns) / static_cast<double>(facts_.median_step_ns);
    explained_.push_back(one);
    return price;
}

/// As beyond() where nothing is explained yet.
DurationNs Claims::claimFirst(const Explained& one, DurationNs replayed_ns) {
    const DurationNs saved_ns = std::max<DurationNs>(0, replayed_ns);
    if (isMuch(saved_ns)) {
        owned_ = one.owned;
        change_ = one.change;
        saved_ns_ = replayed_ns;
    }
    return saved_ns;
}

bool Claims::isMuch(DurationNs ns) const {
    return static_cast<double>(ns) >= Pricer::kLeastShare * static_cast<double>(facts_.median_step_ns);
}

/// What it saves beyond what is explained. If that is enough for a finding, it is explained too.
DurationNs Claims::beyond(const Explained& one) {
    LedgerSet all_owned = owned_;
    all_owned.unite(one.owned);
    const RunChange all = joined(change_, one.change);
    const DurationNs all_ns = pricer_.saving(all_owned, all);
    const DurationNs beyond_ns = std::max<DurationNs>(0, all_ns - saved_ns_);
    if (isMuch(beyond_ns)) {
        owned_ = std::move(all_owned);
        change_ = all;
        saved_ns_ = all_ns;
    }
    return beyond_ns;
}

/// Which of those that are explained changes its saving most, each fixed for itself.
const std::string& Claims::mostInvolved(const Explained& one) const {
    const auto change_with = [&](const Explained& other) {
        LedgerSet both = other.owned;
        both.unite(one.owned);
        const DurationNs both_ns = pricer_.saving(both, joined(other.change, one.change));
        return std::abs(both_ns - other.alone_ns - one.alone_ns);
    };
    std::size_t most = 0;
    DurationNs most_ns = -1;
    for (std::size_t i = 0; i < explained_.size() && explained_.size() > 1; ++i) {
        const DurationNs ns = change_with(explained_[i]);
        most = ns > most_ns ? i : most;
        most_ns = std::max(most_ns, ns);
    }
    return explained_[most].id;
}

void settleClaims(Diagnosis& diagnosis, DurationNs median_step_ns) {
    std::vector<Finding>& findings = diagnosis.findings;
    const std::vector<Finding> all = findings;
    std::erase_if(findings, [&](const Finding& straggler) {
        return isStraggler(straggler) &&
               std::ranges::any_of(all, [&](const Finding& f) { return explains(f, straggler); });
    });
    for (const Finding& straggler : findings) {
        if (!isStraggler(straggler) || straggler.cause != "dataloader") {
            continue;
        }
        for (Finding& finding : findings) {
            if (finding.id == "dataloader-stall") {
                claimFrom(finding, straggler, median_step_ns);
            }
        }
    }
    std::erase_if(findings,
                  [](const Finding& f) { return f.id == "dataloader-stall" && f.share < Pricer::kLeastShare; });
}

}  // namespace rankscope
