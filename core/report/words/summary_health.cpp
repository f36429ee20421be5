// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/report/tables/table.h"
#include "core/report/words/summary.h"
#include "core/report/words/vocabulary.h"

namespace rankscope::report {
namespace {

/// The first ones are enough to find the rest; the JSON has all that are known.
constexpr std::size_t kParseIssuesShown = 3;

void saySuspects(SaidOfRanks& said, const RankFacts& facts, RankPosition position) {
    for (const CommunicationSuspect& suspect : facts.communication_suspects) {
        said.say("the kernel " + shortName(suspect.name) +
                     " looks like communication but counts as compute; correct this with --name-rules F",
                 position);
    }
}

void sayHealth(SaidOfRanks& said, const RankTrace& rank, RankPosition position) {
    const Health& health = rank.health;
    const auto count = [&](std::uint64_t number, const std::string& what) {
        if (number > 0) {
            said.say(what + ": " + formatCount(number), position);
        }
    };
    if (health.truncated) {
        said.say("the data ends too early", position);
    }
    count(health.skipped, "events that could not be read");
    count(health.recovered, "events read after a repair of their JSON");
    for (std::size_t i = 0; i < std::min(health.parse_issues.size(), kParseIssuesShown); ++i) {
        const ParseIssue& parse_issue = health.parse_issues[i];
        const bool known = parse_issue.file < rank.files.size();
        said.say(Error{known ? fileLabel(rank.files[parse_issue.file]) : "", parse_issue.byte_offset, parse_issue.cause}
                     .text(),
                 position);
    }
    count(health.overlapping, "slices that partly overlap another on their track (all are kept)");
    count(health.negative_durations, "negative durations (kept with length zero)");
    count(health.early_kernels, "pieces of GPU work that start before their launch call");
    count(health.unlinked_launches, "launch calls without a GPU record");
    count(health.unlinked_device, "pieces of GPU work without a launch call");
    for (const std::string& note : health.notes) {
        said.say(note, position);
    }
}

}  // namespace

void SaidOfRanks::say(const std::string& what, RankPosition position) {
    const auto [at, is_new] = at_.try_emplace(what, said_.size());
    if (is_new) {
        said_.push_back({what, {position}});
    } else if (said_[at->second].positions.back() != position) {
        said_[at->second].positions.push_back(position);
    }
}

std::vector<std::string> SaidOfRanks::lines(const Run& run, std::size_t most) const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < std::min(said_.size(), most); ++i) {
        lines.push_back(rankList(run, said_[i].positions) + ": " + said_[i].what);
    }
    if (said_.size() > most) {
        lines.push_back(
            fmt::format("and {} more lines like these, in the JSON report", formatCount(said_.size() - most)));
    }
    return lines;
}

std::size_t unreadCount(const Run& run) {
    const auto cut = std::ranges::count_if(
        run.ranks, [](const auto& rank) { return rank->health.truncated || !rank->health.parse_issues.empty(); });
    return run.unreadable.size() + static_cast<std::size_t>(cut);
}

std::vector<std::string> healthLines(const AnalysedRun& analysed) {
    const Run& run = *analysed.run;
    std::vector<std::string> lines;
    for (const Error& error : run.unreadable) {
        lines.push_back("Not read: " + error.text());
    }
    if (!run.missing_ranks.empty()) {
        std::vector<std::int64_t> numbers;
        for (const RankNumber rank : run.missing_ranks) {
            numbers.push_back(rank.value);
        }
        lines.push_back("No file for " + formatNumbered("rank", numbers));
    }
    lines.insert(lines.end(), run.notes.begin(), run.notes.end());
    lines.insert(lines.end(), analysed.clock.notes.begin(), analysed.clock.notes.end());
    SaidOfRanks said;
    for (RankPosition position{0}; position < run.ranks.size(); ++position) {
        sayHealth(said, *run.ranks[position], position);
        if (position < analysed.facts.ranks.size()) {
            saySuspects(said, analysed.facts.ranks[position], position);
        }
    }
    const std::vector<std::string> of_ranks = said.lines(run, kMostLines);
    lines.insert(lines.end(), of_ranks.begin(), of_ranks.end());
    return lines;
}

}  // namespace rankscope::report
