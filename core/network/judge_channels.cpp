// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/network/parts.h"

namespace rankscope::network {
namespace {

/// Up to this many channels do not use what GPUs of one host can do.
constexpr std::int32_t kFew = 2;

/// A setting that allows no more channels than there are.
const NcclSetting* limitOf(const NcclProcess& process, std::int32_t channels) {
    constexpr std::array<std::string_view, 3> kLimits = {"NCCL_MAX_NCHANNELS", "NCCL_MAX_NRINGS", "NCCL_MAX_CTAS"};
    for (const NcclSetting& setting : process.settings) {
        if (std::ranges::find(kLimits, setting.name) != kLimits.end() && setting.value == std::to_string(channels)) {
            return &setting;
        }
    }
    return nullptr;
}

/// The slowest of some connections.
struct Slowest {
    PathKind kind = PathKind::Other;
    const NcclEdge* edge = nullptr;
};

/// The paths of a rank to its neighbours in rings: in and out, inside its host, and across hosts.
struct RankPaths {
    std::optional<Slowest> in;
    std::optional<Slowest> out;
    std::optional<Slowest> across;
};

/// The paths of each rank of a communicator, by process of the job; `places` are those of the job.
std::map<std::size_t, RankPaths> pathsOf(const NcclLogs& logs, const std::map<std::size_t, std::size_t>& places,
                                         const Communicator& communicator,
                                         const std::vector<const Connection*>& connections) {
    std::map<std::int32_t, std::size_t> by_rank;
    for (const std::size_t member : communicator.members) {
        by_rank.emplace(logs.members[member].rank, places.at(logs.members[member].process));
    }
    std::map<std::size_t, RankPaths> out;
    const auto add = [&](std::int32_t rank, std::optional<Slowest> RankPaths::*which, const Connection& connection) {
        const auto at = by_rank.find(rank);
        if (at == by_rank.end()) {
            return;
        }
        std::optional<Slowest>& slowest = out[at->second].*which;
        if (!slowest || slowest->kind < connection.kind) {
            slowest = Slowest{connection.kind, &logs.edges[connection.edge]};
        }
    };
    for (const Connection* one : connections) {
        const Connection& connection = *one;
        const NcclEdge& edge = logs.edges[connection.edge];
        if (connection.is_inside_host) {
            add(edge.from, &RankPaths::out, connection);
            add(edge.to, &RankPaths::in, connection);
        } else {
            add(edge.end == NcclEnd::Receive ? edge.to : edge.from, &RankPaths::across, connection);
        }
    }
    return out;
}

/// The kind of more than half of the ranks that have one.
std::optional<PathKind> usual(const std::vector<PathKind>& kinds) {
    std::map<PathKind, std::size_t> counts;
    for (const PathKind kind : kinds) {
        ++counts[kind];
    }
    for (const auto& [kind, count] : counts) {
        if (2 * count > kinds.size()) {
            return kind;
        }
    }
    return std::nullopt;
}

/// The faster connection of a rank inside its host: a ring that crosses CPU sockets has slow ones too, but not both of
/// a rank. Nothing if it does not have both.
std::optional<Slowest> insideOf(const RankPaths& paths) {
    if (!paths.in || !paths.out) {
        return std::nullopt;
    }
    return paths.out->kind < paths.in->kind ? paths.out : paths.in;
}

std::optional<Slowest> acrossOf(const RankPaths& paths) {
    return paths.across;
}

/// Adds a finding if some ranks are on a slower path than most: `path_of` is nothing for ranks that are not compared.
/// Whether there are enough ranks to compare.
bool compareRanks(Job& job, std::size_t communicator, const std::map<std::size_t, RankPaths>& paths,
                  std::optional<Slowest> (*path_of)(const RankPaths&)) {
    std::vector<PathKind> kinds;
    for (const auto& [process, one] : paths) {
        if (const std::optional<Slowest> path = path_of(one)) {
            kinds.push_back(path->kind);
        }
    }
    const std::optional<PathKind> most = usual(kinds);
    Finding finding;
    finding.topic = Topic::PathDiffers;
    finding.level = Level::Medium;
    finding.communicator = communicator;
    for (const auto& [process, one] : paths) {
        const std::optional<Slowest> path = path_of(one);
        if (most && path && path->kind > *most) {
            finding.processes.push_back(process);
            finding.name = finding.name.empty() ? path->edge->path : finding.name;
            addEvidence(finding, path->edge->first);
        }
    }
    finding.part = finding.processes.size();
    finding.whole = kinds.size();
    addCommunicator(finding, communicator);
    if (!finding.processes.empty()) {
        addFinding(job, std::move(finding));
    }
    return kinds.size() > 2;
}

/// Processes that use another network than most.
void compareNetworks(const NcclLogs& logs, Job& job) {
    std::map<std::string, std::vector<std::size_t>> by_name;
    for (std::size_t i = 0; i < job.processes.size(); ++i) {
        by_name[logs.processes[job.processes[i].log].network].push_back(i);
    }
    by_name.erase("");
    if (by_name.size() < 2) {
        return;
    }
    Finding finding;
    finding.topic = Topic::PathDiffers;
    finding.level = Level::High;
    for (auto& [name, processes] : by_name) {
        addEvidence(finding, logs.processes[job.processes[processes.front()].log].network_line);
        finding.variants.push_back({name, {}, std::move(processes)});
    }
    std::ranges::stable_sort(finding.variants, std::greater(),
                             [](const Variant& variant) { return variant.processes.size(); });
    addFinding(job, std::move(finding));
}

}  // namespace

void judgePathDifferences(const NcclLogs& logs, Job& job) {
    bool is_judged = false;
    const std::map<std::size_t, std::size_t> places = placesOf(job);
    std::vector<std::vector<const Connection*>> connections(job.communicators.size());
    for (const Connection& connection : job.connections) {
        if (connection.communicator && connection.is_in_ring && connection.kind != PathKind::Other) {
            connections[*connection.communicator].push_back(&connection);
        }
    }
    for (std::size_t i = 0; i < job.communicators.size(); ++i) {
        if (connections[i].empty()) {
            continue;
        }
        const std::map<std::size_t, RankPaths> paths = pathsOf(logs, places, job.communicators[i], connections[i]);
        is_judged = compareRanks(job, i, paths, insideOf) || is_judged;
        is_judged = compareRanks(job, i, paths, acrossOf) || is_judged;
    }
    compareNetworks(logs, job);
    setJudgement(job, Topic::PathDiffers, is_judged ? Judgement::Fine : Judgement::CannotTell);
}

void judgeChannels(const NcclLogs& logs, Job& job) {
    bool is_known = false;
    Finding finding;
    finding.topic = Topic::FewChannels;
    for (std::size_t i = 0; i < job.communicators.size(); ++i) {
        const Communicator& communicator = job.communicators[i];
        is_known = is_known || communicator.channels > 0;
        if (communicator.channels == 0 || communicator.ranks < 2) {
            continue;
        }
        for (const std::size_t index : communicator.members) {
            const NcclMember& member = logs.members[index];
            const NcclSetting* limit = limitOf(logs.processes[member.process], member.channels);
            const bool is_few =
                communicator.isOnOneHost() && member.channels == communicator.channels && member.channels <= kFew;
            if (member.channels == 0 || (!is_few && limit == nullptr)) {
                continue;
            }
            if (!finding.communicator || communicator.ranks > job.communicators[*finding.communicator].ranks) {
                finding.communicator = i;
                finding.part = static_cast<std::uint64_t>(member.channels);
            }
            if (limit != nullptr && finding.settings.empty()) {
                finding.settings.push_back(*limit);
                addEvidence(finding, limit->line);
            }
            addEvidence(finding, member.channels_line);
            addCommunicator(finding, i);
            ++finding.whole;
            break;
        }
    }
    if (finding.communicator) {
        finding.level = finding.settings.empty() ? Level::Low : Level::Medium;
        addFinding(job, std::move(finding));
    }
    setJudgement(job, Topic::FewChannels, is_known ? Judgement::Fine : Judgement::CannotTell);
}

}  // namespace rankscope::network
