// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/facts.h"
#include "core/network/network.h"
#include "core/trace/run.h"

/// The logs of a job joined with the traces of the same job: a process group is a communicator if its calls prove it.
namespace rankscope::network {

/// How far a process group is joined with a communicator.
enum class JoinState : std::uint8_t {
    Joined,          ///< each of its collectives is one call of the log
    SeveralPlaces,   ///< it is the communicator, but its calls fit at several places of the log
    Ambiguous,       ///< its calls fit in several communicators, or another group fits in the same one
    CallDiffers,     ///< at the place that fits best a call differs
    LogTooShort,     ///< the log has fewer calls than the trace
    Unaligned,       ///< the traces of its ranks do not show which of their collectives are the same
    Incomplete,      ///< the log has calls of a rank twice, or more than are kept
    TooMany,         ///< there are too many calls to compare
    NoCalls,         ///< the logs have no calls of its ranks: COLL is missing
    NoCommunicator,  ///< no communicator in the logs is of its processes
};

/// The first call in which the trace and the log differ, at the place where most calls before it agree.
struct CallConflict {
    RankPosition rank;
    CollectivePosition collective;
    std::uint32_t shape = 0;   ///< of the log's call: index in NcclLogs::shapes
    std::uint64_t number = 0;  ///< of the log's call among the compared ones of its communicator, from 0
};

/// A process group, and what the logs say about it. Only groups with collectives that NCCL logs as one call have one:
/// not sends and receives, nor what consists of these.
struct GroupJoin {
    std::uint32_t group = 0;  ///< index in CollectiveFacts::groups
    JoinState state = JoinState::NoCommunicator;
    std::size_t job = 0;           ///< index in Network::jobs; this and the next only if a communicator was compared
    std::size_t communicator = 0;  ///< index in Job::communicators
    std::size_t ranks = 0;         ///< that have both a trace and a log
    std::size_t collectives = 0;   ///< of the group in the traces of these ranks: all of them were compared
    std::uint64_t first = 0;       ///< if joined: the first one's number in the communicator, from 0
    bool by_sequence = false;      ///< several places fit, and c10d's sequence numbers say which
    std::optional<CallConflict> conflict;

    /// Whether its collectives are known to run on the communicator.
    [[nodiscard]] bool isKnown() const { return state == JoinState::Joined || state == JoinState::SeveralPlaces; }
};

/// What the log says about a collective of a joined group.
struct JoinedCall {
    CollectivePosition collective;
    std::uint32_t shape = 0;            ///< index in NcclLogs::shapes
    std::optional<std::int64_t> bytes;  ///< measured as Collective::bytes; nothing if the type is unknown
    /// How NCCL ran calls of this kind and size, if the logs say it and only one way. `bytes` is as in the log.
    std::optional<NcclChoice> choice;
};

/// A call of the log that is a collective of the run.
struct CallPlace {
    std::size_t member = 0;  ///< index in NcclLogs::members: the rank that made it
    std::size_t call = 0;    ///< index in NcclMember::order
    CollectivePosition collective;
};

/// The exposed transfers that take the path of a finding.
struct PathCost {
    std::size_t job = 0;        ///< index in Network::jobs
    std::size_t finding = 0;    ///< index in Job::findings
    DurationNs exposed_ns = 0;  ///< per step of the run, median or mean as RunFacts::basis: of the rank with most
    std::size_t groups = 0;     ///< the number of process groups that take the path
    bool is_partial = false;    ///< further collectives may take it: of communicators or channel lines without a group
};

/// A run and the logs of its job.
struct RunJoin {
    std::vector<GroupJoin> groups;  ///< by group
    std::vector<JoinedCall> calls;  ///< by collective: those of joined groups
    std::vector<CallPlace> places;  ///< by member and call: the calls of all ranks that are these collectives
    std::vector<PathCost> costs;    ///< by job and finding: of findings about a path, if a group takes it

    /// The cost of a finding; nullptr if it is unknown.
    [[nodiscard]] const PathCost* costOf(std::size_t job, std::size_t finding) const;
};

/// Joins the process groups of a run with communicators of the logs. Candidates are communicators of the same size and
/// processes: those with the pid, and if it is recorded the host, of a trace; else those with its rank's number, in a
/// job of as many ranks. Kind, bytes and type of every collective must agree, as far as they are recorded, over all
/// ranks and at the same place of the log. A group is joined if only one place fits. If several do, c10d's sequence
/// numbers decide, if the log begins with the communicator. O(calls of the logs) for calls that repeat with a period,
/// with a bound for others.
[[nodiscard]] RunJoin joinRun(const NcclLogs& logs, const Network& network, const Run& run, const RunFacts& facts);

}  // namespace rankscope::network
