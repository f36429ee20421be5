// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/network/parts.h"

namespace rankscope::network {
namespace {

bool isOff(const std::string& value) {
    return value == "1";
}
bool isLocal(const std::string& value) {
    return value == "LOC" || value == "0";
}
bool isSocket(const std::string& value) {
    return value == "Socket" || value == "socket";
}

/// Whether a job is known to have ranks on several hosts.
bool spansHosts(const Job& job) {
    return std::ranges::any_of(job.communicators, [](const Communicator& communicator) {
        return communicator.nodes > 1 || (communicator.nodes == 0 && communicator.hosts.size() > 1);
    });
}

/// Whether each communicator of a job is known to be on one host.
bool staysOnHosts(const Job& job) {
    return !job.communicators.empty() && std::ranges::all_of(job.communicators, &Communicator::isOnOneHost);
}

/// Whether no host is known, or may be, to have two ranks of a communicator.
bool isAloneOnHosts(const Job& job) {
    return !job.communicators.empty() && std::ranges::all_of(job.communicators, [](const Communicator& communicator) {
        return communicator.ranks == 1 || std::cmp_equal(communicator.hostCount(), communicator.ranks);
    });
}

/// Whether a connection is known to cross hosts: a network is used inside one only if hosts say so.
bool isAcross(const Connection& connection) {
    return !connection.is_inside_host && !connection.from_host.empty() && !connection.to_host.empty();
}

std::set<std::string> hostsOf(const Connection& connection) {
    std::set<std::string> hosts = {connection.from_host, connection.to_host};
    hosts.erase("");
    return hosts;
}

/// Counts connections that have a problem, of those it can concern.
class Counter {
  public:
    Counter(const NcclLogs& logs, Finding& finding) : logs_(logs), finding_(finding) {}

    void add(const Connection& connection, bool has_problem) {
        const NcclEdge& edge = logs_.edges[connection.edge];
        finding_.whole += edge.lines;
        if (!has_problem) {
            return;
        }
        finding_.part += edge.lines;
        addCommunicator(finding_, connection.communicator);
        const std::set<std::string> hosts = hostsOf(connection);
        hosts_.insert(hosts.begin(), hosts.end());
        finding_.name = finding_.name.empty() ? edge.path : finding_.name;
        if (lines_.size() < 2) {
            lines_.push_back(edge.first);
        }
    }

    /// Puts the hosts and the first lines into the finding.
    void finish() {
        finding_.hosts.assign(hosts_.begin(), hosts_.end());
        for (const NcclLine& line : lines_) {
            addEvidence(finding_, line);
        }
    }

  private:
    const NcclLogs& logs_;
    Finding& finding_;
    std::set<std::string> hosts_;
    std::vector<NcclLine> lines_;
};

/// Interfaces that are of a fast network: Slingshot's and those of IP over InfiniBand.
bool hasFastInterface(const NcclLogs& logs, const Job& job) {
    for (const Process& process : job.processes) {
        for (const NcclRemark& remark : logs.processes[process.log].remarks) {
            const std::string& text = remark.line.text;
            if (remark.kind == NcclRemarkKind::Interfaces &&
                (text.find("]hsn") != std::string::npos || text.find("]ib") != std::string::npos)) {
                return true;
            }
        }
    }
    return false;
}

/// Why a faster network is not used, as far as lines say. Whether they show that there is one.
bool explainSockets(const NcclLogs& logs, const Job& job, Finding& finding) {
    for (const NcclRemarkKind kind :
         {NcclRemarkKind::PluginFailed, NcclRemarkKind::VerbsMissing, NcclRemarkKind::NoIbDevice}) {
        addRemarks(logs, job, kind, finding);
    }
    bool is_switched_off = addSetting(logs, job, "NCCL_IB_DISABLE", &isOff, finding);
    is_switched_off = addSetting(logs, job, "NCCL_NET", &isSocket, finding) || is_switched_off;
    const bool has_failed = std::ranges::any_of(finding.remarks, [](NcclRemarkKind kind) {
        return kind == NcclRemarkKind::PluginFailed || kind == NcclRemarkKind::VerbsMissing;
    });
    const bool has_fast = hasFastInterface(logs, job);
    if (has_fast) {
        addRemarks(logs, job, NcclRemarkKind::Interfaces, finding);
    }
    return has_failed || is_switched_off || has_fast;
}

void judgeSockets(const NcclLogs& logs, Job& job) {
    Finding finding;
    finding.topic = Topic::SocketFallback;
    Counter counter(logs, finding);
    for (const Connection& connection : job.connections) {
        // Where the hosts of the ends are unknown, a network shows that they differ.
        if (isAcross(connection) || (!connection.is_inside_host && connection.kind > PathKind::HostMemory)) {
            counter.add(connection, connection.kind == PathKind::Socket);
        }
    }
    const bool has_connections = finding.whole > 0;
    counter.finish();
    for (std::size_t i = 0; !has_connections && spansHosts(job) && i < job.processes.size(); ++i) {
        const NcclProcess& logged = logs.processes[job.processes[i].log];
        if (logged.network == "Socket") {
            finding.processes.push_back(i);
            addEvidence(finding, logged.network_line);
        }
    }
    const bool stays = staysOnHosts(job);
    if (stays || job.communicators.empty() || (finding.part == 0 && finding.processes.empty())) {
        const bool is_known = stays || (has_connections && !job.communicators.empty());
        setJudgement(job, Topic::SocketFallback, is_known ? Judgement::Fine : Judgement::CannotTell);
        return;
    }
    if (finding.hosts.empty()) {
        finding.hosts = job.hosts;
    }
    for (std::size_t i = 0; finding.part == 0 && i < job.communicators.size(); ++i) {
        if (!job.communicators[i].isOnOneHost()) {
            addCommunicator(finding, i);
        }
    }
    finding.level = explainSockets(logs, job, finding) ? Level::High : Level::Medium;
    addFinding(job, std::move(finding));
}

void judgePeerAccess(const NcclLogs& logs, Job& job) {
    const auto is_inside = [](const Connection& connection) {
        return connection.is_inside_host && connection.kind != PathKind::Other;
    };
    const bool has_rings = std::ranges::any_of(job.connections, [&is_inside](const Connection& connection) {
        return is_inside(connection) && connection.is_in_ring;
    });
    Finding finding;
    finding.topic = Topic::NoPeerAccess;
    Counter counter(logs, finding);
    for (const Connection& connection : job.connections) {
        if (is_inside(connection) && (connection.is_in_ring || !has_rings)) {
            counter.add(connection, connection.kind != PathKind::PeerToPeer);
        }
    }
    counter.finish();
    if (finding.part == 0) {
        const bool is_known = finding.whole > 0 || isAloneOnHosts(job);
        setJudgement(job, Topic::NoPeerAccess, is_known ? Judgement::Fine : Judgement::CannotTell);
        return;
    }
    addSetting(logs, job, "NCCL_P2P_DISABLE", &isOff, finding);
    addSetting(logs, job, "NCCL_P2P_LEVEL", &isLocal, finding);
    addRemarks(logs, job, NcclRemarkKind::PeerAccessOff, finding);
    // Between CPU sockets NCCL may choose the host's memory itself.
    finding.level = finding.part == finding.whole ? Level::High : Level::Low;
    addFinding(job, std::move(finding));
}

void judgeRdma(const NcclLogs& logs, Job& job) {
    Finding finding;
    finding.topic = Topic::NoRdma;
    Counter counter(logs, finding);
    bool has_network = false;
    for (const Connection& connection : job.connections) {
        const bool is_fast = connection.kind == PathKind::GpuRdma || connection.kind == PathKind::HostNetwork;
        has_network = has_network || is_fast || connection.kind == PathKind::Socket;
        // NCCL may choose to send from the host's memory, where the receiver still uses RDMA.
        if (is_fast && logs.edges[connection.edge].end != NcclEnd::Send) {
            counter.add(connection, connection.kind == PathKind::HostNetwork);
        }
    }
    counter.finish();
    if (finding.part == 0) {
        const bool is_known = has_network || staysOnHosts(job);
        setJudgement(job, Topic::NoRdma, is_known ? Judgement::Fine : Judgement::CannotTell);
        return;
    }
    addRemarks(logs, job, NcclRemarkKind::NoGpuRdma, finding);
    finding.level = finding.part == finding.whole ? Level::High : Level::Medium;
    addFinding(job, std::move(finding));
}

}  // namespace

void judgePaths(const NcclLogs& logs, Job& job) {
    judgeSockets(logs, job);
    judgePeerAccess(logs, job);
    judgeRdma(logs, job);
}

}  // namespace rankscope::network
