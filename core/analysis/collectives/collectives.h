// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

// The collectives of a run as facts (design 4.5). Times of a member are on its rank's own file clock.

/// What a collective does. A grouped call of sends and receives is SendReceive.
enum class CollectiveKind : std::uint8_t {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    Broadcast,
    Reduce,
    Gather,
    Scatter,
    SendReceive,
    Barrier,
    Unknown,
};
[[nodiscard]] std::string_view collectiveKindName(CollectiveKind kind);  ///< as in the JSON: "all-reduce"

/// Whether all members end together, whatever they are: their ends align clocks, and the shortest is the transfer. Not
/// so for rooted operations, sends and receives, where a member may leave early (but see Collective::endsTogether).
[[nodiscard]] constexpr bool finishesTogether(CollectiveKind kind) {
    return kind == CollectiveKind::AllReduce || kind == CollectiveKind::AllGather ||
           kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllToAll || kind == CollectiveKind::Barrier;
}

/// Where the members of a group were taken from, best first.
enum class GroupOrigin : std::uint8_t { Configuration, StartAndStride, RankList, World, Unknown };

[[nodiscard]] std::string_view groupOriginName(GroupOrigin origin);  ///< as in the JSON: "configuration"

/// The ranks that communicate with one another.
struct CollectiveGroup {
    std::string name;               ///< `Process Group Name`; empty if it is not recorded
    std::string description;        ///< e.g. "default_pg"
    std::vector<RankNumber> ranks;  ///< sorted; empty if unknown
    std::int32_t size = -1;         ///< how many members; -1 unknown
    GroupOrigin origin = GroupOrigin::Unknown;
};

/// How the members of a collective were found, best first.
enum class MatchMethod : std::uint8_t {
    CommsId,    ///< the same `Comms Id`
    Sequence,   ///< the same group, point-to-point or not, and `Seq`
    Order,      ///< the same place in the order of the group's collectives, with proof, after the best window shift
    Unmatched,  ///< one member alone
};
[[nodiscard]] std::string_view matchMethodName(MatchMethod method);  ///< as in the JSON: "comms-id"

/// One rank's part in a collective.
struct CollectiveMember {
    RankPosition rank;
    TimeSpan span;                 ///< first start to last end of its slices
    std::vector<SliceRef> slices;  ///< its kernels, by start; on a rank without a device its host operators
    SliceRef op;                   ///< `record_param_comms`, c10d's or the `nccl:*` range; invalid if not recorded
    SliceRef launch;               ///< the call that launched the first slice; invalid if unknown
    TimeSpan call;                 ///< of `launch`; empty if that is unknown
    /// When the rank could have started it (design 4.7): the start of the launch call, or the end of the work that its
    /// stream had to wait for, the later of the two. Nothing if the launch is unknown.
    std::optional<TimeNs> ready_ns;
    std::optional<DurationNs> wait_ns;          ///< clock-free: length - transfer of the match
    std::optional<DurationNs> clocked_wait_ns;  ///< by the run's clock: last start of all - own start
    bool waits_only = false;  ///< all its kernels do nothing but wait for other ranks, known by the name rules
    /// Where members wait for some of the others only: the last of these to come, as an index of members; kNobody where
    /// it waited for none, or that cannot be determined.
    std::uint32_t waited_for = kNobody;
    static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
};

/// What one member of a call of sends and receives sends to another.
struct CollectiveMessage {
    std::uint32_t sender = 0;  ///< index in Collective::members
    std::uint32_t receiver = 0;
    std::optional<std::int64_t> bytes;
    /// The sender stays until the receiver has come. Not so of messages that the library buffers: the sender of one of
    /// this size once left before.
    bool sender_waits = true;
};

/// One communication operation, matched over the ranks that took part.
struct Collective {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::string name;         ///< as recorded: "allreduce", else the kernel's name
    std::string dtype;        ///< "BFloat16"; empty if not recorded
    std::uint32_t group = 0;  ///< index in CollectiveFacts::groups
    std::int64_t sequence = -1;
    MatchMethod method = MatchMethod::Unmatched;
    bool complete = false;                  ///< all members of the group are there
    std::vector<CollectiveMember> members;  ///< by rank
    /// Of sends and receives: who sends to whom. Empty if the peers are not recorded.
    std::vector<CollectiveMessage> messages;
    /// Two members that send and receive, each of which waits for the other.
    bool in_rendezvous = false;
    /// Transfer and waits are by the run's clock: members may have waited for different ones, each for
    /// CollectiveMember::waited_for.
    bool timed_by_clock = false;
    std::optional<std::int64_t>
        bytes;  ///< output of an all-gather, input of the others; of messages what a member sends
    /// Shortest member of a whole match that ends together; of other sends and receives the shortest that a member is
    /// in it after all that it waits for have come.
    std::optional<DurationNs> transfer_ns;
    /// What it would take at the baseline speed of its peers, where it is slow beside them, or of its sister groups',
    /// where its group is slow beside these; nothing if it is not.
    std::optional<DurationNs> baseline_transfer_ns;
    std::optional<double> algorithm_gb_per_s;        ///< bytes / transfer, GB = 1e9
    std::optional<double> bus_gb_per_s;              ///< nccl-tests' bus bandwidth
    std::optional<DurationNs> clock_uncertainty_ns;  ///< of clocked_wait_ns

    /// Whether all members end together, each waiting for all others.
    [[nodiscard]] bool endsTogether() const { return finishesTogether(kind) || in_rendezvous; }
    /// When the transfer of one of its members begins, on that one's file clock: before, it waits. Nothing where the
    /// two cannot be separated.
    [[nodiscard]] std::optional<TimeNs> beginOf(const CollectiveMember& member) const {
        if (!transfer_ns) {
            return std::nullopt;
        }
        return member.wait_ns ? member.span.start_ns + *member.wait_ns : member.span.end_ns - *transfer_ns;
    }

    /// The member of a rank, or nullptr if that rank has no part in this
    /// collective. O(log members). The pointer is valid until `members` changes.
    [[nodiscard]] const CollectiveMember* memberOf(RankPosition rank) const;
};

/// Collectives of one rank and group that have no partner, and why.
struct UnmatchedCollectives {
    RankPosition rank;
    std::uint32_t group = 0;
    std::size_t count = 0;
    std::string reason;
};

/// Why a size is where a line of latency and bandwidth says little about it.
enum class SizeMark : std::uint8_t {
    OnLine,
    LatencyBound,  ///< it takes longer to begin than to move: no bandwidth can be read off it
    Slower,  ///< it takes over a fifth longer than the line: messages cut into pieces, another protocol, a busy link
    Faster,  ///< it takes over a fifth less: another protocol or algorithm
};
[[nodiscard]] std::string_view sizeMarkName(SizeMark mark);  ///< as in the JSON: "latency-bound"

/// The transfers of one size that a fit is based on.
struct TransferSize {
    std::int64_t bytes = 0;
    DurationNs transfer_ns = 0;  ///< the median
    DurationNs fitted_ns = 0;    ///< what the line says
    std::size_t samples = 0;
    SizeMark mark = SizeMark::OnLine;
};

/// Transfer time by size, fitted to one kind of collective in one group: latency + bytes / bandwidth.
struct TransferFit {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::uint32_t group = 0;    ///< index in CollectiveFacts::groups
    DurationNs latency_ns = 0;  ///< of a message without bytes, at least 0
    double gb_per_s = 0;        ///< algorithm bandwidth, GB = 1e9
    double residual = 0;        ///< median over the sizes of |measured - fitted| over measured
    double mean_error = 0;      ///< the mean of the same
    double largest_error = 0;   ///< the largest of the same
    /// How much of what sizes differ by the line explains; nothing for two sizes, through which any line goes.
    std::optional<double> r2 = {};
    std::size_t sizes = 0;                    ///< different sizes
    std::size_t samples = 0;                  ///< collectives
    std::vector<TransferSize> measured = {};  ///< by size

    /// Whether the fit is of the kind and the process group of `collective`, so that it shows how long its transfer
    /// should take.
    [[nodiscard]] bool isOf(const Collective& collective) const {
        return kind == collective.kind && group == collective.group;
    }
    /// What a message of this size should take.
    [[nodiscard]] DurationNs at(std::int64_t bytes) const {
        return latency_ns + static_cast<DurationNs>(static_cast<double>(bytes) / gb_per_s);
    }
    /// Whether a message of this size takes longer to begin than to move.
    [[nodiscard]] bool isLatencyBound(std::int64_t bytes) const {
        return static_cast<double>(latency_ns) > static_cast<double>(bytes) / gb_per_s;
    }
    /// Whether the bandwidth says anything of the link: not where even the largest size is bound by latency.
    [[nodiscard]] bool tellsBandwidth() const { return measured.empty() || !isLatencyBound(measured.back().bytes); }
    /// Whether the errors say anything of the line: not where it has a latency and two sizes, through which any goes.
    [[nodiscard]] bool tellsErrors() const { return sizes > 2 || latency_ns == 0; }
};

/// A group that moves its bytes more slowly than its sisters: other groups that do the same among other ranks.
struct SlowGroup {
    std::uint32_t group = 0;      ///< index in CollectiveFacts::groups
    std::size_t sisters = 0;      ///< the other groups that it was held against
    double gb_per_s = 0;          ///< of its collectives that have a baseline: algorithm bandwidth, GB = 1e9
    double sisters_gb_per_s = 0;  ///< the same bytes at the speed of its sisters
};

/// The collectives of a run, matched over its ranks; nothing is said of their times yet.
struct MatchedCollectives {
    std::vector<CollectiveGroup> groups;
    std::vector<Collective> collectives;
    std::vector<UnmatchedCollectives> unmatched;
};

/// The collectives of a run on one clock, by the start of their first member, with their transfers and waits.
struct CollectiveFacts : MatchedCollectives {
    std::vector<TransferFit> fits;       ///< where sizes were recorded and vary
    std::vector<SlowGroup> slow_groups;  ///< by group

    /// What is said of a group that is slow beside its sisters; nullptr of any other. O(log n).
    [[nodiscard]] const SlowGroup* slowGroup(std::uint32_t group) const;

    /// The fit that shows how long the transfer of a collective should take; nullptr if there is none. The pointer
    /// is valid until `fits` changes.
    [[nodiscard]] const TransferFit* fitOf(const Collective& collective) const;
};

}  // namespace rankscope
