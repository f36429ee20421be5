// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/network/network_graph.h"

#include <QObject>
#include <algorithm>
#include <map>
#include <utility>

#include "core/base/format.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

using network::Communicator;
using network::Job;

using Ends = std::pair<std::int32_t, std::int32_t>;

/// What is known of the connections between two ranks.
struct Joined {
    network::PathKind kind = network::PathKind::Other;
    std::string path;
    std::uint64_t lines = 0;
};

/// The slower of two kinds; what is not known is the fastest.
bool isSlower(network::PathKind a, network::PathKind b) {
    const auto place = [](network::PathKind kind) {
        return kind == network::PathKind::Other ? -1 : static_cast<int>(kind);
    };
    return place(a) > place(b);
}

std::map<Ends, Joined> joinedIn(const JobOfLogs& of, std::size_t communicator) {
    std::map<Ends, Joined> joined;
    for (const network::Connection& connection : of.job().connections) {
        const bool may_be = std::ranges::find(connection.possible, communicator) != connection.possible.end();
        if (connection.communicator != communicator && !may_be) {
            continue;
        }
        const NcclEdge& edge = of.logs->logs.edges[connection.edge];
        const auto [at, is_new] = joined.try_emplace({edge.from, edge.to});
        if (is_new || isSlower(connection.kind, at->second.kind)) {
            at->second.kind = connection.kind;
            at->second.path = edge.path;
        }
        at->second.lines += edge.lines;
    }
    return joined;
}

/// Makes the edges of shapes.
class EdgeMaker {
  public:
    EdgeMaker(const JobOfLogs& of, std::size_t communicator, std::size_t ranks)
        : joined_(joinedIn(of, communicator)), ranks_(ranks) {}

    /// An edge, with the path of its connection, or of the one in the other direction.
    void add(GraphShape& shape, std::int32_t from, std::int32_t to) const {
        const auto is_rank = [this](std::int32_t rank) { return rank >= 0 && static_cast<std::size_t>(rank) < ranks_; };
        if (!is_rank(from) || !is_rank(to) || from == to) {
            return;
        }
        GraphEdge& edge = shape.edges.emplace_back();
        edge.from = static_cast<std::size_t>(from);
        edge.to = static_cast<std::size_t>(to);
        auto at = joined_.find({from, to});
        at = at == joined_.end() ? joined_.find({to, from}) : at;
        if (at != joined_.end()) {
            edge.kind = at->second.kind;
            edge.path = text(at->second.path);
            edge.lines = at->second.lines;
        }
    }
    [[nodiscard]] GraphShape all() const {
        GraphShape shape{QObject::tr("All connections"), {}};
        for (const auto& [ends, of] : joined_) {
            add(shape, ends.first, ends.second);
        }
        return shape;
    }

  private:
    std::map<Ends, Joined> joined_;
    std::size_t ranks_;
};

QString channelsWords(const std::vector<std::int64_t>& channels) {
    return channels.size() == 1 ? QObject::tr("channel %1").arg(channels.front())
                                : QObject::tr("channels %1").arg(numbersText(channels));
}

void addRings(const NcclLogs& logs, const Communicator& communicator, const EdgeMaker& edges, NetworkGraph& graph) {
    std::map<std::vector<std::int32_t>, std::vector<std::int64_t>> channels;  // by order
    for (const std::size_t member : communicator.members) {
        for (const auto& [channel, order] : logs.members[member].rings) {
            channels[order].push_back(channel);
        }
    }
    for (const std::vector<std::int32_t>& order : communicator.rings) {
        GraphShape& shape = graph.shapes.emplace_back();
        shape.title = channels[order].empty() ? QObject::tr("Ring")
                                              : QObject::tr("Ring of %1").arg(channelsWords(channels[order]));
        for (std::size_t i = 0; i < order.size(); ++i) {
            edges.add(shape, order[i], order[(i + 1) % order.size()]);
        }
    }
}

void addTrees(const NcclLogs& logs, const Communicator& communicator, const EdgeMaker& edges, NetworkGraph& graph) {
    std::map<std::int32_t, std::vector<Ends>> trees;  // by channel: from child to parent
    for (const std::size_t member : communicator.members) {
        const NcclMember& of = logs.members[member];
        for (const auto& [channel, tree] : of.trees) {
            std::vector<Ends>& ends = trees[channel];
            ends.emplace_back(of.rank, tree.parent);
            for (const std::int32_t child : tree.children) {
                ends.emplace_back(child, of.rank);
            }
        }
    }
    std::map<std::vector<Ends>, std::vector<std::int64_t>> channels;  // by tree
    for (auto& [channel, ends] : trees) {
        std::ranges::sort(ends);
        const auto [first, last] = std::ranges::unique(ends);
        ends.erase(first, last);
        channels[ends].push_back(channel);
    }
    for (const auto& [channel, ends] : trees) {
        const std::vector<std::int64_t>& same = channels[ends];
        if (same.front() != channel) {
            continue;
        }
        GraphShape shape{QObject::tr("Tree of %1").arg(channelsWords(same)), {}};
        for (const auto& [child, parent] : ends) {
            edges.add(shape, child, parent);
        }
        if (!shape.edges.empty()) {
            graph.shapes.push_back(std::move(shape));
        }
    }
}

QStringList aboutMember(const JobOfLogs& of, const NcclMember& member) {
    const NcclProcess& process = of.logs->logs.processes[member.process];
    QStringList lines;
    const auto at = std::ranges::find(of.job().processes, member.process, &network::Process::log);
    if (at != of.job().processes.end() && at->rank && *at->rank != member.rank) {
        lines << QObject::tr("rank %1 of the job").arg(*at->rank);
    }
    lines << QObject::tr("process %1 on %2").arg(process.pid).arg(text(process.host));
    if (member.device >= 0) {
        lines << (member.bus.empty() ? QObject::tr("GPU %1").arg(member.device)
                                     : QObject::tr("GPU %1, bus %2").arg(member.device).arg(text(member.bus)));
    }
    if (member.channels > 0) {
        lines << QObject::tr("%1 channels").arg(member.channels);
    }
    if (member.init_ns) {
        lines << QObject::tr("start-up %1").arg(duration(*member.init_ns));
    }
    return lines;
}

}  // namespace

NetworkGraph networkGraph(const JobOfLogs& of, std::size_t communicator) {
    const Communicator& shown = of.job().communicators[communicator];
    const NcclLogs& logs = of.logs->logs;
    NetworkGraph graph;
    const auto size = static_cast<std::size_t>(std::max(shown.ranks, 0));
    graph.ranks.resize(size);
    std::vector<QString> hosts(size);
    for (std::size_t rank = 0; rank < size; ++rank) {
        graph.ranks[rank].rank = static_cast<std::int32_t>(rank);
        graph.ranks[rank].about = {QObject::tr("no log of this rank is open")};
    }
    for (const std::size_t member : shown.members) {
        const NcclMember& logged = logs.members[member];
        if (logged.rank < 0 || static_cast<std::size_t>(logged.rank) >= size) {
            continue;
        }
        const auto at = static_cast<std::size_t>(logged.rank);
        graph.ranks[at].is_logged = true;
        graph.ranks[at].about = aboutMember(of, logged);
        hosts[at] = text(logs.processes[logged.process].host);
    }
    std::map<QString, std::size_t> known;  // hosts in the order of their first rank; unknown ones last
    for (const bool is_logged : {true, false}) {
        for (std::size_t rank = 0; rank < size; ++rank) {
            if (graph.ranks[rank].is_logged == is_logged) {
                const auto [host, is_new] = known.try_emplace(hosts[rank], graph.hosts.size());
                if (is_new) {
                    graph.hosts.push_back({hosts[rank], {}});
                }
                graph.hosts[host->second].ranks.push_back(rank);
            }
        }
    }
    graph.title =
        text(formatCounted(size, "rank") + " on " +
             formatCounted(shown.nodes > 0 ? static_cast<std::uint64_t>(shown.nodes) : shown.hosts.size(), "host"));
    const EdgeMaker edges(of, communicator, size);
    addRings(logs, shown, edges, graph);
    addTrees(logs, shown, edges, graph);
    if (GraphShape all = edges.all(); !all.edges.empty()) {
        graph.shapes.push_back(std::move(all));
    }
    return graph;
}

}  // namespace rankscope::ui
