// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/attribution.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "core/base/parallel.h"
#include "core/diagnosis/prices/shortened_waits.h"

namespace rankscope {

Price Attribution::price(FindingId id, const LedgerFilter& owned, const RunChange& change, Reach reach, Claim claim) {
    const OwnedTime time = pricer_.ownedTime(owned, all_.owned);
    if (!time.worth_replay) {
        return time.price;
    }
    Attributed one{id, {}, {facts_.ledger, owned}, change, 0};
    // Its own saving and the joint saving are independent. One thread replays the joint one only if it is needed.
    const bool at_once = !attributed_.empty() && threadCount(threads_) > 1;
    ReplayedSaving replayed;
    Joint joint;
    forEachIndex(at_once ? 2 : 1, threadCount(threads_), [&](std::size_t i) {
        if (i == 0) {
            replayed = pricer_.replayedSaving(time.entries, change);
        } else {
            joint = with(all_, one);
        }
    });
    Price price = pricer_.priced(time, owned, replayed, reach);
    replayed_alone_[id] = price.replayed_ns;
    if (price.share >= Pricer::kLeastShare) {
        limitSaving(facts_, pricer_, replayed.work, price);
    }
    if (price.share < Pricer::kLeastShare) {
        return price;
    }
    one.ranks = price.ranks;
    one.alone_ns = price.saving_ns;
    if (attributed_.empty()) {
        joint = {one.owned, one.change, price.replayed_ns};  // the first finding was replayed just now
    } else if (!at_once) {
        joint = with(all_, one);
    }
    const DurationNs beyond_ns = std::max<DurationNs>(0, joint.saved_ns - all_.saved_ns);
    if (!isMuch(beyond_ns)) {
        price.saving_ns = 0;
        price.share = 0;
        return price;
    }
    price.overlap = overlapOf(one, beyond_ns);
    if (claim == Claim::LeftOver && 2 * beyond_ns < price.saving_ns) {
        price.saving_ns = beyond_ns;
    }
    if (claim == Claim::Rest && beyond_ns < price.saving_ns) {
        price.blocked_ns = std::max<DurationNs>(0, price.blocked_ns - (price.saving_ns - beyond_ns));
        price.saving_ns = beyond_ns;
    }
    price.share = static_cast<double>(price.saving_ns) / static_cast<double>(facts_.pricedStep());
    attributed_.push_back(one);
    all_ = std::move(joint);
    return price;
}

std::optional<DurationNs> Attribution::replayedAlone(FindingId id) const {
    const auto known = replayed_alone_.find(id);
    return known == replayed_alone_.end() || !pricer_.coupled() ? std::nullopt : std::optional(known->second);
}

std::optional<LatenessPrice> Attribution::priceLateness(FindingId id, const std::vector<RankPosition>& ranks,
                                                        const RunChange& change, DurationNs alone_ns,
                                                        DurationNs least_ns) {
    const Attributed one{id, ranks, {}, change, alone_ns};
    // Findings on exactly these ranks must not explain all of it.
    const bool said = std::ranges::any_of(attributed_, [&](const Attributed& other) { return other.ranks == ranks; });
    if (!isMuch(alone_ns)) {
        return std::nullopt;
    }
    const DurationNs added_ns = addedTo(ranks, one);
    if (said && added_ns < least_ns) {
        return std::nullopt;
    }
    LatenessPrice price{2 * added_ns < alone_ns ? added_ns : alone_ns, {}};
    Joint joint = with(all_, one);
    if (!attributed_.empty()) {
        price.overlap = overlapOf(one, std::max<DurationNs>(0, joint.saved_ns - all_.saved_ns));
    }
    attributed_.push_back(one);
    all_ = std::move(joint);
    return price;
}

std::optional<WholeStepsPrice> Attribution::priceWholeSteps(FindingId id, const std::vector<RankPosition>& ranks,
                                                            const RunChange& change) {
    const Attributed one{id, ranks, {}, change, pricer_.saving({}, change)};
    if (!isMuch(one.alone_ns)) {
        return std::nullopt;
    }
    Joint joint = attributed_.empty() ? Joint{{}, change, one.alone_ns} : with(all_, one);
    const DurationNs beyond_ns = std::max<DurationNs>(0, joint.saved_ns - all_.saved_ns);
    if (!isMuch(beyond_ns)) {
        return std::nullopt;
    }
    WholeStepsPrice price{std::min(one.alone_ns, beyond_ns), overlapOf(one, beyond_ns)};
    attributed_.push_back(one);
    all_ = std::move(joint);
    return price;
}

Attribution::Joint Attribution::with(const Joint& joint, const Attributed& one) const {
    Joint both{joint.owned, joined(joint.change, one.change), 0};
    both.owned.unite(one.owned);
    both.saved_ns = pricer_.saving(both.owned, both.change);
    return both;
}

/// What `one` saves in addition to the findings on exactly `ranks`.
DurationNs Attribution::addedTo(const std::vector<RankPosition>& ranks, const Attributed& one) const {
    Joint same;
    bool any = false;
    for (const Attributed& other : attributed_) {
        if (other.ranks == ranks) {
            same.owned.unite(other.owned);
            same.change = any ? joined(same.change, other.change) : other.change;
            any = true;
        }
    }
    if (!any) {
        return one.alone_ns;
    }
    return with(same, one).saved_ns - pricer_.saving(same.owned, same.change);
}

bool Attribution::isMuch(DurationNs ns) const {
    return static_cast<double>(ns) >= Pricer::kLeastShare * static_cast<double>(facts_.pricedStep());
}

std::optional<Overlap> Attribution::overlapOf(const Attributed& one, DurationNs beyond_ns) const {
    if (attributed_.empty() || !isMuch(std::abs(one.alone_ns - beyond_ns))) {
        return std::nullopt;
    }
    return Overlap{mostInvolved(one), one.alone_ns, beyond_ns};
}

/// The finding that changes the saving of `one` most, if fixed alone.
FindingId Attribution::mostInvolved(const Attributed& one) const {
    if (attributed_.size() == 1) {
        return attributed_.front().id;
    }
    std::vector<const Attributed*> others;
    for (const Attributed& other : attributed_) {
        others.push_back(&other);
    }
    // Only large savings can change much. Back in their own order: of equals the first is named.
    if (others.size() > kMostCompared) {
        std::ranges::stable_sort(others, std::greater<>(), &Attributed::alone_ns);
        others.resize(kMostCompared);
        std::ranges::sort(others);
    }
    std::vector<DurationNs> change_ns(others.size());
    forEachIndex(others.size(), threadCount(threads_), [&](std::size_t i) {
        const Joint other{others[i]->owned, others[i]->change, 0};
        change_ns[i] = std::abs(with(other, one).saved_ns - others[i]->alone_ns - one.alone_ns);
    });
    return others[static_cast<std::size_t>(std::ranges::max_element(change_ns) - change_ns.begin())]->id;
}

}  // namespace rankscope
