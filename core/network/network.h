// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/nccl_log.h"

/// What NCCL uses between the ranks of a job, from its logs.
namespace rankscope::network {

/// What is judged. docs/network.md has the rules.
enum class Topic : std::uint8_t {
    SocketFallback,
    NoPeerAccess,
    NoRdma,
    FewChannels,
    PathDiffers,
    SettingsDiffer,
    VersionsDiffer,
    CallsDiffer,
    SlowStart,
};
inline constexpr std::array<Topic, 9> kTopics = {
    Topic::SocketFallback, Topic::NoPeerAccess,   Topic::NoRdma,      Topic::FewChannels, Topic::PathDiffers,
    Topic::SettingsDiffer, Topic::VersionsDiffer, Topic::CallsDiffer, Topic::SlowStart,
};

enum class Level : std::uint8_t { Low, Medium, High };

/// What data goes through between two ranks, the fastest first.
enum class PathKind : std::uint8_t {
    PeerToPeer,   ///< from GPU to GPU inside a host
    HostMemory,   ///< through the host's memory, inside a host
    GpuRdma,      ///< the network reads and writes the memory of GPUs
    HostNetwork,  ///< the network, through the hosts' memory
    Socket,       ///< TCP
    Other,        ///< not known
};

/// Kind of a path as NCCL names it: "SHM/direct/direct", "NET/IB/GDRDMA".
[[nodiscard]] PathKind pathKindOf(const std::string& path);

/// A process of a job.
struct Process {
    std::size_t log = 0;               ///< index in NcclLogs::processes
    std::optional<std::int64_t> rank;  ///< in the largest communicator of the job; nothing: it is in none of these
};

/// A communicator over all its ranks.
struct Communicator {
    std::string id;                                ///< commId; empty: the log does not say which ranks belong together
    std::int32_t ranks = 0;                        ///< all
    std::vector<std::size_t> members;              ///< index in NcclLogs::members, by rank: those that are in the logs
    std::vector<std::string> hosts;                ///< of these, ascending
    std::int32_t nodes = 0;                        ///< hosts as NCCL counts them; 0: unknown
    std::int32_t channels = 0;                     ///< the fewest for collectives of a rank; 0: unknown
    std::vector<std::vector<std::int32_t>> rings;  ///< each order once

    /// Hosts of all its ranks as NCCL counts them, else by name if all ranks are in the logs; 0: unknown.
    [[nodiscard]] std::size_t hostCount() const {
        const bool has_all = std::cmp_equal(members.size(), ranks);
        return nodes > 0 ? static_cast<std::size_t>(nodes) : has_all ? hosts.size() : 0;
    }
    [[nodiscard]] bool isOnOneHost() const { return hostCount() == 1; }
};

/// A connection whose ends are known.
struct Connection {
    std::size_t edge = 0;  ///< index in NcclLogs::edges
    PathKind kind = PathKind::Other;
    std::optional<std::size_t> communicator;  ///< index in Job::communicators; nothing: it may be one of several
    std::vector<std::size_t> possible;        ///< these several; the same GPUs are its ends in each
    std::string from_host;                    ///< empty: unknown
    std::string to_host;
    bool is_inside_host = false;
    bool is_in_ring = false;  ///< its ranks are neighbours in a ring; false also if rings are unknown
};

/// Connections between two hosts, or inside one, over the same path.
struct PathSum {
    std::string from_host;  ///< empty: unknown
    std::string to_host;
    std::string path;  ///< as in NcclEdge
    PathKind kind = PathKind::Other;
    std::uint64_t lines = 0;     ///< channel lines; a connection over a network has two, one at each end
    std::uint64_t channels = 0;  ///< of these, the lines of senders
};

/// Calls of one kind, size and type in a communicator.
struct CallSum {
    std::size_t communicator = 0;
    std::string kind;
    std::uint64_t count = 0;  ///< elements, as passed to the call
    std::int32_t type = 0;
    std::optional<std::uint64_t> bytes;  ///< of one call on one rank: elements times their size; nothing: unknown type
    std::uint64_t fewest = 0;            ///< calls of the rank with the fewest
    std::uint64_t most = 0;
};

/// What a process needs to set up its communicators, one after the other.
struct Startup {
    std::size_t process = 0;  ///< index in Job::processes
    std::size_t communicators = 0;
    DurationNs total_ns = 0;
    std::string part;  ///< that takes the most, as NCCL names it: "bootstrap"
    DurationNs part_ns = 0;
};

/// A value, and the processes that have it.
struct Variant {
    std::string value;                   ///< empty: not set, or a call
    std::optional<NcclShape> call;       ///< of Topic::CallsDiffer; nothing: no further call
    std::vector<std::size_t> processes;  ///< index in Job::processes
};

/// A problem, with the lines that show it.
struct Finding {
    Topic topic = Topic::SocketFallback;
    Level level = Level::Low;
    std::optional<std::size_t> communicator;  ///< index in Job::communicators, if it is of one
    /// Those whose data takes a path that has the problem, ascending: index in Job::communicators. Empty if the problem
    /// is of no path.
    std::vector<std::size_t> communicators;
    bool is_in_others = false;  ///< connections that have it may be of further communicators
    std::vector<std::string> hosts;
    std::vector<std::size_t> processes;   ///< index in Job::processes, if it is of some
    std::uint64_t part = 0;               ///< connections that have the problem, calls before it, or channels
    std::uint64_t whole = 0;              ///< of this many
    std::string name;                     ///< of a setting, path, network or part of the start-up
    std::vector<Variant> variants;        ///< that of most processes first
    std::vector<NcclRemarkKind> remarks;  ///< why, as the log says
    std::vector<NcclSetting> settings;    ///< that cause it
    DurationNs ns = 0;
    std::vector<NcclLine> evidence;  ///< one or more
};

/// Whether a topic could be judged.
enum class Judgement : std::uint8_t { Fine, Look, CannotTell };

/// Processes that share communicators.
struct Job {
    std::vector<Process> processes;           ///< by rank; those without one last
    std::vector<std::string> hosts;           ///< ascending
    std::int64_t ranks = 0;                   ///< of the largest communicator; 0: none
    std::int64_t ranks_logged = 0;            ///< of these, in the logs; a process may have several
    std::vector<Communicator> communicators;  ///< in the order of their starts
    std::vector<Connection> connections;
    std::vector<PathSum> paths;     ///< the most lines first
    std::vector<CallSum> calls;     ///< the most bytes first
    std::vector<Startup> startups;  ///< the longest first; processes without timings are not in it
    std::vector<Finding> findings;  ///< the worst first, then in the order of topics
    std::array<Judgement, kTopics.size()> judgements{};
    std::uint64_t cut = 0;               ///< cut lines in its files
    std::uint64_t connections_open = 0;  ///< of unknown ends or communicator
};

/// The jobs that the logs contain: processes without a common communicator are of different jobs.
struct Network {
    std::vector<Job> jobs;  ///< most processes first
};

/// How NCCL ran calls of this shape; nothing if the logs do not say it, or several ways.
[[nodiscard]] std::optional<NcclChoice> choiceOf(const NcclLogs& logs, const NcclShape& shape);

/// Joins processes to jobs by their communicators, and judges each job. O(lines kept x log).
[[nodiscard]] Network analyseNetwork(const NcclLogs& logs);

}  // namespace rankscope::network
