// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/ledger.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace rankscope {
namespace {

constexpr std::size_t kEvidenceKept = 16;

/// One owner's time in a step, and its longest pieces.
struct Account {
    DurationNs ns = 0;
    std::vector<std::pair<DurationNs, SliceRef>> pieces;

    void add(DurationNs length, std::span<const SliceRef> evidence) {
        ns += length;
        if (evidence.empty() || (pieces.size() >= 2 * kEvidenceKept && length <= pieces.back().first)) {
            return;
        }
        for (const SliceRef& ref : evidence) {
            pieces.emplace_back(length, ref);
        }
        if (pieces.size() >= 4 * kEvidenceKept) {
            keepLongest(2 * kEvidenceKept);
        }
    }
    void keepLongest(std::size_t count) {
        std::ranges::stable_sort(pieces, std::greater<>(), &std::pair<DurationNs, SliceRef>::first);
        pieces.resize(std::min(pieces.size(), count));
    }
    [[nodiscard]] std::vector<SliceRef> longest() {
        keepLongest(kEvidenceKept);
        std::vector<SliceRef> refs;
        for (const auto& [length, ref] : pieces) {
            if (std::ranges::find(refs, ref) == refs.end()) {
                refs.push_back(ref);
            }
        }
        return refs;
    }
};

struct Key {
    Owner owner = Owner::Blocked;
    Cause cause = Cause::Unrecorded;
    std::string_view label = {};
    bool long_stretch = false;
    std::string_view code = {};
    RankPosition waited_rank = {};
    WaitedFor waited_for = WaitedFor::Unknown;
    Cause waited_cause = Cause::Unrecorded;
    bool slow_excess = false;
    std::uint32_t group = LedgerEntry::kNoGroup;
    friend auto operator<=>(const Key&, const Key&) = default;
};
struct KeyHash {
    std::size_t operator()(const Key& key) const {
        return std::hash<std::string_view>()(key.label) ^ (3 * std::hash<std::string_view>()(key.code)) ^
               (key.long_stretch ? 1U : 0U) ^ (key.slow_excess ? 2U : 0U) ^
               ((static_cast<std::size_t>(key.owner) | static_cast<std::size_t>(key.cause) << 4U |
                 static_cast<std::size_t>(key.waited_for) << 9U | static_cast<std::size_t>(key.waited_cause) << 12U |
                 static_cast<std::size_t>(key.waited_rank) << 17U | static_cast<std::size_t>(key.group) << 40U) *
                0x9E3779B97F4A7C15U);
    }
};

/// The accounts of one step.
class Accounts {
  public:
    Account& operator[](const Key& key) { return accounts_[placeOf(key)].second; }

    void addPart(const GapPart& part) {
        const PartKey key{part.cause, part.long_stretch, part.label.data(), part.code_name.data()};
        const auto [at, is_new] = places_of_parts_.try_emplace(key, 0);
        if (is_new) {
            at->second = placeOf({Owner::Blocked, part.cause, part.label, part.long_stretch, part.code_name});
        }
        account_of_part_.push_back(at->second);
        accounts_[at->second].second.add(part.span.length(), part.evidence);
    }

    /// The accounts in the order of their keys, and the index of each part's account.
    struct Closed {
        std::vector<std::pair<Key, Account>> accounts;
        std::vector<std::uint32_t> entry_of_part;
    };
    Closed close() && {
        std::vector<std::uint32_t> order(accounts_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::sort(order, {}, [&](std::uint32_t i) { return accounts_[i].first; });
        std::vector<std::pair<Key, Account>> ordered;
        std::vector<std::uint32_t> place(order.size());
        for (const std::uint32_t i : order) {
            place[i] = static_cast<std::uint32_t>(ordered.size());
            ordered.push_back(std::move(accounts_[i]));
        }
        for (std::uint32_t& account : account_of_part_) {
            account = place[account];
        }
        return {std::move(ordered), std::move(account_of_part_)};
    }

  private:
    /// The texts of parts are in one pool: texts with the same address are equal.
    struct PartKey {
        Cause cause = Cause::Unrecorded;
        bool long_stretch = false;
        const char* label = nullptr;
        const char* code = nullptr;
        friend bool operator==(const PartKey&, const PartKey&) = default;
    };
    struct PartKeyHash {
        std::size_t operator()(const PartKey& key) const {
            const auto bits = reinterpret_cast<std::uintptr_t>(key.label) ^
                              (3 * reinterpret_cast<std::uintptr_t>(key.code)) ^
                              (static_cast<std::uintptr_t>(key.cause) << 1U) ^ (key.long_stretch ? 1U : 0U);
            return bits * 0x9E3779B97F4A7C15U >> 20U;
        }
    };

    std::uint32_t placeOf(const Key& key) {
        const auto [at, is_new] = places_.try_emplace(key, static_cast<std::uint32_t>(accounts_.size()));
        if (is_new) {
            accounts_.emplace_back(key, Account());
        }
        return at->second;
    }

    std::vector<std::pair<Key, Account>> accounts_;
    std::unordered_map<Key, std::uint32_t, KeyHash> places_;  // in accounts_
    std::unordered_map<PartKey, std::uint32_t, PartKeyHash> places_of_parts_;
    std::vector<std::uint32_t> account_of_part_;
};

/// Assigns every nanosecond of exposed copies to the copy that runs then; of several to the first to start.
void addCopies(const LedgerSource& source, const TimeSpan& step, Accounts& accounts) {
    const RankContext& rank = source.work;
    const DeviceWork& work = rank.device;
    const auto after =
        std::ranges::lower_bound(work.events, step.end_ns, {}, [](const DeviceEvent& e) { return e.span.start_ns; });
    // A copy may have begun before the step: steps back from the bound to the first that can extend into it.
    const std::span<const TimeSpan> copies = work.copy.spans();
    const auto reaching = std::ranges::upper_bound(copies, step.start_ns, {}, &TimeSpan::end_ns);
    if (reaching == copies.end() || reaching->start_ns >= step.end_ns) {
        return;
    }
    auto event = std::ranges::lower_bound(work.events, reaching->start_ns, {},
                                          [](const DeviceEvent& e) { return e.span.start_ns; });
    TimeNs given_ns = step.start_ns;
    for (; event != after; ++event) {
        if (event->work != WorkClass::Copy || event->span.end_ns <= given_ns) {
            continue;
        }
        const TimeSpan mine{std::max(given_ns, event->span.start_ns), std::min(event->span.end_ns, step.end_ns)};
        const DurationNs ns = source.partitioner.exposedCopy().clip(mine).length();
        if (ns > 0) {
            const SliceRef reducer =
                event->launch.valid() ? rank.threads.reducerAround(*rank.trace, rank.names, event->launch) : SliceRef();
            const std::string_view label = rank.trace->name(reducer.valid() ? reducer : event->ref);
            accounts[{Owner::ExposedCopy, Cause::Unrecorded, label, false, {}}].add(ns, {&event->ref, 1});
        }
        given_ns = std::max(given_ns, mine.end_ns);
    }
}

void addGaps(const std::vector<Gap>& gaps, Accounts& accounts) {
    for (const Gap& gap : gaps) {
        for (const GapPart& part : gap.parts) {
            accounts.addPart(part);
        }
    }
}

/// The evidence of a wait is on the waiting rank: its own member of the collective.
void addWaits(const LedgerSource& source, const RankStep& step, Accounts& accounts) {
    for (const ExposedWait& wait : step.waits) {
        const SliceRef own = source.collectives.collectives[wait.collective].memberOf(source.rank)->slices.front();
        for (const WaitPart& part : wait.parts) {
            const Key key{.owner = Owner::Blocked,
                          .cause = Cause::OtherRank,
                          .label = part.label,
                          .waited_rank = part.rank,
                          .waited_for = part.what,
                          .waited_cause = part.cause};
            accounts[key].add(part.span.length(), {&own, 1});
        }
    }
}

/// When a member's transfer would have ended at the baseline speed of the collective's peers.
TimeNs baselineEnd(const Collective& collective, const CollectiveMember& member) {
    const DurationNs excess_ns =
        collective.baseline_transfer_ns ? *collective.transfer_ns - *collective.baseline_transfer_ns : 0;
    return member.span.end_ns - excess_ns;
}

void addTransfers(const LedgerSource& source, const TimeSpan& step, Accounts& accounts) {
    const auto add = [&](Owner owner, const IntervalSet& set, const CollectiveClaims& claims) {
        const IntervalSet pieces = set.clip(step);
        for (const TimeSpan& piece : pieces.spans()) {
            claims.divide(piece, [&](const TimeSpan& part, CollectivePosition c) {
                const Collective& collective = source.collectives.collectives[c];
                const CollectiveMember& own = *collective.memberOf(source.rank);
                const TimeNs cut_ns = std::clamp(baselineEnd(collective, own), part.start_ns, part.end_ns);
                for (const bool excess : {false, true}) {
                    const DurationNs ns = excess ? part.end_ns - cut_ns : cut_ns - part.start_ns;
                    if (ns > 0) {
                        const Key key{
                            .owner = owner, .label = collective.name, .slow_excess = excess, .group = collective.group};
                        accounts[key].add(ns, {&own.slices.front(), 1});
                    }
                }
            });
        }
    };
    add(Owner::ExposedTransfer, source.exposed.transfer, source.exposed.transfers);
    add(Owner::ExposedCommunication, source.exposed.unsplit, source.exposed.unsplits);
}

}  // namespace

StepLedger makeLedger(const LedgerSource& source, const RankStep& step, RankStepPosition step_position) {
    Accounts accounts;
    addGaps(step.gaps, accounts);
    addWaits(source, step, accounts);
    addTransfers(source, step.span, accounts);
    addCopies(source, step.span, accounts);
    StepLedger ledger;
    Accounts::Closed closed = std::move(accounts).close();
    ledger.entry_of_part = std::move(closed.entry_of_part);
    for (auto& [key, account] : closed.accounts) {
        ledger.entries.push_back({.rank = source.rank,
                                  .step = step_position,
                                  .owner = key.owner,
                                  .cause = key.cause,
                                  .label = std::string(key.label),
                                  .waited_rank = key.waited_rank,
                                  .waited_for = key.waited_for,
                                  .waited_cause = key.waited_cause,
                                  .long_stretch = key.long_stretch,
                                  .slow_excess = key.slow_excess,
                                  .group = key.group,
                                  .code_name = std::string(key.code),
                                  .ns = account.ns,
                                  .evidence = account.longest()});
    }
    return ledger;
}

}  // namespace rankscope
