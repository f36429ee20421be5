// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/matching/match_messages.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/analysis/collectives/collective_names.h"
#include "core/analysis/collectives/matching/align_calls.h"

namespace rankscope {
namespace {

/// Messages from one rank to another, which the library keeps in order.
struct Channel {
    static constexpr std::uint32_t kUnnamed = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t group = 0;   ///< kUnnamed if no name is recorded: then the peers identify it
    std::uint32_t window = 0;  ///< as CollectiveCall::window
    std::optional<NumberedStepOrGap> slot;
    RankPosition sender;
    RankPosition receiver;
    friend auto operator<=>(const Channel&, const Channel&) = default;
};

/// One end of a message.
struct MessageEnd {
    std::size_t call = 0;
    std::size_t message = 0;
};

struct Traffic {
    std::vector<MessageEnd> sends;
    std::vector<MessageEnd> receives;
};

/// Two calls that a message connects.
struct Link {
    std::size_t sender = 0;
    std::size_t receiver = 0;
    std::optional<std::int64_t> bytes;
};

/// Joins calls by their messages, as long as no rank has two calls in one set.
class Gatherer {
  public:
    explicit Gatherer(const std::vector<MessageCall>& calls) : parent_(calls.size()) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
        for (const MessageCall& call : calls) {
            ranks_.push_back({call.rank});
        }
    }

    [[nodiscard]] std::size_t root(std::size_t call) {
        while (parent_[call] != call) {
            call = parent_[call] = parent_[parent_[call]];
        }
        return call;
    }

    /// Joins the two sets; returns whether both are now in one. The smaller one is merged into the larger.
    bool join(std::size_t a, std::size_t b) {
        a = root(a);
        b = root(b);
        if (a == b) {
            return true;
        }
        if (ranks_[a].size() < ranks_[b].size()) {
            std::swap(a, b);
        }
        const auto has = [&](RankPosition rank) { return std::ranges::binary_search(ranks_[a], rank); };
        if (std::ranges::any_of(ranks_[b], has)) {
            return false;
        }
        const auto middle = static_cast<std::ptrdiff_t>(ranks_[a].size());
        ranks_[a].insert(ranks_[a].end(), ranks_[b].begin(), ranks_[b].end());
        std::inplace_merge(ranks_[a].begin(), ranks_[a].begin() + middle, ranks_[a].end());
        ranks_[b].clear();
        parent_[b] = a;
        return true;
    }

  private:
    std::vector<std::size_t> parent_;
    std::vector<std::vector<RankPosition>> ranks_;  // ranks of each root, sorted
};

class MessageMatcher {
  public:
    MessageMatcher(const Run& run, const std::vector<MessageCall>& calls) : calls_(calls), lonely_(calls.size()) {
        for (RankPosition r{0}; r < run.ranks.size(); ++r) {
            if (const auto& number = run.ranks[r]->rank) {
                position_.try_emplace(number->value, r);
            }
        }
    }

    std::vector<Exchange> match() {
        std::map<Channel, Traffic> channels;
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            for (std::size_t m = 0; m < calls_[i].call->messages.size(); ++m) {
                place({i, m}, channels);
            }
        }
        for (const auto& [channel, traffic] : channels) {
            pairUp(channel, traffic);
        }
        return gather();
    }

  private:
    void place(const MessageEnd& end, std::map<Channel, Traffic>& channels) {
        const MessageCall& own = calls_[end.call];
        const CallMessage& message = own.call->messages[end.message];
        const std::optional<RankPosition> peer = peerOf(own, message);
        if (!peer) {
            lonely_[end.call] = LonelyMessage::PeerNotHere;
            return;
        }
        const Channel channel{.group = own.members->name.empty() ? Channel::kUnnamed : own.group,
                              .window = own.call->window,
                              .slot = own.call->step_or_gap,
                              .sender = message.sends ? own.rank : *peer,
                              .receiver = message.sends ? *peer : own.rank};
        Traffic& traffic = channels[channel];
        (message.sends ? traffic.sends : traffic.receives).push_back(end);
    }

    [[nodiscard]] std::optional<RankPosition> peerOf(const MessageCall& own, const CallMessage& message) const {
        std::int32_t number = message.peer;
        if (message.in_group && !own.members->ranks.empty()) {
            const auto place = static_cast<std::size_t>(message.peer);
            if (place >= own.members->ranks.size()) {
                return std::nullopt;
            }
            number = own.members->ranks[place].value;
        }
        const auto at = position_.find(number);
        return at != position_.end() ? std::optional(at->second) : std::nullopt;
    }

    [[nodiscard]] const CallMessage& messageAt(const MessageEnd& end) const {
        return calls_[end.call].call->messages[end.message];
    }

    [[nodiscard]] std::vector<CallProof> proofsOf(const std::vector<MessageEnd>& ends) const {
        std::vector<CallProof> proofs;
        proofs.reserve(ends.size());
        for (const MessageEnd& end : ends) {
            proofs.push_back({.kind = CollectiveKind::SendReceive,
                              .dtype = messageAt(end).dtype,
                              .in_elements = messageAt(end).elements,
                              .out_elements = -1,
                              .name = {},
                              .span = calls_[end.call].call->part.span,
                              .ends_near = true});
        }
        return proofs;
    }

    /// Equal numbers of sends and receives mean that all of a step was recorded: then they pair in the recorded order.
    [[nodiscard]] bool pairsAsItStands(const Traffic& traffic) const {
        const auto fits = [this](const MessageEnd& a, const MessageEnd& b) {
            const CallMessage& sent = messageAt(a);
            const CallMessage& received = messageAt(b);
            const bool same_size = sent.elements < 0 || received.elements < 0 || sent.elements == received.elements;
            return same_size && (sent.dtype.empty() || received.dtype.empty() || sent.dtype == received.dtype);
        };
        return std::ranges::equal(traffic.sends, traffic.receives, fits);
    }

    void pairUp(const Channel& channel, const Traffic& traffic) {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        if (channel.slot && channel.slot->isInside() && pairsAsItStands(traffic)) {
            for (std::size_t i = 0; i < traffic.sends.size(); ++i) {
                pairs.emplace_back(i, i);
            }
        } else {
            pairs = alignCalls(proofsOf(traffic.sends), proofsOf(traffic.receives));
        }
        std::vector<bool> sent(traffic.sends.size());
        std::vector<bool> received(traffic.receives.size());
        for (const auto& [s, r] : pairs) {
            sent[s] = received[r] = true;
            links_.push_back({traffic.sends[s].call, traffic.receives[r].call, bytesOf(messageAt(traffic.sends[s]))});
        }
        for (std::size_t s = 0; s < sent.size(); ++s) {
            markLonely(traffic.sends[s], sent[s]);
        }
        for (std::size_t r = 0; r < received.size(); ++r) {
            markLonely(traffic.receives[r], received[r]);
        }
    }

    void markLonely(const MessageEnd& end, bool paired) {
        if (!paired && lonely_[end.call] == LonelyMessage::None) {
            lonely_[end.call] = LonelyMessage::NoPartner;
        }
    }

    [[nodiscard]] static std::optional<std::int64_t> bytesOf(const CallMessage& message) {
        const std::optional<std::int64_t> size = elementBytes(message.dtype);
        return size && message.elements >= 0 ? std::optional(*size * message.elements) : std::nullopt;
    }

    [[nodiscard]] std::vector<Exchange> gather() {
        std::ranges::stable_sort(links_, {}, &Link::sender);
        Gatherer gatherer(calls_);
        std::erase_if(links_, [&](const Link& link) {
            const bool joined = gatherer.join(link.sender, link.receiver);
            if (!joined) {
                lonely_[link.sender] = lonely_[link.receiver] = LonelyMessage::Tangled;
            }
            return !joined;
        });
        std::vector<Exchange> exchanges;
        std::unordered_map<std::size_t, std::size_t> of_root;
        std::vector<std::uint32_t> member(calls_.size());
        for (std::size_t i = 0; i < calls_.size(); ++i) {  // by rank
            const auto [at, is_new] = of_root.try_emplace(gatherer.root(i), exchanges.size());
            if (is_new) {
                exchanges.emplace_back();
            }
            Exchange& exchange = exchanges[at->second];
            member[i] = static_cast<std::uint32_t>(exchange.calls.size());
            exchange.calls.push_back(i);
            exchange.lonely = std::max(exchange.lonely, lonely_[i]);
        }
        for (const Link& link : links_) {
            exchanges[of_root.at(gatherer.root(link.sender))].messages.push_back(
                {.sender = member[link.sender], .receiver = member[link.receiver], .bytes = link.bytes});
        }
        return exchanges;
    }

    const std::vector<MessageCall>& calls_;
    std::vector<LonelyMessage> lonely_;  // by call
    std::vector<Link> links_;
    std::unordered_map<std::int32_t, RankPosition> position_;
};

}  // namespace

std::vector<Exchange> matchMessages(const Run& run, const std::vector<MessageCall>& calls) {
    return MessageMatcher(run, calls).match();
}

}  // namespace rankscope
