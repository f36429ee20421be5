// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "core/network/parts.h"

namespace rankscope::network {
namespace {

/// Where a connection may be: in a communicator, between these hosts.
struct Candidate {
    std::size_t communicator = 0;
    std::string from_host;
    std::string to_host;
    bool is_inside_host = false;

    [[nodiscard]] auto ends() const { return std::tie(from_host, to_host, is_inside_host); }
};

/// Finds out which ranks connections join.
class Finder {
  public:
    Finder(const NcclLogs& logs, const Job& job) : logs_(logs) {
        for (std::size_t i = 0; i < job.communicators.size(); ++i) {
            std::map<std::int32_t, std::size_t>& ranks = by_rank_.emplace_back();
            std::set<std::pair<std::int32_t, std::int32_t>>& neighbours = neighbours_.emplace_back();
            for (const std::size_t member : job.communicators[i].members) {
                ranks.try_emplace(logs.members[member].rank, member);
                of_process_[logs.members[member].process].insert(i);
            }
            for (const std::vector<std::int32_t>& ring : job.communicators[i].rings) {
                for (std::size_t at = 0; at < ring.size(); ++at) {
                    neighbours.emplace(ring[at], ring[(at + 1) % ring.size()]);
                }
            }
            one_host_.push_back(job.communicators[i].isOnOneHost());
        }
    }

    [[nodiscard]] Connection find(std::size_t index) const {
        const NcclEdge& edge = logs_.edges[index];
        Connection out;
        out.edge = index;
        out.kind = pathKindOf(edge.path);
        const std::vector<Candidate> all = candidates(edge);
        if (all.empty()) {
            return out;
        }
        const Candidate& first = all.front();
        if (std::ranges::all_of(all, [&first](const Candidate& one) { return one.ends() == first.ends(); })) {
            out.from_host = first.from_host;
            out.to_host = first.to_host;
            out.is_inside_host = first.is_inside_host;
        }
        if (all.size() == 1) {
            out.communicator = first.communicator;
        } else {
            std::ranges::transform(all, std::back_inserter(out.possible), &Candidate::communicator);
        }
        out.is_in_ring = std::ranges::all_of(all, [this, &edge](const Candidate& one) {
            return neighbours_[one.communicator].contains({edge.from, edge.to});
        });
        return out;
    }

  private:
    [[nodiscard]] const NcclMember* memberOf(std::size_t communicator, std::int32_t rank) const {
        const auto at = by_rank_[communicator].find(rank);
        return at == by_rank_[communicator].end() ? nullptr : &logs_.members[at->second];
    }

    /// Older versions write the bus where newer ones write the device.
    static bool hasDevice(const NcclMember& member, const std::string& device) {
        const std::int32_t number = member.nvml_device >= 0 ? member.nvml_device : member.device;
        return device == member.bus || number < 0 || device == std::to_string(number);
    }

    [[nodiscard]] std::vector<Candidate> candidates(const NcclEdge& edge) const {
        std::vector<Candidate> out;
        const auto communicators = of_process_.find(edge.process);
        if (communicators == of_process_.end()) {
            return out;
        }
        for (const std::size_t i : communicators->second) {
            const NcclMember* from = memberOf(i, edge.from);
            const NcclMember* to = memberOf(i, edge.to);
            const NcclMember* writer = edge.end == NcclEnd::Receive ? to : from;
            const bool is_writer = writer != nullptr && writer->process == edge.process &&
                                   (!edge.member || writer == &logs_.members[*edge.member]);
            const bool has_devices = (from == nullptr || hasDevice(*from, edge.from_device)) &&
                                     (to == nullptr || hasDevice(*to, edge.to_device));
            if (is_writer && has_devices && std::max(edge.from, edge.to) < writer->ranks) {
                const std::string from_host = from == nullptr ? "" : logs_.processes[from->process].host;
                const std::string to_host = to == nullptr ? "" : logs_.processes[to->process].host;
                const bool is_inside = !from_host.empty() && from_host == to_host;
                out.push_back({i, from_host, to_host, is_inside || one_host_[i]});
            }
        }
        return out;
    }

    const NcclLogs& logs_;
    std::vector<std::map<std::int32_t, std::size_t>> by_rank_;
    std::vector<std::set<std::pair<std::int32_t, std::int32_t>>> neighbours_;
    std::vector<bool> one_host_;
    std::map<std::size_t, std::set<std::size_t>> of_process_;
};

void addPaths(const NcclLogs& logs, Job& job) {
    std::map<std::tuple<std::string, std::string, std::string>, PathSum> sums;
    for (const Connection& connection : job.connections) {
        const NcclEdge& edge = logs.edges[connection.edge];
        PathSum& sum = sums[{connection.from_host, connection.to_host, edge.path}];
        sum.from_host = connection.from_host;
        sum.to_host = connection.to_host;
        sum.path = edge.path;
        sum.kind = connection.kind;
        sum.lines += edge.lines;
        sum.channels += edge.end == NcclEnd::Receive ? 0 : edge.lines;
    }
    for (auto& [key, sum] : sums) {
        job.paths.push_back(std::move(sum));
    }
    std::ranges::stable_sort(job.paths, std::greater(), &PathSum::lines);
}

}  // namespace

PathKind pathKindOf(const std::string& path) {
    if (path.starts_with("P2P")) {
        return PathKind::PeerToPeer;
    }
    if (path.starts_with("SHM") || path.starts_with("direct shared memory")) {
        return PathKind::HostMemory;
    }
    if (path.starts_with("NET/Socket")) {
        return PathKind::Socket;
    }
    if (path.starts_with("NET/")) {
        return path.find("/GDRDMA") == std::string::npos ? PathKind::HostNetwork : PathKind::GpuRdma;
    }
    return PathKind::Other;
}

void addConnections(const NcclLogs& logs, const std::vector<std::vector<std::size_t>>& of_process, Job& job) {
    const Finder finder(logs, job);
    for (const Process& process : job.processes) {
        for (const std::size_t edge : of_process[process.log]) {
            const Connection& connection = job.connections.emplace_back(finder.find(edge));
            const bool is_open =
                !connection.is_inside_host && (connection.from_host.empty() || connection.to_host.empty());
            job.connections_open += is_open ? logs.edges[edge].lines : 0;
        }
    }
    addPaths(logs, job);
}

}  // namespace rankscope::network
