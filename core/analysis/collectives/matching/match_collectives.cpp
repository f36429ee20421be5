// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/matching/match_collectives.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/collectives/collective_names.h"
#include "core/analysis/collectives/matching/align_calls.h"
#include "core/analysis/collectives/matching/match_messages.h"
#include "core/analysis/collectives/message_waits.h"
#include "core/analysis/collectives/slow_groups.h"
#include "core/analysis/collectives/transfer_statistics.h"

namespace rankscope {
namespace {

/// A call with its index.
struct Placed {
    RankPosition rank;
    std::uint32_t group = 0;
    CollectiveCall* call = nullptr;
};

using CallsOfRanks = std::map<RankPosition, std::vector<Placed>>;  // in order of start

class Matcher {
  public:
    Matcher(const Run& run, std::vector<std::vector<CollectiveCall>>& calls) : run_(run), calls_(calls), table_(run) {}

    MatchedCollectives match() {
        std::map<std::string, std::vector<Placed>> by_id;
        std::map<SequenceKey, std::vector<Placed>> by_sequence;
        // By group, window and step.
        std::map<std::tuple<std::uint32_t, std::uint32_t, std::optional<NumberedStepOrGap>>, CallsOfRanks> by_order;
        for (RankPosition r{0}; r < calls_.size(); ++r) {
            std::map<std::string, std::uint32_t> seen_id;
            std::map<SequenceKey, std::uint32_t> seen_sequence;
            const bool tells_peers =
                std::ranges::any_of(calls_[r], [](const CollectiveCall& call) { return !call.messages.empty(); });
            for (CollectiveCall& call : calls_[r]) {
                const Placed placed{r, table_.groupOf(r, call), &call};
                if (!call.messages.empty() && run_.ranks[r]->rank) {
                    messages_.push_back(placed);
                } else if (call.args.comms_id.valid()) {
                    // Coalesced calls share an id: this is the k-th with it on each rank.
                    std::string id(run_.ranks[r]->strings.view(call.args.comms_id));
                    id += '#' + std::to_string(seen_id[id]++);
                    by_id[id].push_back(placed);
                } else if (call.args.sequence >= 0) {
                    SequenceKey key = sequenceKey(placed);
                    std::get<4>(key) = seen_sequence[key]++;
                    by_sequence[key].push_back(placed);
                } else if (tells_peers && call.kind == CollectiveKind::SendReceive) {
                    // If others have known peers, this belongs to one of them: for example to a batch that was launched
                    // before the window.
                    leaveAlone(placed, "the ranks it sends to or receives from are not recorded");
                } else {
                    by_order[{placed.group, call.window, call.step_or_gap}][r].push_back(placed);
                }
            }
        }
        for (const auto& [id, members] : by_id) {
            addSame(members, MatchMethod::CommsId);
        }
        for (const auto& [key, members] : by_sequence) {
            addSame(members, MatchMethod::Sequence);
        }
        for (auto& [key, ranks] : by_order) {
            matchByOrder(ranks);
        }
        matchByMessages();
        facts_.groups = table_.groups();
        for (const auto& [key, count] : unmatched_) {
            facts_.unmatched.push_back(
                {.rank = std::get<0>(key), .group = std::get<1>(key), .count = count, .reason = std::get<2>(key)});
        }
        return std::move(facts_);
    }

  private:
    /// Group, sender, receiver, `Seq`, and the position among the calls with the same four. Sends and receives are
    /// counted separately.
    using SequenceKey = std::tuple<std::uint32_t, std::int32_t, std::int32_t, std::int64_t, std::uint32_t>;

    [[nodiscard]] static SequenceKey sequenceKey(const Placed& placed) {
        const CollectiveCall& call = *placed.call;
        const bool pair = call.kind == CollectiveKind::SendReceive;
        return {placed.group, pair ? call.args.peer_src : -2, pair ? call.args.peer_dst : -2, call.args.sequence, 0};
    }

    void addSame(const std::vector<Placed>& members, MatchMethod method);
    void matchByOrder(CallsOfRanks& ranks);
    bool pairWith(RankPosition reference, CallsOfRanks& ranks);
    void matchByMessages();
    void addExchange(const Exchange& exchange);
    Collective& add(const std::vector<Placed>& members, MatchMethod method);
    void leaveAlone(const Placed& placed, const std::string& reason);
    [[nodiscard]] static CallProof proofOf(const Placed& placed);
    /// Why a call has no partner: the same for all calls of a group.
    [[nodiscard]] const std::string& whyAlone(const Placed& placed);

    const Run& run_;
    std::vector<std::vector<CollectiveCall>>& calls_;
    GroupTable table_;
    std::vector<Placed> messages_;  // sends and receives with known peers
    MatchedCollectives facts_;
    std::map<std::tuple<RankPosition, std::uint32_t, std::string>, std::size_t> unmatched_;
    std::map<std::uint32_t, std::string> why_alone_;  // by group
};

/// Calls with the same identity: one collective, unless what they do contradicts it.
void Matcher::addSame(const std::vector<Placed>& members, MatchMethod method) {
    const CollectiveKind kind = members.front().call->kind;
    const bool agree = std::ranges::all_of(members, [&](const Placed& p) { return p.call->kind == kind; });
    if (members.size() > 1 && agree) {
        add(members, method);
        return;
    }
    for (const Placed& placed : members) {
        leaveAlone(placed, agree ? whyAlone(placed) : "the ranks recorded different operations with the same number");
    }
}

CallProof Matcher::proofOf(const Placed& placed) {
    const CollectiveCall& call = *placed.call;
    return {.kind = call.kind,
            .dtype = call.dtype,
            .in_elements = call.args.in_elements,
            .out_elements = call.args.out_elements,
            .name = call.name,
            .span = call.part.span};
}

/// Pairs the remaining calls of all ranks with those of the rank that has most left, until nothing more pairs.
void Matcher::matchByOrder(CallsOfRanks& ranks) {
    while (!ranks.empty()) {
        const auto most = std::ranges::max_element(
            ranks, [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
        const RankPosition reference = most->first;
        if (!pairWith(reference, ranks)) {
            for (const Placed& placed : ranks[reference]) {
                leaveAlone(placed, whyAlone(placed));
            }
            ranks.erase(reference);
        }
        std::erase_if(ranks, [](const auto& rank) { return rank.second.empty(); });
    }
}

bool Matcher::pairWith(RankPosition reference, CallsOfRanks& ranks) {
    const auto proofs = [&](const std::vector<Placed>& calls) {
        std::vector<CallProof> result;
        for (const Placed& placed : calls) {
            result.push_back(proofOf(placed));
        }
        return result;
    };
    std::vector<Placed>& own = ranks[reference];
    const std::vector<CallProof> own_proofs = proofs(own);
    std::vector<std::vector<Placed>> matches(own.size());
    for (auto& [rank, others] : ranks) {
        if (rank == reference) {
            continue;
        }
        std::vector<bool> used(others.size(), false);
        for (const auto& [mine, theirs] : alignCalls(own_proofs, proofs(others))) {
            matches[mine].push_back(others[theirs]);
            used[theirs] = true;
        }
        std::vector<Placed> left;
        for (std::size_t i = 0; i < others.size(); ++i) {
            if (!used[i]) {
                left.push_back(others[i]);
            }
        }
        others = std::move(left);
    }
    std::vector<Placed> left;
    bool any = false;
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (matches[i].empty()) {
            left.push_back(own[i]);
        } else {
            any = true;
            matches[i].push_back(own[i]);
            std::ranges::sort(matches[i], {}, &Placed::rank);
            add(matches[i], MatchMethod::Order);
        }
    }
    own = std::move(left);
    return any;
}

const std::string& Matcher::whyAlone(const Placed& placed) {
    const auto [at, is_new] = why_alone_.try_emplace(placed.group);
    if (is_new) {
        const CollectiveGroup& group = table_.groups()[placed.group];
        const auto here = std::ranges::count_if(run_.ranks, [&](const auto& trace) {
            return trace->rank && std::ranges::binary_search(group.ranks, *trace->rank);
        });
        at->second = group.ranks.empty()
                         ? "the members of its group are not recorded, and no other rank has such a call"
                     : here <= 1 ? "the traces of the other members are missing"
                                 : "no call of another member matches: the windows differ, or records are missing";
    }
    return at->second;
}

void Matcher::leaveAlone(const Placed& placed, const std::string& reason) {
    const std::string why = table_.groups()[placed.group].size == 1 ? std::string() : reason;
    add({placed}, MatchMethod::Unmatched);
    if (!why.empty()) {
        ++unmatched_[{placed.rank, placed.group, why}];
    }
}

/// The output of an all-gather, assuming equal parts if only the input is known. -1 if that is unknown too.
std::int64_t gathered(const CollectiveArgs& args, const CollectiveGroup& group) {
    const bool known = args.out_elements >= 0 || args.in_elements < 0 || group.size <= 0;
    return known ? args.out_elements : args.in_elements * group.size;
}

/// The most that a member sends in an exchange, in total; nothing if a size is not recorded.
std::optional<std::int64_t> mostSent(const Exchange& exchange) {
    std::vector<std::int64_t> sent(exchange.calls.size());
    for (const CollectiveMessage& message : exchange.messages) {
        if (!message.bytes) {
            return std::nullopt;
        }
        sent[message.sender] += *message.bytes;
    }
    return std::ranges::max(sent);
}

void Matcher::matchByMessages() {
    std::vector<MessageCall> calls;
    calls.reserve(messages_.size());
    for (const Placed& placed : messages_) {
        calls.push_back({placed.rank, placed.group, &table_.groups()[placed.group], placed.call});
    }
    for (const Exchange& exchange : matchMessages(run_, calls)) {
        addExchange(exchange);
    }
}

void Matcher::addExchange(const Exchange& exchange) {
    std::vector<Placed> members;
    for (const std::size_t call : exchange.calls) {
        members.push_back(messages_[call]);
    }
    const bool alone = members.size() == 1;
    Collective& collective = add(members, alone ? MatchMethod::Unmatched : MatchMethod::Order);
    collective.complete = !alone && exchange.lonely == LonelyMessage::None;
    collective.messages = exchange.messages;
    collective.sequence = alone ? collective.sequence : -1;  // each rank counts its own
    if (!alone) {
        collective.bytes = mostSent(exchange);
    }
    if (exchange.lonely == LonelyMessage::None) {
        return;
    }
    const std::string why =
        exchange.lonely == LonelyMessage::PeerNotHere
            ? "the traces of the ranks it sends to or receives from are missing"
        : exchange.lonely == LonelyMessage::NoPartner
            ? "no call of the rank it sends to or receives from matches: the windows differ, or records are missing"
            : "it matches two calls of one rank, and it is unknown when each ends";
    for (const Placed& placed : members) {
        ++unmatched_[{placed.rank, placed.group, why}];
    }
}

Collective& Matcher::add(const std::vector<Placed>& members, MatchMethod method) {
    const Placed& first = members.front();
    const CollectiveCall& call = *first.call;
    Collective collective;
    collective.kind = call.kind;
    collective.name = call.name;
    collective.dtype = call.dtype;
    collective.group = first.group;
    collective.sequence = call.args.sequence;
    collective.method = method;
    const CollectiveGroup& group = table_.groups()[first.group];
    collective.complete = group.size > 0 && static_cast<std::size_t>(group.size) == members.size();
    std::int64_t elements = -1;
    for (const Placed& placed : members) {
        const CollectiveArgs& args = placed.call->args;
        elements =
            std::max(elements, call.kind == CollectiveKind::AllGather ? gathered(args, group) : args.in_elements);
        collective.members.push_back(std::move(placed.call->part));
        collective.members.back().rank = placed.rank;
    }
    const std::optional<std::int64_t> size = elementBytes(collective.dtype);
    if (size && elements >= 0) {
        collective.bytes = *size * elements;
    }
    facts_.collectives.push_back(std::move(collective));
    return facts_.collectives.back();
}

/// Sorts the collectives by their first starts on the run's clock.
void sortByStart(CollectiveFacts& facts, const RunClock& clock) {
    std::vector<std::pair<TimeNs, std::size_t>> order;
    order.reserve(facts.collectives.size());
    for (const Collective& collective : facts.collectives) {
        RunTime first_ns(std::numeric_limits<TimeNs>::max());
        for (const CollectiveMember& member : collective.members) {
            first_ns = std::min(first_ns, clock.ranks[member.rank].toRun(FileTime(member.span.start_ns)));
        }
        order.emplace_back(first_ns, order.size());
    }
    std::ranges::sort(order);
    std::vector<Collective> sorted;
    sorted.reserve(order.size());
    for (const auto& [first_ns, place] : order) {
        sorted.push_back(std::move(facts.collectives[place]));
    }
    facts.collectives = std::move(sorted);
}

}  // namespace

MatchedCollectives matchCollectives(const Run& run, std::vector<std::vector<CollectiveCall>> calls) {
    return Matcher(run, calls).match();
}

std::vector<ClockMatch> clockMatches(const MatchedCollectives& facts) {
    std::vector<ClockMatch> matches;
    for (const Collective& collective : facts.collectives) {
        const std::vector<CollectiveMember>& members = collective.members;
        for (const CollectiveMessage& message : collective.messages) {
            const CollectiveMember& first = members[std::min(message.sender, message.receiver)];
            const CollectiveMember& second = members[std::max(message.sender, message.receiver)];
            matches.push_back(
                {.members = {{first.rank, first.span}, {second.rank, second.span}}, .ends_together = false});
        }
        const bool exact = finishesTogether(collective.kind);
        const bool loose = collective.kind == CollectiveKind::Unknown && collective.complete;
        if ((!exact && !loose) || members.size() < 2) {
            continue;
        }
        ClockMatch match;
        match.ends_together = exact;
        for (const CollectiveMember& member : members) {
            match.members.push_back({.rank = member.rank, .span = member.span});
        }
        matches.push_back(std::move(match));
    }
    return matches;
}

CollectiveFacts timeCollectives(MatchedCollectives matched, const RunClock& clock) {
    CollectiveFacts facts;
    static_cast<MatchedCollectives&>(facts) = std::move(matched);
    findRendezvous(facts, clock);
    for (Collective& collective : facts.collectives) {
        if (!collective.complete || !collective.endsTogether()) {
            timeByClock(collective, clock);
            continue;
        }
        DurationNs transfer_ns = std::numeric_limits<DurationNs>::max();
        RunTime last_start_ns(std::numeric_limits<TimeNs>::min());
        RankPosition last = collective.members.front().rank;
        for (const CollectiveMember& member : collective.members) {
            const RunTime start_ns = clock.ranks[member.rank].toRun(FileTime(member.span.start_ns));
            transfer_ns = std::min(transfer_ns, member.span.length());
            last = start_ns > last_start_ns ? member.rank : last;
            last_start_ns = std::max(last_start_ns, start_ns);
        }
        collective.transfer_ns = transfer_ns;
        collective.clock_uncertainty_ns = 0;
        for (CollectiveMember& member : collective.members) {
            member.wait_ns = member.span.length() - transfer_ns;
            const std::optional<DurationNs> uncertainty_ns = clock.uncertaintyBetween(member.rank, last);
            if (uncertainty_ns) {
                member.clocked_wait_ns = last_start_ns - clock.ranks[member.rank].toRun(FileTime(member.span.start_ns));
            }
            const bool known = uncertainty_ns && collective.clock_uncertainty_ns;
            collective.clock_uncertainty_ns =
                known ? std::optional(std::max(*collective.clock_uncertainty_ns, *uncertainty_ns)) : std::nullopt;
        }
        if (collective.bytes && transfer_ns > 0) {
            // Bytes per nanosecond are GB per second.
            collective.algorithm_gb_per_s = static_cast<double>(*collective.bytes) / static_cast<double>(transfer_ns);
            collective.bus_gb_per_s =
                *collective.algorithm_gb_per_s * busFactor(collective.kind, collective.members.size());
        }
    }
    sortByStart(facts, clock);
    findSlowCollectives(facts);
    facts.fits = fitTransfers(facts.collectives);
    findSlowGroups(facts);
    return facts;
}

}  // namespace rankscope
