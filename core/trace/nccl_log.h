// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// A line of a log, as evidence.
struct NcclLine {
    std::uint32_t file = 0;    ///< index in NcclLogs::files
    std::uint64_t number = 0;  ///< from 1; 0: no line
    std::string text;          ///< as written, cut after 300 bytes; empty where only the place is kept
};

/// A file of lines, and how much of it was NCCL's.
struct NcclLogFile {
    std::string path;
    std::uint64_t bytes = 0;    ///< unpacked
    std::uint64_t lines = 0;    ///< all
    std::uint64_t matched = 0;  ///< that NCCL wrote
    std::uint64_t cut = 0;      ///< of these or beside them: cut by another process's line, or without their end
    std::string damage;         ///< why it ended early; empty: it did not
};

/// What a line says about a network or a path that NCCL does not use.
enum class NcclRemarkKind : std::uint8_t {
    PluginFailed,   ///< a network plugin is there, and does not load
    VerbsMissing,   ///< libibverbs does not load
    NoIbDevice,     ///< no InfiniBand or RoCE device
    Interfaces,     ///< the interfaces that sockets use
    PeerAccessOff,  ///< GPUs cannot read each other's memory
    NoGpuRdma,      ///< the network cannot read the memory of GPUs
};

struct NcclRemark {
    NcclRemarkKind kind = NcclRemarkKind::PluginFailed;
    NcclLine line;
};

struct NcclSetting {
    std::string name;  ///< "NCCL_SOCKET_IFNAME"
    std::string value;
    NcclLine line;
};

/// A process that uses NCCL or RCCL.
struct NcclProcess {
    std::string host;
    std::int64_t pid = 0;
    std::string version;  ///< "NCCL 2.28.9+cuda13.0", "RCCL 2.21.5"; empty: not written
    NcclLine version_line;
    std::optional<std::int64_t> driver;  ///< of CUDA: 13020 is 13.2
    NcclLine driver_line;
    std::string network;  ///< "Socket", "IB"; empty: not written
    NcclLine network_line;
    std::vector<NcclSetting> settings;  ///< in the order of the log, each name once
    std::vector<NcclRemark> remarks;    ///< the first of each kind
    std::vector<NcclLine> warnings;     ///< the first of them
    std::uint64_t warning_count = 0;
};

/// A rank's place in the tree of a channel; -1: none.
struct NcclTree {
    std::vector<std::int32_t> children;
    std::int32_t parent = -1;
};

/// A shape of calls: the same kind, elements, type, operator and root.
struct NcclShape {
    std::string kind;         ///< as NCCL writes it: "AllGather"
    std::uint64_t count = 0;  ///< elements, as passed to the call
    std::int32_t type = 0;    ///< NCCL's number of the datatype
    std::int32_t op = 0;      ///< NCCL's number of the operator
    std::int32_t root = 0;    ///< of a send or receive: the peer

    /// Whether it joins two ranks only, and has no order over all.
    [[nodiscard]] bool isExchange() const { return kind == "Send" || kind == "Recv"; }
};

/// Calls of one kind on one rank.
struct NcclKindSum {
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;    ///< elements times their size, of calls whose type is known
    std::uint64_t untyped = 0;  ///< calls of unknown type
};

/// The part of a start-up in which a rank waits for the others.
inline constexpr std::string_view kNcclWaiting = "waiting for ranks";

/// A communicator as one rank has it.
struct NcclMember {
    std::size_t process = 0;            ///< index in NcclLogs::processes
    std::uint64_t pointer = 0;          ///< names it in the process until it is destroyed
    std::string id;                     ///< the commId that all its ranks share; empty: none, see `parent`
    std::optional<std::size_t> parent;  ///< the member that it was split from
    std::string split;                  ///< which split of `parent`: count and color
    std::int32_t rank = 0;
    std::int32_t ranks = 0;
    std::int32_t device = -1;                                 ///< of CUDA; -1: unknown
    std::int32_t nvml_device = -1;                            ///< -1: unknown
    std::string bus;                                          ///< hexadecimal, as written
    std::int32_t nodes = 0;                                   ///< hosts; 0: unknown
    std::int32_t channels = 0;                                ///< for collectives; 0: unknown
    std::map<std::int32_t, std::vector<std::int32_t>> rings;  ///< by channel; only rank 0 writes them
    std::map<std::int32_t, NcclTree> trees;                   ///< by channel
    std::optional<DurationNs> init_ns;
    /// As named: "bootstrap", of which waiting for the other ranks to start is a part of its own, kNcclWaiting.
    std::vector<std::pair<std::string, DurationNs>> init_parts;
    NcclLine start_line;
    NcclLine channels_line;
    NcclLine init_line;
    bool is_complete = false;  ///< its start-up
    bool is_ended = false;     ///< destroyed or aborted
    bool is_repeated = false;  ///< its start is in the logs twice: so may be its calls

    std::map<std::string, NcclKindSum> kinds;
    std::unordered_map<std::uint32_t, std::uint64_t> shapes;  ///< calls by index in NcclLogs::shapes
    std::vector<std::uint32_t> order;  ///< collectives in order, by shape: the first of them, see `order_is_whole`
    bool order_is_whole = true;
    NcclLine last_call;
};

/// Which ends of a connection a process writes about.
enum class NcclEnd : std::uint8_t { Both, Send, Receive };

/// A connection between two ranks, over one or more channels.
struct NcclEdge {
    std::size_t process = 0;            ///< that wrote it
    std::optional<std::size_t> member;  ///< index in NcclLogs::members; nothing: the log does not say
    NcclEnd end = NcclEnd::Both;
    std::int32_t from = 0;  ///< ranks of the communicator
    std::int32_t to = 0;
    std::string from_device;  ///< NVML's number, or the bus in older versions
    std::string to_device;
    std::string path;         ///< "SHM/direct/direct", "NET/IB/GDRDMA": without the network device's number
    std::uint64_t lines = 0;  ///< channel lines
    NcclLine first;
};

/// How NCCL ran calls of a kind and size.
struct NcclChoice {
    std::string kind;
    std::uint64_t bytes = 0;
    std::string algorithm;  ///< "RING"
    std::string protocol;   ///< "SIMPLE"
    auto operator<=>(const NcclChoice&) const = default;
};

/// The lines of NCCL and RCCL in one or more files.
struct NcclLogs {
    std::vector<NcclLogFile> files;
    std::vector<NcclProcess> processes;  ///< in the order of their first lines
    std::vector<NcclMember> members;     ///< in the order of their starts
    std::vector<NcclEdge> edges;
    std::uint64_t edges_left_out = 0;  ///< lines of edges above the bound
    std::vector<NcclShape> shapes;
    std::map<NcclChoice, std::uint64_t> choices;  ///< calls
};

/// Bytes of an element of NCCL's type; nothing: unknown.
[[nodiscard]] constexpr std::optional<std::uint64_t> ncclTypeBytes(std::int32_t type) {
    switch (type) {
        case 0:
        case 1:
        case 10:
        case 11: return 1;
        case 6:
        case 9: return 2;
        case 2:
        case 3:
        case 7: return 4;
        case 4:
        case 5:
        case 8: return 8;
        default: return std::nullopt;
    }
}

}  // namespace rankscope
