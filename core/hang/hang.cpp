// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hang/hang.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "core/hang/parts.h"
#include "core/hang/progress.h"

namespace rankscope::hang {
namespace {

std::int64_t timeOf(const Place& place) {
    return place.created_ns.value_or(std::numeric_limits<std::int64_t>::max());
}

/// Makes what is said of the culprits, one rank at a time.
class Judge {
  public:
    Judge(const Progress& progress, const Waits& waits, const Roots& roots)
        : progress_(progress), waits_(waits), roots_(roots) {}

    std::vector<Culprit> culprits(const std::vector<Mismatch>& mismatches) {
        for (const Mismatch& mismatch : mismatches) {
            addMismatch(mismatch);
        }
        for (const std::size_t dump : roots_.failed) {
            add(dump, Why::NotCompleted, firstOf(dump, &PendingCall::not_completed));
        }
        for (const std::size_t dump : roots_.stopped) {
            add(dump, Why::NotEntered, firstOf(dump, &PendingCall::not_entered));
        }
        for (const std::vector<std::size_t>& cycle : roots_.cycles) {
            for (const std::size_t dump : cycle) {
                add(dump, Why::Deadlock, {waits_.calls[waits_.of_dump[dump].front()].at});
            }
        }
        std::vector<Culprit> out;
        for (auto& [rank, culprit] : found_) {
            out.push_back(std::move(culprit));
        }
        return out;
    }

  private:
    /// The first call of each group that has this dump in `list`: collectives before sends and receives, which are of
    /// other ranks, each in the order of time.
    [[nodiscard]] std::vector<Place> firstOf(std::size_t dump, std::vector<std::size_t> PendingCall::*list) const {
        std::map<std::pair<bool, std::size_t>, Place> by_group;
        for (const PendingCall& call : waits_.calls) {
            if (std::ranges::find(call.*list, dump) != (call.*list).end()) {
                const auto [at, is_new] = by_group.try_emplace({call.at.is_exchange, call.at.group}, call.at);
                if (!is_new && call.at.number < at->second.number) {
                    at->second = call.at;
                }
            }
        }
        std::vector<Place> out;
        for (auto& [group, place] : by_group) {
            out.push_back(std::move(place));
        }
        std::ranges::stable_sort(out, {},
                                 [](const Place& place) { return std::pair(place.is_exchange, timeOf(place)); });
        return out;
    }

    /// The first reason for a rank stands; the calls of others are added.
    void add(std::size_t dump, Why why, std::vector<Place> places, std::string detail = {}) {
        const FlightDump& of = progress_.dumps()[dump];
        const auto [at, is_new] = found_.try_emplace(of.rank);
        Culprit& culprit = at->second;
        if (is_new) {
            culprit.rank = of.rank;
            culprit.why = why;
            culprit.detail = std::move(detail);
            culprit.at = places.front();
            places.erase(places.begin());
            if (!of.calls.empty()) {
                culprit.last = of.calls.back();
            }
        }
        for (Place& place : places) {
            culprit.also.push_back(std::move(place));
        }
    }

    /// Those that disagree with most ranks, or all where there is no majority.
    void addMismatch(const Mismatch& mismatch) {
        if (mismatch.is_complete) {
            return;
        }
        const std::vector<Mismatch::Variant>& variants = mismatch.variants;
        const bool has_majority = variants[0].ranks.size() > variants[1].ranks.size();
        for (std::size_t i = has_majority ? 1 : 0; i < variants.size(); ++i) {
            const std::string& others = variants[i == 0 ? 1 : 0].call;
            for (const std::int64_t rank : variants[i].ranks) {
                add(*progress_.dumpOf(rank), Why::Differs, {mismatch.at},
                    variants[i].call + "; its peers call " + others);
            }
        }
    }

    const Progress& progress_;
    const Waits& waits_;
    const Roots& roots_;
    std::map<std::int64_t, Culprit> found_;
};

/// Adds the ranks whose call in a mismatch is not that of most of their peers.
void addDifferent(const Mismatch& mismatch, const std::vector<Culprit>& culprits, std::set<std::int64_t>& to) {
    for (const Culprit& culprit : culprits) {
        const bool is_here = std::ranges::any_of(mismatch.variants, [&culprit](const Mismatch::Variant& variant) {
            return std::ranges::binary_search(variant.ranks, culprit.rank);
        });
        if (culprit.why == Why::Differs && is_here) {
            to.insert(culprit.rank);
        }
    }
}

std::vector<Waiting> waitingOf(const Progress& progress, const Waits& waits, const Hang& hang) {
    std::set<std::int64_t> culprits;
    for (const Culprit& culprit : hang.culprits) {
        culprits.insert(culprit.rank);
    }
    std::vector<Waiting> out;
    for (std::size_t dump = 0; dump < waits.of_dump.size(); ++dump) {
        const std::int64_t rank = progress.dumps()[dump].rank;
        for (const std::size_t index : waits.of_dump[dump]) {
            const PendingCall& call = waits.calls[index];
            std::set<std::int64_t> whom(call.missing.begin(), call.missing.end());
            for (const auto* list : {&call.not_entered, &call.behind, &call.not_completed}) {
                for (const std::size_t other : *list) {
                    whom.insert(progress.dumps()[other].rank);
                }
            }
            whom.erase(rank);
            for (const Mismatch& mismatch : hang.mismatches) {
                if (mismatch.at.group == call.at.group && mismatch.at.number == call.at.number &&
                    !call.at.is_exchange) {
                    addDifferent(mismatch, hang.culprits, whom);
                }
            }
            if (!whom.empty() && !culprits.contains(rank)) {
                out.push_back({rank, call.at, {whom.begin(), whom.end()}});
                break;
            }
        }
    }
    std::ranges::sort(out, {}, &Waiting::rank);
    return out;
}

std::vector<Unfinished> unfinishedOf(const Progress& progress, const Waits& waits, const Hang& hang) {
    std::vector<Unfinished> out;
    for (const PendingCall& call : waits.calls) {
        const bool is_mismatch = std::ranges::any_of(hang.mismatches, [&call](const Mismatch& mismatch) {
            return mismatch.at.group == call.at.group && mismatch.at.number == call.at.number;
        });
        if (call.at.is_exchange || is_mismatch || !call.isStuck()) {
            continue;
        }
        Unfinished& added = out.emplace_back(Unfinished{call.at, {}});
        for (const std::size_t dump : call.waiting) {
            added.ranks.push_back(progress.dumps()[dump].rank);
        }
        std::ranges::sort(added.ranks);
    }
    std::ranges::stable_sort(out, {}, [](const Unfinished& call) { return timeOf(call.at); });
    return out;
}

void addRanks(Hang& hang, const Progress& progress, const Waits& waits) {
    std::set<std::int64_t> ranks;
    std::set<std::int64_t> missing;
    std::set<std::string> versions;
    std::set<std::string> nccl;
    for (const FlightDump& dump : progress.dumps()) {
        ranks.insert(dump.rank);
        versions.insert(dump.version);
        nccl.insert(dump.nccl_version);
    }
    for (const Group& group : progress.groups()) {
        std::ranges::set_difference(group.ranks, ranks, std::inserter(missing, missing.end()));
    }
    std::set<std::int64_t> older;
    for (const PendingCall& call : waits.calls) {
        for (const std::size_t dump : call.older) {
            older.insert(progress.dumps()[dump].rank);
        }
    }
    versions.erase("");
    nccl.erase("");
    hang.ranks.assign(ranks.begin(), ranks.end());
    hang.missing.assign(missing.begin(), missing.end());
    hang.older.assign(older.begin(), older.end());
    hang.versions.assign(versions.begin(), versions.end());
    hang.nccl_versions.assign(nccl.begin(), nccl.end());
}

}  // namespace

Hang findHang(const std::vector<FlightDump>& dumps) {
    const Progress progress(dumps);
    const Waits waits = waitsOf(progress);
    const Roots roots = rootsOf(waits);
    Hang hang;
    hang.groups = progress.groups();
    addRanks(hang, progress, waits);
    hang.mismatches = mismatchesOf(progress);
    hang.culprits = Judge(progress, waits, roots).culprits(hang.mismatches);
    for (const std::vector<std::size_t>& cycle : roots.cycles) {
        std::vector<std::int64_t>& ranks = hang.cycles.emplace_back();
        for (const std::size_t dump : cycle) {
            ranks.push_back(dumps[dump].rank);
        }
    }
    hang.waiting = waitingOf(progress, waits, hang);
    hang.unfinished = unfinishedOf(progress, waits, hang);
    return hang;
}

}  // namespace rankscope::hang
