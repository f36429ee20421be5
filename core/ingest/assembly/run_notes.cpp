// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/run_notes.h"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "core/base/format.h"
#include "core/base/natural_order.h"
#include "core/ingest/bounds.h"
#include "core/trace/recorded_windows.h"

namespace rankscope {

void noteWindows(Run& run) {
    // If earlier steps were left out, the windows show the others, not what was recorded.
    const bool later_steps =
        std::ranges::any_of(run.ranks, [](const auto& r) { return r->earlier.number.has_value(); });
    if (run.ranks.size() < 2 || later_steps) {
        return;
    }
    const auto [first, last] = std::ranges::minmax(run.ranks, {}, [](const auto& r) { return r->window.start_ns; });
    const DurationNs apart = last->window.start_ns - first->window.start_ns;
    constexpr DurationNs kWorthSaying = 1'000'000;
    if (apart >= kWorthSaying) {
        run.notes.push_back("The windows of the ranks start up to " + formatDuration(apart) + " apart.");
    }
    const TimeNs ends = std::ranges::min(run.ranks, {}, [](const auto& r) { return r->window.end_ns; })->window.end_ns;
    if (ends <= last->window.start_ns) {
        run.notes.emplace_back("The windows of the ranks do not overlap: they may be of different runs.");
    }
}

void noteHoles(Run& run) {
    std::size_t most = 1;
    std::size_t ranks = 0;
    DurationNs longest_ns = 0;
    for (const auto& rank : run.ranks) {
        const RecordedWindows windows(*rank);
        most = std::max(most, windows.all().size());
        ranks += windows.all().size() > 1 ? 1U : 0U;
        for (const TimeSpan& hole : windows.holes()) {
            longest_ns = std::max(longest_ns, hole.length());
        }
    }
    if (ranks == 0) {
        return;
    }
    const std::string who = ranks == run.ranks.size() ? "Recorded" : formatCounted(ranks, "rank") + " recorded";
    run.notes.push_back(
        fmt::format("{} in {}{} windows. Up to {} between two of them was not recorded; no step, gap or "
                    "cause reaches over that.",
                    who, ranks == run.ranks.size() ? "" : "up to ", most, formatDuration(longest_ns)));
}

void noteMissing(Run& run) {
    std::int32_t world = 0;  // at most kMostRanks
    std::set<RankNumber> present;
    for (const auto& rank : run.ranks) {
        world = std::max(world, rank->world_size.value_or(0));
        if (rank->rank) {
            present.insert(*rank->rank);
        }
    }
    if (present.empty()) {
        return;
    }
    const auto of_world = std::distance(present.begin(), present.lower_bound(RankNumber(world)));
    run.missing_count = static_cast<std::uint64_t>(world - of_world);
    for (std::int32_t rank = 0; rank < world && run.missing_ranks.size() < kMissingRanksListed; ++rank) {
        if (!present.contains(RankNumber(rank))) {
            run.missing_ranks.emplace_back(rank);
        }
    }
    if (run.missing_count > run.missing_ranks.size()) {
        run.notes.push_back("There is no file for " + std::to_string(run.missing_count) + " of the " +
                            std::to_string(world) + " ranks of the job; the first " +
                            std::to_string(run.missing_ranks.size()) + " are listed.");
    }
}

void noteNoTraces(const std::vector<Error>& no_traces, Run& run) {
    constexpr std::size_t kMostSaid = 5;
    for (std::size_t i = 0; i < std::min(no_traces.size(), kMostSaid); ++i) {
        run.notes.push_back("Not read: " + no_traces[i].text() + ".");
    }
    if (no_traces.size() > kMostSaid) {
        run.notes.push_back(fmt::format("Not read: {} more files that are no traces.", no_traces.size() - kMostSaid));
    }
}

void noteFolders(const std::string& why, const std::set<std::string>& folders, Run& run) {
    if (why.empty() || folders.size() < 2) {
        return;
    }
    std::vector<std::string> names;
    for (const std::string& folder : folders) {
        names.push_back(std::filesystem::path(folder).filename().string());
    }
    std::ranges::sort(names, naturalLess);
    run.notes.push_back(fmt::format(
        "Read from {} folders ({}): {}.", names.size(),
        names.size() == 2 ? names.front() + ", " + names.back() : names.front() + " to " + names.back(), why));
}

}  // namespace rankscope
