// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hang/link_traces.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/hang/same_call.h"

namespace rankscope::hang {
namespace {

/// More comparisons take seconds.
constexpr std::uint64_t kMostCompared = std::uint64_t{1} << 26;

/// The calls of a group in a dump, by number; coalesced ones share theirs.
using CallsByNumber = std::map<std::int64_t, std::vector<std::size_t>>;

/// A rank that has both a trace and a dump, and its calls of one group.
struct RankOfGroup {
    RankPosition rank;
    std::size_t dump = 0;
    CallsByNumber calls;
};

bool mayBeSameText(const std::string& a, const std::string& b) {
    return a.empty() || b.empty() || a == "undefined" || b == "undefined" || a == b;
}

class Linker {
  public:
    Linker(const std::vector<FlightDump>& dumps, const Run& run, const CollectiveFacts& facts)
        : dumps_(dumps), run_(run), facts_(facts) {
        for (RankPosition rank{0}; rank < run.ranks.size(); ++rank) {
            const std::optional<RankNumber>& number = run.ranks[rank]->rank;
            const auto at =
                number ? std::ranges::find(dumps, std::int64_t{number->value}, &FlightDump::rank) : dumps.end();
            if (at != dumps.end()) {
                dump_of_.emplace(rank, static_cast<std::size_t>(at - dumps.begin()));
            }
        }
    }

    TraceLinks link() {
        std::map<std::uint32_t, std::vector<CollectivePosition>> groups;
        for (CollectivePosition at{0}; at < facts_.collectives.size(); ++at) {
            const Collective& collective = facts_.collectives[at];
            if (collective.kind != CollectiveKind::SendReceive && !collective.name.starts_with("gloo:")) {
                groups[collective.group].push_back(at);
            }
        }
        for (const auto& [group, collectives] : groups) {
            linkGroup(group, collectives);
        }
        std::ranges::sort(out_.calls, {}, [](const CallLink& link) { return std::pair(link.dump, link.call); });
        return std::move(out_);
    }

  private:
    void linkGroup(std::uint32_t group, const std::vector<CollectivePosition>& collectives);
    /// The index of the only group of a dump that may be this one; or why there is none.
    [[nodiscard]] static std::optional<std::size_t> groupIn(const FlightDump& dump, const CollectiveGroup& traced,
                                                            LinkState& state);
    void linkBySequence(GroupLink& link, const std::vector<CollectivePosition>& collectives,
                        const std::vector<RankOfGroup>& ranks, std::vector<CallLink>& links) const;
    void linkByOrder(GroupLink& link, const std::vector<CollectivePosition>& collectives,
                     const std::vector<RankOfGroup>& ranks, std::vector<CallLink>& links) const;
    /// Whether all collectives agree with the dumps if the first one has this number there.
    [[nodiscard]] bool fits(std::int64_t first, const std::vector<CollectivePosition>& collectives,
                            const std::vector<RankOfGroup>& ranks, std::uint64_t& compared) const;
    /// Adds a link, or the reason against it.
    void add(const CallLink& one, GroupLink& link, std::vector<CallLink>& links) const;

    const std::vector<FlightDump>& dumps_;
    const Run& run_;
    const CollectiveFacts& facts_;
    std::map<RankPosition, std::size_t> dump_of_;
    TraceLinks out_;
};

std::optional<std::size_t> Linker::groupIn(const FlightDump& dump, const CollectiveGroup& traced, LinkState& state) {
    std::vector<std::int64_t> wanted;
    std::ranges::transform(traced.ranks, std::back_inserter(wanted), &RankNumber::value);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < dump.groups.size(); ++i) {
        std::vector<std::int64_t> ranks = dump.groups[i].ranks;
        std::ranges::sort(ranks);
        if (!wanted.empty() && ranks == wanted && mayBeSameText(dump.groups[i].description, traced.description)) {
            found.push_back(i);
        }
    }
    if (found.size() > 1) {
        std::erase_if(found, [&](std::size_t i) { return dump.groups[i].name != traced.name; });
        state = found.size() == 1 ? state : LinkState::Ambiguous;
    }
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

void Linker::linkGroup(std::uint32_t group, const std::vector<CollectivePosition>& collectives) {
    GroupLink link;
    link.group = group;
    std::set<RankPosition> members;
    std::set<CollectivePosition> compared;
    for (const CollectivePosition at : collectives) {
        for (const CollectiveMember& member : facts_.collectives[at].members) {
            if (dump_of_.contains(member.rank)) {
                members.insert(member.rank);
                compared.insert(at);
            }
        }
    }
    link.ranks = members.size();
    link.collectives = compared.size();
    std::vector<RankOfGroup> ranks;
    for (const RankPosition rank : members) {
        RankOfGroup& one = ranks.emplace_back();
        one.rank = rank;
        one.dump = dump_of_.at(rank);
        const FlightDump& dump = dumps_[one.dump];
        const std::optional<std::size_t> in_dump = groupIn(dump, facts_.groups[group], link.state);
        if (!in_dump) {
            out_.groups.push_back(link);
            return;
        }
        for (std::size_t i = 0; i < dump.calls.size(); ++i) {
            if (dump.calls[i].group == *in_dump && !dump.calls[i].is_exchange) {
                one.calls[dump.calls[i].number].push_back(i);
            }
        }
    }
    if (ranks.empty()) {
        return;
    }
    const std::vector<CollectivePosition> of_both(compared.begin(), compared.end());
    link.by_sequence =
        std::ranges::all_of(of_both, [this](CollectivePosition at) { return facts_.collectives[at].sequence >= 0; });
    link.state = LinkState::Linked;
    std::vector<CallLink> links;
    if (link.by_sequence) {
        linkBySequence(link, of_both, ranks, links);
    } else {
        linkByOrder(link, of_both, ranks, links);
    }
    if (link.state == LinkState::Linked && links.empty()) {
        link.state = LinkState::NotInDumps;
    }
    if (link.state == LinkState::Linked) {
        std::set<CollectivePosition> linked;
        std::ranges::transform(links, std::inserter(linked, linked.end()), &CallLink::collective);
        link.linked = linked.size();
        std::ranges::move(links, std::back_inserter(out_.calls));
    }
    out_.groups.push_back(link);
}

void Linker::add(const CallLink& one, GroupLink& link, std::vector<CallLink>& links) const {
    if (link.state != LinkState::Linked) {
        return;
    }
    const FlightCall& call = dumps_[one.dump].calls[one.call];
    const Collective& collective = facts_.collectives[one.collective];
    const bool agrees = maySameCall(call, collective);
    if (!agrees || isAtOtherTime(call, *collective.memberOf(one.rank), *run_.ranks[one.rank])) {
        link.state = agrees ? LinkState::OtherTime : LinkState::CallDiffers;
        link.conflict = LinkConflict{one.rank, one.collective, one.dump, one.call};
        return;
    }
    links.push_back(one);
}

void Linker::linkBySequence(GroupLink& link, const std::vector<CollectivePosition>& collectives,
                            const std::vector<RankOfGroup>& ranks, std::vector<CallLink>& links) const {
    for (const RankOfGroup& rank : ranks) {
        std::map<std::int64_t, std::vector<CollectivePosition>> traced;
        for (const CollectivePosition at : collectives) {
            if (facts_.collectives[at].memberOf(rank.rank) != nullptr) {
                traced[facts_.collectives[at].sequence].push_back(at);
            }
        }
        for (const auto& [number, of_trace] : traced) {
            const auto at = rank.calls.find(number);
            // Coalesced calls share a number. If one side has fewer of them, which are missing is unknown.
            if (at == rank.calls.end() || at->second.size() != of_trace.size()) {
                continue;
            }
            for (std::size_t i = 0; i < of_trace.size(); ++i) {
                add({rank.dump, at->second[i], rank.rank, of_trace[i]}, link, links);
            }
        }
    }
}

bool Linker::fits(std::int64_t first, const std::vector<CollectivePosition>& collectives,
                  const std::vector<RankOfGroup>& ranks, std::uint64_t& compared) const {
    return std::ranges::all_of(ranks, [&](const RankOfGroup& rank) {
        for (std::size_t i = 0; i < collectives.size(); ++i) {
            const Collective& collective = facts_.collectives[collectives[i]];
            if (collective.memberOf(rank.rank) == nullptr) {
                continue;
            }
            const auto at = rank.calls.find(first + static_cast<std::int64_t>(i));
            ++compared;
            if (at == rank.calls.end() || !maySameCall(dumps_[rank.dump].calls[at->second.front()], collective)) {
                return false;
            }
        }
        return true;
    });
}

void Linker::linkByOrder(GroupLink& link, const std::vector<CollectivePosition>& collectives,
                         const std::vector<RankOfGroup>& ranks, std::vector<CallLink>& links) const {
    const auto shares_number = [](const RankOfGroup& rank) {
        return std::ranges::any_of(rank.calls, [](const auto& calls) { return calls.second.size() > 1; });
    };
    const auto has_none = [](const RankOfGroup& rank) { return rank.calls.empty(); };
    if (std::ranges::any_of(ranks, shares_number) || std::ranges::any_of(ranks, has_none)) {
        link.state = std::ranges::any_of(ranks, has_none) ? LinkState::NotInDumps : LinkState::Unnumbered;
        return;
    }
    const auto count = static_cast<std::int64_t>(collectives.size());
    const CallsByNumber& calls = ranks.front().calls;
    const std::int64_t last = calls.rbegin()->first;
    std::vector<std::int64_t> fitting;
    std::uint64_t compared = 0;
    for (std::int64_t first = calls.begin()->first - count + 1; first <= last && fitting.size() < 2; ++first) {
        if (compared > kMostCompared) {
            link.state = LinkState::SeveralPlaces;
            return;
        }
        if (fits(first, collectives, ranks, compared)) {
            fitting.push_back(first);
        }
    }
    if (fitting.size() != 1) {
        const bool is_long = static_cast<std::int64_t>(calls.size()) >= count;
        link.state = fitting.size() > 1 ? LinkState::SeveralPlaces
                     : is_long          ? LinkState::CallDiffers
                                        : LinkState::NotInDumps;
        return;
    }
    for (const RankOfGroup& rank : ranks) {
        for (std::size_t i = 0; i < collectives.size(); ++i) {
            if (facts_.collectives[collectives[i]].memberOf(rank.rank) != nullptr) {
                const std::int64_t number = fitting.front() + static_cast<std::int64_t>(i);
                add({rank.dump, rank.calls.at(number).front(), rank.rank, collectives[i]}, link, links);
            }
        }
    }
}

}  // namespace

const CallLink* TraceLinks::of(std::size_t dump, std::size_t call) const {
    const auto at = std::ranges::lower_bound(calls, std::pair(dump, call), {},
                                             [](const CallLink& link) { return std::pair(link.dump, link.call); });
    return at != calls.end() && at->dump == dump && at->call == call ? &*at : nullptr;
}

TraceLinks linkTraces(const std::vector<FlightDump>& dumps, const Run& run, const CollectiveFacts& facts) {
    return Linker(dumps, run, facts).link();
}

}  // namespace rankscope::hang
