// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hang/parts.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace rankscope::hang {
namespace {

/// A send or receive: "send 0->3", "recv 3<-0". The numbers count the members of the group.
struct Exchange {
    bool is_send = false;
    std::size_t peer = 0;
};

std::optional<Exchange> exchangeOf(std::string_view kind) {
    const bool is_send = kind.starts_with("send ");
    const std::string_view arrow = is_send ? "->" : "<-";
    const std::size_t at = kind.find(arrow);
    if ((!is_send && !kind.starts_with("recv ")) || at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view digits = kind.substr(at + arrow.size());
    Exchange exchange{is_send, 0};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exchange.peer);
    return error == std::errc() ? std::optional(exchange) : std::nullopt;
}

/// Finds the calls that are not complete.
class Finder {
  public:
    explicit Finder(const Progress& progress) : progress_(progress) { waits_.of_dump.resize(progress.dumps().size()); }

    Waits found() && {
        for (std::size_t dump = 0; dump < progress_.dumps().size(); ++dump) {
            std::map<std::string, std::size_t> alike;  // by kind: the sends or receives so far
            for (const std::size_t index : progress_.pending(dump)) {
                const FlightCall& call = progress_.dumps()[dump].calls[index];
                if (call.is_exchange) {
                    addExchange(dump, call, alike[call.kind]++);
                } else {
                    addCollective(dump, call);
                }
            }
        }
        for (std::size_t index = 0; index < waits_.calls.size(); ++index) {
            findBehind(index);
        }
        return std::move(waits_);
    }

  private:
    void add(std::size_t dump, std::size_t call) {
        waits_.of_dump[dump].push_back(call);
        waits_.calls[call].waiting.push_back(dump);
    }

    void addCollective(std::size_t dump, const FlightCall& call) {
        const std::pair key(progress_.groupOf(dump, call), call.number);
        const auto [at, is_new] = collectives_.try_emplace(key, waits_.calls.size());
        if (is_new) {
            waits_.calls.push_back(collective(key.first, key.second));
        }
        // Calls that were coalesced share a number.
        const std::vector<std::size_t>& waiting = waits_.calls[at->second].waiting;
        if (waiting.empty() || waiting.back() != dump) {
            add(dump, at->second);
        }
    }

    [[nodiscard]] PendingCall collective(std::size_t group, std::int64_t number) const {
        PendingCall call;
        call.at = progress_.placeOf(group, number);
        const bool is_over = progress_.completedSomewhere(group, number);
        std::vector<std::size_t> pending;
        std::vector<std::int64_t> missing;
        for (const std::int64_t rank : progress_.groups()[group].ranks) {
            const std::optional<std::size_t> dump = progress_.dumpOf(rank);
            if (!dump) {
                missing.push_back(rank);
            } else if (!progress_.entered(*dump, group, number)) {
                (is_over ? call.older : call.not_entered).push_back(*dump);
            } else if (!progress_.completed(*dump, group, number)) {
                pending.push_back(*dump);
            }
        }
        const std::size_t members = progress_.groups()[group].ranks.size();
        if (is_over && call.older.empty() && 2 * pending.size() < members - missing.size()) {
            call.not_completed = std::move(pending);
        }
        if (!is_over && call.not_entered.empty()) {
            call.missing = std::move(missing);
        }
        return call;
    }

    /// A send waits for the receive of its peer, and the other way round. `position` counts those of its kind in the
    /// dump that are not complete.
    void addExchange(std::size_t dump, const FlightCall& call, std::size_t position) {
        const FlightDump& of = progress_.dumps()[dump];
        const std::optional<Exchange> exchange = exchangeOf(call.kind);
        const std::vector<std::int64_t>& members = of.groups[call.group].ranks;
        if (!exchange || exchange->peer >= members.size()) {
            return;
        }
        PendingCall wait;
        wait.at = {progress_.groupOf(dump, call), call.exchange, call.kind, true, call.created_ns};
        const std::int64_t peer = members[exchange->peer];
        if (const std::optional<std::size_t> other = progress_.dumpOf(peer)) {
            if (!hasCounterpart(*other, wait.at.group, of.rank, exchange->is_send, position, call.exchange)) {
                wait.not_entered.push_back(*other);
            }
            other_side_.emplace(waits_.calls.size(), *other);
        } else {
            wait.missing.push_back(peer);
        }
        waits_.calls.push_back(std::move(wait));
        add(dump, waits_.calls.size() - 1);
    }

    /// Whether a rank has the call that a send or receive needs: as many that are not complete, or, in a group of two,
    /// where both count the same calls, one with the number or a later one.
    [[nodiscard]] bool hasCounterpart(std::size_t other, std::size_t group, std::int64_t rank, bool is_send,
                                      std::size_t position, std::int64_t number) const {
        const FlightDump& dump = progress_.dumps()[other];
        const bool is_pair = progress_.groups()[group].ranks.size() == 2;
        std::size_t before = 0;
        for (const FlightCall& call : dump.calls) {
            const std::optional<Exchange> exchange = call.is_exchange ? exchangeOf(call.kind) : std::nullopt;
            if (!exchange || progress_.groupOf(other, call) != group) {
                continue;
            }
            const std::vector<std::int64_t>& members = dump.groups[call.group].ranks;
            const bool is_match =
                exchange->is_send != is_send && exchange->peer < members.size() && members[exchange->peer] == rank;
            if (is_pair && call.exchange >= number) {
                return true;
            }
            if (is_match && call.state != FlightState::Completed && before++ == position) {
                return true;
            }
        }
        return false;
    }

    /// Members that made the call, but have to complete an older one first.
    void findBehind(std::size_t index) {
        PendingCall& call = waits_.calls[index];
        if (!call.isStuck()) {
            return;
        }
        for (const std::size_t dump : call.waiting) {
            if (waits_.of_dump[dump].front() != index) {
                call.behind.push_back(dump);
            }
        }
        // The other side of a send has the receive, and what is older there comes first.
        const auto other = other_side_.find(index);
        if (other != other_side_.end()) {
            const std::vector<std::size_t>& calls = waits_.of_dump[other->second];
            if (!calls.empty() && !waits_.calls[calls.front()].at.is_exchange) {
                call.behind.push_back(other->second);
            }
        }
    }

    const Progress& progress_;
    Waits waits_;
    std::map<std::pair<std::size_t, std::int64_t>, std::size_t> collectives_;  // by group and number
    std::map<std::size_t, std::size_t> other_side_;                            // by exchange: the dump of the peer
};

/// Whom each dump waits for, directly.
class Graph {
  public:
    explicit Graph(const Waits& waits) : edges_(waits.of_dump.size()), has_exit_(waits.of_dump.size()) {
        for (const PendingCall& call : waits.calls) {
            failed_.insert(call.not_completed.begin(), call.not_completed.end());
            blamed_.insert(call.not_entered.begin(), call.not_entered.end());
        }
        for (std::size_t dump = 0; dump < edges_.size(); ++dump) {
            addEdges(waits, dump);
        }
    }

    [[nodiscard]] Roots roots() {
        Roots roots;
        roots.failed.assign(failed_.begin(), failed_.end());
        for (std::size_t dump = 0; dump < edges_.size(); ++dump) {
            if (edges_[dump].empty() && !has_exit_[dump] && blamed_.contains(dump) && !failed_.contains(dump)) {
                roots.stopped.push_back(dump);
            }
        }
        findCycles(roots);
        return roots;
    }

  private:
    void addEdges(const Waits& waits, std::size_t dump) {
        std::set<std::size_t> to;
        bool is_first = true;
        for (const std::size_t index : waits.of_dump[dump]) {
            const PendingCall& call = waits.calls[index];
            to.insert(call.not_entered.begin(), call.not_entered.end());
            to.insert(call.not_completed.begin(), call.not_completed.end());
            if (std::exchange(is_first, false)) {
                to.insert(call.behind.begin(), call.behind.end());
            }
            has_exit_[dump] = has_exit_[dump] || !call.missing.empty();
        }
        to.erase(dump);
        if (!failed_.contains(dump)) {
            edges_[dump].assign(to.begin(), to.end());
        }
    }

    /// Dumps that reach none without edges go round in circles.
    void findCycles(Roots& roots) {
        std::vector<bool> ends(edges_.size());
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t dump = 0; dump < edges_.size(); ++dump) {
                const bool reaches = edges_[dump].empty() || has_exit_[dump] ||
                                     std::ranges::any_of(edges_[dump], [&ends](std::size_t to) { return ends[to]; });
                if (!ends[dump] && reaches) {
                    ends[dump] = true;
                    changed = true;
                }
            }
        }
        std::vector<bool> seen = ends;
        for (std::size_t start = 0; start < edges_.size(); ++start) {
            std::vector<std::size_t> path;
            std::size_t at = start;
            while (!seen[at]) {
                seen[at] = true;
                path.push_back(at);
                at = edges_[at].front();  // leads to no end either
            }
            const auto loop = std::ranges::find(path, at);
            if (loop != path.end()) {
                roots.cycles.emplace_back(loop, path.end());
            }
        }
    }

    std::vector<std::vector<std::size_t>> edges_;
    std::vector<bool> has_exit_;    // waits for a rank without a dump
    std::set<std::size_t> failed_;  // PendingCall::not_completed
    std::set<std::size_t> blamed_;  // did not make a call that others made
};

}  // namespace

Waits waitsOf(const Progress& progress) {
    return Finder(progress).found();
}

Roots rootsOf(const Waits& waits) {
    return Graph(waits).roots();
}

}  // namespace rankscope::hang
