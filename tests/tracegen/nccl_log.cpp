// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/nccl_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace rankscope::tracegen {
namespace {

constexpr int kLoggedPid = 3'194'582;  // as KinetoWriter's
constexpr int kPidsApart = 7;

std::string loggedKindOf(CollectiveKind kind) {
    return kind == CollectiveKind::Broadcast ? "Broadcast" : "AllReduce";
}

LoggedCall logged(const CollectiveCall& call) {
    constexpr int kFloat = 7;
    constexpr int kInt = 2;
    constexpr int kBFloat16 = 9;
    return {loggedKindOf(call.kind), call.elements,
            call.type == ElementType::Float ? kFloat
            : call.type == ElementType::Int ? kInt
                                            : kBFloat16};
}

/// The calls that a rank's kernels are, by number.
std::map<std::uint64_t, CollectiveCall> recordedCallsOf(const std::vector<Event>& events) {
    std::map<std::uint64_t, CollectiveCall> calls;
    for (const Event& event : events) {
        if (event.kind == EventKind::Kernel && event.collective.valid()) {
            calls.emplace(event.collective.sequence, event.collective);
        }
    }
    return calls;
}

}  // namespace

JobLog JobLog::of(const RunResult& result, int steps_behind) {
    JobLog log;
    log.ranks = result.config.ranks;
    log.first_pid = kLoggedPid;
    for (int rank = 0; rank < log.ranks; ++rank) {
        log.hosts.push_back("node" + std::to_string(result.config.hostOf(rank)));
        const std::map<std::uint64_t, CollectiveCall> window =
            recordedCallsOf(result.events.at(static_cast<std::size_t>(rank)));
        const std::size_t per_step = window.size() / static_cast<std::size_t>(result.config.steps);
        std::vector<LoggedCall> step;
        std::vector<LoggedCall> recorded;
        for (const auto& [sequence, call] : window) {
            recorded.push_back(logged(call));
            if (step.size() < per_step) {
                step.push_back(recorded.back());
            }
        }
        std::vector<LoggedCall>& calls = log.calls.emplace_back();
        while (calls.size() + 1 < window.begin()->first) {
            calls.insert(calls.end(), step.begin(), step.end());
        }
        calls.insert(calls.end(), recorded.begin(), recorded.end());
        for (int more = 0; more < steps_behind; ++more) {
            calls.insert(calls.end(), step.begin(), step.end());
        }
    }
    return log;
}

void JobLog::putInFront(const LoggedCall& call) {
    for (std::vector<LoggedCall>& own : calls) {
        own.insert(own.begin(), call);
    }
}

std::vector<std::string> JobLog::lines(int rank) const {
    const int pid = first_pid + kPidsApart * rank;
    std::vector<std::string> out;
    const auto add = [&](const std::string& text) {
        out.push_back(fmt::format("{}:{}:{} [{}] NCCL INFO {}\n", hosts.at(static_cast<std::size_t>(rank)), pid,
                                  pid + 1, rank % 8, text));
    };
    add("NCCL version 2.28.9+cuda13.0");
    const std::string comm =
        fmt::format("ncclCommInitRankConfig comm {} rank {} nranks {} cudaDev {} nvmlDev {} busId {}000 commId {}",
                    pointer, rank, ranks, rank % 8, rank % 8, rank % 8 + 1, id);
    add(comm + " - Init START");
    std::string ring;
    for (int at = 0; at < ranks; ++at) {
        ring += fmt::format(" {}", at);
    }
    for (int channel = 0; rank == 0 && channel < channels; ++channel) {
        add(fmt::format("Channel {:02}/{:02} :{}", channel, channels, ring));
    }
    add(fmt::format("Channel 00/0 : {}[{}] -> {}[{}] via {}", rank, rank % 8, (rank + 1) % ranks,
                    (rank + 1) % ranks % 8, path));
    add(fmt::format(
        "{0} coll channels, {0} collnet channels, 0 nvls channels, {0} p2p channels, 2 p2p channels per peer",
        channels));
    add(comm + " - Init COMPLETE");
    std::size_t number = 0;
    for (const LoggedCall& call : calls.at(static_cast<std::size_t>(rank))) {
        add(fmt::format(
            "{}: opCount {:x} sendbuff 0x7f0000000000 recvbuff 0x7f0000000000 count {} datatype {} op 0 root "
            "0 comm {} [nranks={}] stream 0x55a1beef",
            call.kind, number++, call.count, call.type, pointer, ranks));
    }
    return out;
}

std::string JobLog::text(int rank) const {
    std::string out;
    for (const std::string& line : lines(rank)) {
        out += line;
    }
    return out;
}

std::string JobLog::text() const {
    constexpr std::size_t kAtATime = 5;
    std::vector<std::vector<std::string>> all;
    std::size_t most = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        all.push_back(lines(rank));
        most = std::max(most, all.back().size());
    }
    std::string out;
    for (std::size_t at = 0; at < most; at += kAtATime) {
        for (const std::vector<std::string>& own : all) {
            for (std::size_t i = at; i < std::min(at + kAtATime, own.size()); ++i) {
                out += own[i];
            }
        }
    }
    return out;
}

}  // namespace rankscope::tracegen
