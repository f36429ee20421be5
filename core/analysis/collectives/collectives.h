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

/// Whether all members of such a collective end together: their ends align clocks, and the shortest member is the
/// transfer. False for rooted operations, sends and receives, in which a member may leave early (but see
/// Collective::endsTogether()).
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
    std::int32_t size = -1;         ///< the number of members; -1: unknown
    GroupOrigin origin = GroupOrigin::Unknown;
};

/// How the members of a collective were found, best first.
enum class MatchMethod : std::uint8_t {
    CommsId,    ///< the same `Comms Id`
    Sequence,   ///< the same group, both or neither point-to-point, and the same `Seq`
    Order,      ///< the same position in the order of the group's collectives, with proof, after the best shift of
                ///< windows
    Unmatched,  ///< only one member
};
[[nodiscard]] std::string_view matchMethodName(MatchMethod method);  ///< as in the JSON: "comms-id"

/// One rank's part in a collective.
struct CollectiveMember {
    RankPosition rank;
    TimeSpan span;                 ///< first start to last end of its slices
    std::vector<SliceRef> slices;  ///< its kernels, by start; on a rank without a device its host operators
    SliceRef op;                   ///< `record_param_comms`, c10d's or the `nccl:*` range; invalid if not recorded
    SliceRef launch;               ///< the call that launched the first slice; invalid if unknown
    TimeSpan call;                 ///< the span of `launch`; empty if that is unknown
    /// When the rank could have started it (design 4.7): the later of the start of the launch call and the end of the
    /// work that its stream had to wait for. Nothing if the launch is unknown.
    std::optional<TimeNs> ready_ns;
    std::optional<DurationNs> wait_ns;          ///< without clocks: its length minus the transfer of the collective
    std::optional<DurationNs> clocked_wait_ns;  ///< by the run's clock: the last start of all members minus its own
                                                ///< start
    bool waits_only = false;  ///< by the name rules, all its kernels do nothing except wait for other ranks
    /// If members wait for only some of the others: the last of these to arrive, as an index of members; kNobody if it
    /// waited for none, or if that is unknown.
    std::uint32_t waited_for = kNobody;
    static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
};

/// A message from one member of a call of sends and receives to another.
struct CollectiveMessage {
    std::uint32_t sender = 0;  ///< index in Collective::members
    std::uint32_t receiver = 0;
    std::optional<std::int64_t> bytes;
    /// The sender stays until the receiver arrives. False for messages that the library buffers: known if the sender of
    /// a message of this size once left before its receiver came.
    bool sender_waits = true;
};

/// One communication operation, matched over its ranks.
struct Collective {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::string name;         ///< as recorded: "allreduce", else the kernel's name
    std::string dtype;        ///< "BFloat16"; empty if not recorded
    std::uint32_t group = 0;  ///< index in CollectiveFacts::groups
    std::int64_t sequence = -1;
    MatchMethod method = MatchMethod::Unmatched;
    bool complete = false;                  ///< all members of the group are in the run
    std::vector<CollectiveMember> members;  ///< by rank
    /// The messages of sends and receives. Empty if the peers are not recorded.
    std::vector<CollectiveMessage> messages;
    /// Two members that send and receive; each waits for the other.
    bool in_rendezvous = false;
    /// Transfer and waits are measured on the run's clock: members may have waited for different members, each for its
    /// CollectiveMember::waited_for.
    bool timed_by_clock = false;
    std::optional<std::int64_t>
        bytes;  ///< output of an all-gather, input of other kinds; of messages what a member sends
    /// If all members end together and all are known: the shortest member. For other sends and receives: the shortest
    /// time that a member stays after all that it waits for have arrived.
    std::optional<DurationNs> transfer_ns;
    /// If it is slow compared with its peers, or its group compared with its sister groups: the transfer time at their
    /// speed; nothing if it is not slow.
    std::optional<DurationNs> baseline_transfer_ns;
    std::optional<double> algorithm_gb_per_s;        ///< bytes / transfer, GB = 1e9
    std::optional<double> bus_gb_per_s;              ///< nccl-tests' bus bandwidth
    std::optional<DurationNs> clock_uncertainty_ns;  ///< the error of clocked_wait_ns

    /// Whether all members end together, each waiting for all others.
    [[nodiscard]] bool endsTogether() const { return finishesTogether(kind) || in_rendezvous; }
    /// When the transfer begins for one of its members, on that member's file clock; before that it waits. Nothing if
    /// the two cannot be separated.
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

/// Why the fitted line says little about messages of this size.
enum class SizeMark : std::uint8_t {
    OnLine,
    LatencyBound,  ///< its latency is longer than moving its bytes: the transfer shows no bandwidth
    Slower,  ///< it takes over a fifth longer than the line: messages cut into pieces, another protocol, a busy link
    Faster,  ///< it takes over a fifth less than the line: another protocol or algorithm
};
[[nodiscard]] std::string_view sizeMarkName(SizeMark mark);  ///< as in the JSON: "latency-bound"

/// The transfers of one size that a fit is based on.
struct TransferSize {
    std::int64_t bytes = 0;
    DurationNs transfer_ns = 0;  ///< the median of its transfers
    DurationNs fitted_ns = 0;    ///< the time on the line
    std::size_t samples = 0;
    SizeMark mark = SizeMark::OnLine;
};

/// The transfer time by size of one kind of collective in one group, as a fitted line: latency + bytes / bandwidth.
struct TransferFit {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::uint32_t group = 0;    ///< index in CollectiveFacts::groups
    DurationNs latency_ns = 0;  ///< time of a message of zero bytes, at least 0
    double gb_per_s = 0;        ///< algorithm bandwidth, GB = 1e9
    double residual = 0;        ///< median over the sizes of |measured - fitted| over measured
    double mean_error = 0;      ///< the mean of the same
    double largest_error = 0;   ///< the largest of the same
    /// The share of the variance between sizes that the line explains; nothing for two sizes, since a line through two
    /// points always fits.
    std::optional<double> r2 = {};
    std::size_t sizes = 0;                    ///< number of different sizes
    std::size_t samples = 0;                  ///< number of collectives
    std::vector<TransferSize> measured = {};  ///< one entry per size, ascending

    /// Whether this is the fit for the kind and the process group of `collective`, so that it predicts its transfer.
    [[nodiscard]] bool isOf(const Collective& collective) const {
        return kind == collective.kind && group == collective.group;
    }
    /// The predicted transfer time of a message of this size.
    [[nodiscard]] DurationNs at(std::int64_t bytes) const {
        return latency_ns + static_cast<DurationNs>(static_cast<double>(bytes) / gb_per_s);
    }
    /// Whether the latency of a message of this size is longer than moving its bytes.
    [[nodiscard]] bool isLatencyBound(std::int64_t bytes) const {
        return static_cast<double>(latency_ns) > static_cast<double>(bytes) / gb_per_s;
    }
    /// Whether the bandwidth is that of the link: not if even the largest size is bound by latency.
    [[nodiscard]] bool tellsBandwidth() const { return measured.empty() || !isLatencyBound(measured.back().bytes); }
    /// Whether the errors say how good the line is: not with two sizes and a latency, since a line through two points
    /// always fits.
    [[nodiscard]] bool tellsErrors() const { return sizes > 2 || latency_ns == 0; }
};

/// A group that moves its bytes more slowly than its sister groups, which do the same among other ranks.
struct SlowGroup {
    std::uint32_t group = 0;      ///< index in CollectiveFacts::groups
    std::size_t sisters = 0;      ///< the number of sister groups that it was compared with
    double gb_per_s = 0;          ///< algorithm bandwidth of its collectives that have a baseline, GB = 1e9
    double sisters_gb_per_s = 0;  ///< the same for the same bytes at the speed of its sister groups
};

/// The collectives of a run, matched over its ranks, without times.
struct MatchedCollectives {
    std::vector<CollectiveGroup> groups;
    std::vector<Collective> collectives;
    std::vector<UnmatchedCollectives> unmatched;
};

/// The collectives of a run on one clock, by the start of their first member, with their transfers and waits.
struct CollectiveFacts : MatchedCollectives {
    std::vector<TransferFit> fits;       ///< for collectives whose sizes were recorded and vary
    std::vector<SlowGroup> slow_groups;  ///< by group

    /// The entry of a slow group; nullptr for any other group. O(log n).
    [[nodiscard]] const SlowGroup* slowGroup(std::uint32_t group) const;

    /// The fit that predicts the transfer of a collective; nullptr if there is none. The pointer is valid until `fits`
    /// changes.
    [[nodiscard]] const TransferFit* fitOf(const Collective& collective) const;
};

}  // namespace rankscope
