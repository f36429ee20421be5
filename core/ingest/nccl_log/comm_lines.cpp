// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <utility>

#include "core/ingest/nccl_log/log_builder.h"

namespace rankscope::nccl {
namespace {

/// More ranks, channels or lines of connections are of no job, or too many to keep.
constexpr std::int32_t kMostRanks = 10'000'000;
constexpr std::size_t kMostRings = 256;
constexpr std::size_t kMostRingRanks = 100'000;
constexpr std::size_t kMostEdges = std::size_t{1} << 20;
/// Connections beyond this keep the place of their line, but not its text.
constexpr std::size_t kMostEdgeTexts = 20'000;
constexpr std::size_t kMostMembers = std::size_t{1} << 20;
constexpr std::string_view kDigits = "0123456789";

/// Takes the text up to `end` off the front of another, and `end` too; nothing if `end` is not there.
std::optional<std::string_view> takeTo(std::string_view& text, std::string_view end) {
    const std::size_t at = text.find(end);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view front = text.substr(0, at);
    text.remove_prefix(at + end.size());
    return front;
}

std::optional<std::int32_t> rankOf(std::string_view text) {
    const auto rank = numberOf<std::int32_t>(text);
    return rank && *rank >= -1 && *rank < kMostRanks ? rank : std::nullopt;
}

struct End {
    std::int32_t rank = 0;
    std::string_view device;
};

/// "3[c1000]": a rank, and its device or bus.
std::optional<End> endOf(std::string_view text) {
    const std::size_t open = text.find('[');
    const auto rank = rankOf(text.substr(0, open));
    if (open == std::string_view::npos || !text.ends_with(']') || !rank || *rank < 0) {
        return std::nullopt;
    }
    return End{*rank, text.substr(open + 1, text.size() - open - 2)};
}

/// "NET/IB/0(4)/GDRDMA/Shared" as "NET/IB/GDRDMA": numbers of devices and what buffers share are left out.
std::string pathOf(std::string_view text) {
    std::string path;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find('/'));
        text.remove_prefix(std::min(part.size() + 1, text.size()));
        if (!part.empty() && kDigits.find(part.front()) == std::string_view::npos && part != "Shared") {
            path += (path.empty() ? "" : "/") + std::string(part);
        }
    }
    constexpr std::size_t kLongest = 64;
    path.resize(std::min(path.size(), kLongest));
    return path;
}

/// "0.36" seconds as nanoseconds.
std::optional<DurationNs> secondsOf(std::string_view text) {
    constexpr std::string_view kZeros = "000000000";
    const std::size_t point = text.find('.');
    std::string digits(text.substr(0, point));
    const std::string fraction(point == std::string_view::npos ? "" : text.substr(point + 1));
    if (digits.empty() || fraction.size() > kZeros.size()) {
        return std::nullopt;
    }
    digits += fraction + std::string(kZeros.substr(fraction.size()));
    const auto ns = numberOf<DurationNs>(digits);
    return ns && *ns >= 0 ? ns : std::nullopt;
}

std::vector<std::int32_t> ranksOf(std::string_view text) {
    std::vector<std::int32_t> ranks;
    while (!text.empty() && ranks.size() < kMostRingRanks) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        if (word.empty()) {
            continue;
        }
        const auto rank = rankOf(word);
        if (!rank || *rank < 0) {
            return {};
        }
        ranks.push_back(*rank);
    }
    return ranks;
}

/// "(kernels 0.25, bootstrap 0.01)": what the start-up consists of.
void addParts(NcclMember& member, std::string_view text) {
    std::string_view parts = text.substr(std::min(text.find('('), text.size() - 1) + 1);
    parts = parts.substr(0, parts.find(')'));
    while (!parts.empty()) {
        std::string_view part = parts.substr(0, parts.find(','));
        parts.remove_prefix(std::min(part.size() + 1, parts.size()));
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        const std::size_t space = part.find(' ');
        const auto ns = space == std::string_view::npos ? std::nullopt : secondsOf(part.substr(space + 1));
        if (ns) {
            member.init_parts.emplace_back(part.substr(0, space), *ns);
        }
    }
}

/// Takes the time that a rank waits for the others out of its bootstrap.
void takeWaiting(NcclMember& member, DurationNs waited_ns) {
    for (auto& [name, ns] : member.init_parts) {
        if (name == "bootstrap" && waited_ns > 0 && waited_ns <= ns) {
            ns -= waited_ns;
            member.init_parts.emplace_back(kNcclWaiting, waited_ns);
            return;
        }
    }
}

}  // namespace

std::size_t LogBuilder::beginMember(std::uint64_t pointer) {
    if (logs_.members.size() >= kMostMembers) {
        return logs_.members.size() - 1;
    }
    const std::size_t index = logs_.members.size();
    NcclMember& member = logs_.members.emplace_back();
    member.process = process_;
    member.pointer = pointer;
    member.rank = -1;
    member.start_line = lineOf(line_);
    open_[process_].by_pointer[pointer] = index;
    open_[process_].untimed.push_back(index);
    return index;
}

bool LogBuilder::addStart(const PrefixedLine& line) {
    const bool is_start = line.text.ends_with("Init START");
    if (!is_start && !line.text.ends_with("Init COMPLETE")) {
        return false;
    }
    const auto pointer = pointerOf(wordBehind(line.text, "comm"));
    const auto rank = numberBehind(line.text, "rank");
    const auto ranks = numberBehind(line.text, "nranks");
    if (!pointer || !rank || !ranks || *ranks > kMostRanks || *rank >= *ranks) {
        ++file().cut;
        return true;
    }
    Open& open = open_[process_];
    const std::string id(wordBehind(line.text, "commId").substr(0, kMostText));
    const auto parent = pointerOf(wordBehind(line.text, "parent"));
    const auto known = open.by_pointer.find(*pointer);
    const bool is_known = known != open.by_pointer.end();
    const NcclMember* before = is_known ? &logs_.members[known->second] : nullptr;
    const bool has_id = is_known && (before->id == id || (!before->is_complete && (before->id.empty() || id.empty())));
    const bool is_same = has_id && before->rank == *rank && before->ranks == *ranks;
    // A pointer is free again once its communicator ends, and a log may lack that line.
    const std::size_t index = is_same ? known->second : beginMember(*pointer);
    auto unnamed = open.unnamed.extract(line.tid);
    unnamed_ -= unnamed.empty() ? 0U : 1U;
    if (!is_same && !is_start && !unnamed.empty()) {
        adopt(index, std::move(unnamed.mapped()));
    }
    NcclMember& member = logs_.members[index];
    member.is_repeated = member.is_repeated || (is_same && (is_start || member.is_complete));
    member.is_complete = member.is_complete || !is_start;
    member.id = id.empty() ? member.id : id;
    if (!is_same) {
        member.rank = *rank;
        member.ranks = *ranks;
        member.device = numberBehind(line.text, "cudaDev").value_or(-1);
        member.nvml_device = numberBehind(line.text, "nvmlDev").value_or(-1);
        member.bus = wordBehind(line.text, "busId");
        const auto from = parent ? open.by_pointer.find(*parent) : open.by_pointer.end();
        if (from != open.by_pointer.end() && from->second != index) {
            member.parent = from->second;
            member.split = std::string(wordBehind(line.text, "splitCount")) + "." +
                           std::string(wordBehind(line.text, "childCount")) + "." +
                           std::string(wordBehind(line.text, "color"));
            member.split.resize(std::min(member.split.size(), kMostText));
        }
    }
    if (is_start) {
        open.by_thread[line.tid] = index;
    } else {
        open.by_thread.erase(line.tid);
    }
    return true;
}

bool LogBuilder::addEnd(const PrefixedLine& line) {
    if (!line.text.ends_with("Destroy COMPLETE") && !line.text.ends_with("Abort COMPLETE")) {
        return false;
    }
    const auto pointer = pointerOf(wordBehind(line.text, "comm"));
    Open& open = open_[process_];
    const auto known = pointer ? open.by_pointer.find(*pointer) : open.by_pointer.end();
    if (known != open.by_pointer.end()) {
        logs_.members[known->second].is_ended = true;
        open.by_pointer.erase(known);
    }
    return true;
}

bool LogBuilder::addMemberFact(const PrefixedLine& line) {
    const std::string_view text = line.text;
    if (text.starts_with("comm 0x") && text.find(" nNodes ") != std::string_view::npos) {
        const auto known = open_[process_].by_pointer.find(pointerOf(wordBehind(text, "comm")).value_or(0));
        if (known != open_[process_].by_pointer.end()) {
            logs_.members[known->second].nodes = numberBehind(text, "nNodes").value_or(0);
        }
        return true;
    }
    const bool is_trees = text.starts_with("Trees [");
    const std::size_t coll = text.find(" coll channels, ");
    if (!is_trees && coll == std::string_view::npos) {
        return false;
    }
    NcclMember* const member = openMember(line);
    if (member == nullptr) {
        return true;
    }
    if (is_trees) {
        addTrees(*member, text);
        return true;
    }
    const std::string_view front = text.substr(0, coll);
    member->channels = std::max(0, numberOf<std::int32_t>(front.substr(front.rfind(' ') + 1)).value_or(0));
    member->channels_line = lineOf(line_);
    return true;
}

void LogBuilder::addTrees(NcclMember& member, std::string_view text) {
    // "Trees [0] 3/4/-1->0->-1 [1] ...": children, the rank itself, its parent.
    while (takeTo(text, "[") && member.trees.size() < kMostRings) {
        const auto channel = rankOf(takeTo(text, "] ").value_or(""));
        std::string_view one = text.substr(0, text.find(' '));
        NcclTree tree;
        std::string_view children = takeTo(one, "->").value_or("");
        const bool has_self = takeTo(one, "->").has_value();
        const auto parent = rankOf(one);
        if (!channel || !has_self || !parent) {
            ++file().cut;
            return;
        }
        while (!children.empty()) {
            const std::string_view child = children.substr(0, children.find('/'));
            children.remove_prefix(std::min(child.size() + 1, children.size()));
            if (const auto rank = rankOf(child); rank && *rank >= 0) {
                tree.children.push_back(*rank);
            }
        }
        tree.parent = *parent;
        member.trees[*channel] = std::move(tree);
    }
}

void LogBuilder::noteWaiting(std::int64_t thread, DurationNs ns) {
    constexpr std::size_t kMostWaiting = 100'000;
    auto& waited = open_[process_].waited;
    const bool is_known = waited.contains(thread);
    if (is_known || waited_ < kMostWaiting) {
        waited_ += is_known ? 0U : 1U;
        waited[thread] = ns;
    }
}

bool LogBuilder::addTimings(const PrefixedLine& line) {
    constexpr std::string_view kTimings = "Init timings - ";
    if (line.text.starts_with("Bootstrap timings total ")) {
        // Until the root has heard of all ranks.
        std::string_view waited = wordBehind(line.text, "recv");
        waited.remove_suffix(waited.ends_with(',') ? 1 : 0);
        noteWaiting(line.tid, secondsOf(waited).value_or(0));
        return true;
    }
    if (!line.text.starts_with(kTimings)) {
        return false;
    }
    const auto rank = numberBehind(line.text, "rank");
    const auto ranks = numberBehind(line.text, "nranks");
    const auto total = secondsOf(wordBehind(line.text, "total"));
    if (!rank || !ranks || !total) {
        ++file().cut;
        return true;
    }
    std::vector<std::size_t>& untimed = open_[process_].untimed;
    const auto at = std::find_if(untimed.rbegin(), untimed.rend(), [&](std::size_t index) {
        return logs_.members[index].rank == *rank && logs_.members[index].ranks == *ranks;
    });
    if (at != untimed.rend()) {
        NcclMember& member = logs_.members[*at];
        member.init_ns = *total;
        member.init_line = lineOf(line_);
        addParts(member, line.text);
        if (const auto waited = open_[process_].waited.extract(line.tid); !waited.empty()) {
            --waited_;
            takeWaiting(member, waited.mapped());
        }
        untimed.erase(std::next(at).base());
    }
    return true;
}

bool LogBuilder::addChannel(const PrefixedLine& line) {
    constexpr std::string_view kChannel = "Channel ";
    std::string_view text = line.text;
    if (!text.starts_with(kChannel)) {
        return false;
    }
    text.remove_prefix(kChannel.size());
    const auto channel = takeTo(text, " : ");
    if (!channel) {
        ++file().cut;
        return true;
    }
    const auto pair = takeTo(text, " via ");
    if (pair) {
        addEdge(line, *channel, *pair, text);
    } else {
        addRing(line, *channel, text);
    }
    return true;
}

void LogBuilder::addRing(const PrefixedLine& line, std::string_view channel, std::string_view ranks) {
    NcclMember* const member = openMember(line);
    const auto number = rankOf(channel.substr(0, channel.find('/')));
    std::vector<std::int32_t> ring = ranksOf(ranks);
    if (!number || ring.empty()) {
        ++file().cut;
    } else if (member != nullptr && member->rings.size() < kMostRings) {
        member->rings[*number] = std::move(ring);
    }
}

void LogBuilder::addEdge(const PrefixedLine& line, std::string_view channel, std::string_view pair,
                         std::string_view path) {
    constexpr std::array<std::pair<std::string_view, NcclEnd>, 2> kEnds = {
        {{" [send]", NcclEnd::Send}, {" [receive]", NcclEnd::Receive}}};
    NcclEdge edge;
    edge.process = process_;
    for (const auto& [words, end] : kEnds) {
        if (pair.ends_with(words)) {
            pair.remove_suffix(words.size());
            edge.end = end;
        }
    }
    const auto from_text = takeTo(pair, " -> ");
    const auto from = endOf(from_text.value_or(""));
    const auto to = endOf(pair);
    // RCCL names the communicator.
    const auto pointer = pointerOf(wordBehind(path, "comm"));
    edge.path = pathOf(path.substr(0, path.find(" comm 0x")));
    if (!from || !to || edge.path.empty()) {
        ++file().cut;
        return;
    }
    const Open& open = open_[process_];
    const auto named = pointer ? open.by_pointer.find(*pointer) : open.by_pointer.end();
    const auto setting_up = open.by_thread.find(line.tid);
    if (named != open.by_pointer.end()) {
        edge.member = named->second;
    } else if (setting_up != open.by_thread.end()) {
        edge.member = setting_up->second;
    }
    EdgeKey key{process_,
                edge.member.value_or(kMostMembers),
                from->rank,
                to->rank,
                std::string(from->device) + ">" + std::string(to->device),
                edge.path,
                edge.end};
    const auto known = edges_.find(key);
    if (known != edges_.end()) {
        ++logs_.edges[known->second].lines;
        return;
    }
    if (logs_.edges.size() >= kMostEdges) {
        ++logs_.edges_left_out;
        return;
    }
    // "Channel 00/1" connects a send to its receive, which may be of a communicator that is complete.
    if (!edge.member && (channel.ends_with("/0") || channel.find('/') == std::string_view::npos)) {
        if (Unnamed* unnamed = unnamedOf(line)) {
            unnamed->edges.push_back(key);
        }
    }
    edges_.emplace(std::move(key), logs_.edges.size());
    edge.from = from->rank;
    edge.to = to->rank;
    edge.from_device = from->device;
    edge.to_device = to->device;
    edge.lines = 1;
    edge.first = lineOf(logs_.edges.size() < kMostEdgeTexts ? line_ : std::string_view());
    logs_.edges.push_back(std::move(edge));
}

}  // namespace rankscope::nccl
