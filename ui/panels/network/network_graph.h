// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/companions/companions.h"

namespace rankscope::ui {

/// A job in open logs.
struct JobOfLogs {
    std::shared_ptr<const ReadLogs> logs;
    std::size_t index = 0;  ///< in Network::jobs

    /// The job itself.
    [[nodiscard]] const network::Job& job() const { return logs->network.jobs[index]; }
    friend bool operator==(const JobOfLogs&, const JobOfLogs&) = default;
};

/// A rank of a communicator, as a node.
struct GraphRank {
    std::int32_t rank = 0;  ///< in the communicator
    bool is_logged = false;
    QStringList about;  ///< lines: its rank in the job, process, GPU, channels
};

/// Ranks of one host, in ascending order.
struct GraphHost {
    QString name;                    ///< empty: ranks without a log
    std::vector<std::size_t> ranks;  ///< indices in NetworkGraph::ranks
};

/// From a rank to another.
struct GraphEdge {
    std::size_t from = 0;  ///< index in NetworkGraph::ranks
    std::size_t to = 0;
    network::PathKind kind = network::PathKind::Other;  ///< of the slowest of its connections
    QString path = {};                                  ///< of it, as NCCL names it; empty: no channel line says it
    std::uint64_t lines = 0;                            ///< channel lines
};

/// Edges that are shown together: a ring, a tree, or all connections.
struct GraphShape {
    QString title;
    std::vector<GraphEdge> edges;
};

/// A communicator as a picture: its ranks by host, and its shapes, rings first. Independent of the theme.
struct NetworkGraph {
    QString title;  ///< "8 ranks on 2 hosts"
    std::vector<GraphRank> ranks;
    std::vector<GraphHost> hosts;
    std::vector<GraphShape> shapes;
};

/// The picture of a communicator, by its index in Job::communicators. A tree's edges lead to the parent. O(connections
/// of the job + ranks x channels).
[[nodiscard]] NetworkGraph networkGraph(const JobOfLogs& of, std::size_t communicator);

}  // namespace rankscope::ui
