// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/ranks_of_logs.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <utility>

namespace rankscope::network {
namespace {

/// The processes that have host threads in a trace.
std::set<std::int64_t> pidsOf(const RankTrace& trace) {
    std::set<std::int64_t> pids;
    for (const Track& track : trace.tracks) {
        const std::string_view text = track.process.valid() ? trace.strings.view(track.process) : std::string_view();
        std::int64_t pid = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
        if (track.kind == TrackKind::CpuThread && !text.empty() && error == std::errc() &&
            end == text.data() + text.size()) {
            pids.insert(pid);
        }
    }
    return pids;
}

/// A host's name without its domain, which not all programs write.
std::string_view shortHost(std::string_view host) {
    return host.substr(0, host.find('.'));
}

/// The only process that `is_it` says so of.
template <class IsIt>
std::optional<std::size_t> onlyOne(const Job& job, const IsIt& is_it) {
    std::optional<std::size_t> found;
    for (const Process& process : job.processes) {
        if (is_it(process)) {
            if (found) {
                return std::nullopt;
            }
            found = process.log;
        }
    }
    return found;
}

std::optional<std::size_t> processOf(const NcclLogs& logs, const Job& job, const RankTrace& trace, std::int64_t ranks) {
    const auto has_number = [&](const Process& process) {
        return trace.rank && process.rank && *process.rank == trace.rank->value && job.ranks == ranks;
    };
    const std::set<std::int64_t> pids = pidsOf(trace);
    if (pids.empty()) {
        return onlyOne(job, has_number);
    }
    const auto has_pid = [&](const Process& process) {
        const NcclProcess& logged = logs.processes[process.log];
        return pids.contains(logged.pid) && (trace.host.empty() || shortHost(trace.host) == shortHost(logged.host));
    };
    const std::optional<std::size_t> found = onlyOne(job, has_pid);
    return found ? found : onlyOne(job, [&](const Process& one) { return has_pid(one) && has_number(one); });
}

}  // namespace

ProcessesOfRun processesOf(const NcclLogs& logs, const Job& job, const Run& run) {
    ProcessesOfRun out;
    for (RankPosition rank{0}; rank < run.ranks.size(); ++rank) {
        const RankTrace& trace = *run.ranks[rank];
        const std::int64_t ranks =
            trace.world_size ? *trace.world_size : static_cast<std::int64_t>(run.ranks.size() + run.missing());
        const std::optional<std::size_t> process = processOf(logs, job, trace, ranks);
        // It does not say which of two ranks in one process a communicator is of.
        if (process && !out.rank_of.contains(*process)) {
            out.of_rank.emplace(rank, *process);
            out.rank_of.emplace(*process, rank);
        } else if (process) {
            out.of_rank.erase(out.rank_of[*process]);
        }
    }
    return out;
}

}  // namespace rankscope::network
