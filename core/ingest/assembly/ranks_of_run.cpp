// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/ranks_of_run.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <new>

#include "core/ingest/assembly/assemble.h"
#include "core/ingest/assembly/further_windows.h"
#include "core/ingest/assembly/keep_steps.h"
#include "core/ingest/assembly/runs_of_files.h"
#include "core/ingest/bounds.h"

namespace rankscope {
namespace {

/// The traces of one rank, or of one process without a rank.
using TracesOfRank = std::vector<std::shared_ptr<RankTrace>>;

/// "rank 3", or "this process" for traces without a rank.
std::string rankText(const RankTrace& trace) {
    return trace.rank ? "rank " + std::to_string(trace.rank->value) : "this process";
}

/// Files of one rank, sorted by time, as one trace. A file that does not continue the previous ones is refused.
std::shared_ptr<RankTrace> inSequence(TracesOfRank files, bool some_steps, std::vector<Error>& refused) {
    std::ranges::stable_sort(files, {}, [](const auto& t) { return t->window.start_ns; });
    TracesOfRank windows;
    for (const auto& file : files) {
        std::string why = windows.empty() ? std::string() : whyNoFurtherWindow(*windows.back(), *file);
        if (!why.empty()) {
            why = fmt::format("has the same {} as {}, {}{}", rankText(*file), nameOf(*windows.back()), why,
                              openItself(*file));
        }
        if (why.empty() && !windows.empty() && some_steps && countsSteps(*file)) {
            why =
                "is left out: its steps have no numbers, and those that were asked for are counted from the first file "
                "of " +
                rankText(*file);
        }
        if (windows.size() >= kMostFilesOfARank) {
            why = "is one of more than " + std::to_string(kMostFilesOfARank) + " files of a rank";
        }
        if (!why.empty()) {
            refused.push_back({nameOf(*file), std::nullopt, why});
        } else {
            windows.push_back(file);
        }
    }
    return windows.size() == 1 ? windows.front() : joinWindows(windows);
}

/// Traces without a rank, one list for each process that is known to be one.
std::vector<TracesOfRank> byProcess(TracesOfRank nameless) {
    std::vector<TracesOfRank> processes;
    for (auto& trace : nameless) {
        const auto known = std::ranges::find_if(processes, [&trace](const TracesOfRank& process) {
            return provenSameProcess(*process.front(), *trace) && std::ranges::all_of(process, [&](const auto& window) {
                       const bool is_first = window->window.start_ns <= trace->window.start_ns;
                       return whyNoFurtherWindow(is_first ? *window : *trace, is_first ? *trace : *window).empty();
                   });
        });
        (known == processes.end() ? processes.emplace_back() : *known).push_back(std::move(trace));
    }
    return processes;
}

/// Numbers the ranks by their order, in copies.
void numberByOrder(std::vector<std::shared_ptr<RankTrace>>& ranks) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        ranks[i] = joinWindows({ranks[i]});
        ranks[i]->rank = RankNumber(i);
        ranks[i]->rank_origin = RankOrigin::Order;
    }
}

}  // namespace

std::string openItself(const RankTrace& trace) {
    const TraceFile& file = trace.files.front();
    return file.digest.empty() ? ": it belongs to another run; open that run by itself"
                               : ": it belongs to a different run than the others in " + file.digest;
}

void takeRanks(std::vector<std::shared_ptr<RankTrace>> traces, bool some_steps, Run& run) {
    std::map<RankNumber, TracesOfRank> by_rank;
    TracesOfRank nameless;
    for (auto& trace : traces) {
        TracesOfRank& of_rank = trace->rank ? by_rank[*trace->rank] : nameless;
        of_rank.push_back(std::move(trace));
    }
    std::vector<std::shared_ptr<RankTrace>> ranks;
    const auto take = [&](TracesOfRank& files) {  // and gives the windows back as soon as they are joined
        const std::string rank = rankText(*files.front());
        const Error no_memory{nameOf(*files.front()), std::nullopt, "out of memory while joining the files of " + rank};
        try {
            ranks.push_back(inSequence(std::move(files), some_steps, run.unreadable));
        } catch (const std::bad_alloc&) {
            run.unreadable.push_back(no_memory);
        }
    };
    for (auto& [rank, files] : by_rank) {
        take(files);
    }
    for (TracesOfRank& files : byProcess(std::move(nameless))) {
        take(files);
    }
    if (by_rank.empty() && ranks.size() > 1) {
        numberByOrder(ranks);
    }
    run.ranks.insert(run.ranks.end(), ranks.begin(), ranks.end());
}

}  // namespace rankscope
