// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hang/progress.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

namespace rankscope::hang {
namespace {

/// Kinds that complete on one rank while another has not begun: the root sends or receives for itself.
bool mayCompleteAlone(std::string_view kind) {
    constexpr std::array<std::string_view, 4> kRooted = {"broadcast", "scatter", "reduce", "gather"};
    return std::ranges::any_of(kRooted, [kind](std::string_view rooted) {
        return kind == rooted ||
               (kind.starts_with('_') && kind.substr(1).starts_with(rooted) && !kind.starts_with("_reduce_scatter"));
    });
}

}  // namespace

const std::string& Group::label() const {
    return description.empty() || description == "undefined" ? name : description;
}

Progress::Progress(const std::vector<FlightDump>& dumps) : dumps_(dumps), reached_(dumps.size()) {
    for (std::size_t i = 0; i < dumps.size(); ++i) {
        dump_of_rank_.emplace(dumps[i].rank, i);
    }
    joinGroups();
    sortCalls();
    takeStatus();
    findPending();
}

/// A group has the same description and members on all its ranks. If groups share both, their order separates them,
/// which is the same on all ranks.
void Progress::joinGroups() {
    using Key = std::tuple<std::string, std::vector<std::int64_t>, std::size_t>;
    std::map<Key, std::size_t> known;
    for (const FlightDump& dump : dumps_) {
        std::map<std::pair<std::string, std::vector<std::int64_t>>, std::size_t> seen;
        std::vector<std::size_t>& of = group_of_.emplace_back();
        for (const FlightGroup& group : dump.groups) {
            std::vector<std::int64_t> ranks = group.ranks;
            std::ranges::sort(ranks);
            // A group without members is known by its name alone.
            const std::string identity = ranks.empty() ? group.description + " " + group.name : group.description;
            const std::size_t order = seen[{identity, ranks}]++;
            const auto [at, is_new] = known.try_emplace({identity, ranks, order}, groups_.size());
            if (is_new) {
                groups_.push_back({group.name, group.description, ranks});
            }
            of.push_back(at->second);
            std::vector<std::int64_t>& members = groups_[at->second].ranks;
            if (group.ranks.empty() && !std::ranges::binary_search(members, dump.rank)) {
                members.insert(std::ranges::upper_bound(members, dump.rank), dump.rank);
            }
        }
    }
}

void Progress::sortCalls() {
    collectives_.resize(groups_.size());
    exchanges_.resize(groups_.size());
    for (std::size_t dump = 0; dump < dumps_.size(); ++dump) {
        for (std::size_t i = 0; i < dumps_[dump].calls.size(); ++i) {
            const FlightCall& call = dumps_[dump].calls[i];
            const std::size_t group = groupOf(dump, call);
            Reached& reached = reached_[dump][group];
            reached.entered = std::max(reached.entered, call.number);
            if (call.is_exchange) {
                exchanges_[group] = true;
                continue;
            }
            collectives_[group][call.number].emplace_back(dump, i);
            if (call.state == FlightState::Completed) {
                reached.completed = std::max(reached.completed, call.number);
            }
        }
    }
}

/// In a group that also sends and receives the status counts those, and says nothing of its collectives.
void Progress::takeStatus() {
    for (std::size_t dump = 0; dump < dumps_.size(); ++dump) {
        for (std::size_t i = 0; i < dumps_[dump].groups.size(); ++i) {
            const FlightGroup& group = dumps_[dump].groups[i];
            if (!exchanges_[group_of_[dump][i]]) {
                Reached& reached = reached_[dump][group_of_[dump][i]];
                reached.entered = std::max(reached.entered, group.enqueued.value_or(-1));
                reached.completed = std::max(reached.completed, group.completed.value_or(-1));
            }
        }
    }
}

void Progress::findPending() {
    for (std::size_t dump = 0; dump < dumps_.size(); ++dump) {
        std::vector<std::size_t>& pending = pending_.emplace_back();
        for (std::size_t i = 0; i < dumps_[dump].calls.size(); ++i) {
            const FlightCall& call = dumps_[dump].calls[i];
            const bool is_done = call.state == FlightState::Completed ||
                                 (!call.is_exchange && completed(dump, groupOf(dump, call), call.number));
            if (!is_done) {
                pending.push_back(i);
            }
        }
    }
}

std::optional<std::size_t> Progress::dumpOf(std::int64_t rank) const {
    const auto found = dump_of_rank_.find(rank);
    return found == dump_of_rank_.end() ? std::nullopt : std::optional(found->second);
}

bool Progress::entered(std::size_t dump, std::size_t group, std::int64_t number) const {
    const auto found = reached_[dump].find(group);
    return found != reached_[dump].end() && found->second.entered >= number;
}

bool Progress::completed(std::size_t dump, std::size_t group, std::int64_t number) const {
    const auto found = reached_[dump].find(group);
    return found != reached_[dump].end() && found->second.completed >= number;
}

bool Progress::completedSomewhere(std::size_t group, std::int64_t number) const {
    if (mayCompleteAlone(placeOf(group, number).kind)) {
        return false;
    }
    return std::ranges::any_of(groups_[group].ranks, [&](std::int64_t rank) {
        const std::optional<std::size_t> dump = dumpOf(rank);
        return dump && completed(*dump, group, number);
    });
}

Place Progress::placeOf(std::size_t group, std::int64_t number) const {
    Place place{group, number, {}, false, {}};
    const auto calls = collectives_[group].find(number);
    if (calls != collectives_[group].end()) {
        for (const auto& [dump, index] : calls->second) {
            const FlightCall& call = dumps_[dump].calls[index];
            place.kind = place.kind.empty() ? call.kind : place.kind;
            if (call.created_ns && (!place.created_ns || *call.created_ns < *place.created_ns)) {
                place.created_ns = call.created_ns;
            }
        }
    }
    return place;
}

}  // namespace rankscope::hang
