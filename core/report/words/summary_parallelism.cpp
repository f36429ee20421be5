// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/analysis/parallelism/judge_operations.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

constexpr const char* kNothing = "-";

/// Groups with the same text, in their order; at least one.
using GroupsAlike = std::vector<const GroupRole*>;

std::vector<GroupsAlike> groupsTogether(const std::vector<GroupRole>& groups) {
    std::vector<GroupsAlike> together;
    std::map<std::pair<std::string, std::vector<std::string>>, std::size_t> places;
    for (const GroupRole& group : groups) {
        const auto [at, is_new] = places.try_emplace({group.label(), group.evidence}, together.size());
        if (is_new) {
            together.emplace_back();
        }
        together[at->second].push_back(&group);
    }
    return together;
}

std::string membersOf(const GroupRole& group) {
    if (group.ranks.empty()) {
        return group.size >= 0 ? formatCounted(static_cast<std::uint64_t>(group.size), "rank") : kNothing;
    }
    std::vector<std::int64_t> numbers;
    for (const RankNumber rank : group.ranks) {
        numbers.push_back(rank.value);
    }
    const std::optional<std::int32_t> stride = strideOf(group.ranks);
    if (stride && *stride > 1 && numbers.size() > 2) {
        return fmt::format("{} to {}, {} apart", numbers.front(), numbers.back(), *stride);
    }
    return formatNumberList(numbers);
}

std::string aStep(DurationNs sum_ns, std::size_t steps) {
    return sum_ns > 0 && steps > 0 ? formatDuration(sum_ns / static_cast<DurationNs>(steps)) : kNothing;
}

/// "mesh_tp (ranks 0, 1)", or "mesh_tp, 8 groups (ranks 0, 1; ranks 2, 3; ranks 4, 5; and 5 more)".
std::string whoTheyAre(const GroupsAlike& alike) {
    constexpr std::size_t kNamed = 4;
    const std::size_t named = alike.size() > kNamed ? kNamed - 1 : alike.size();
    std::string ranks;
    for (std::size_t i = 0; i < named; ++i) {
        const GroupRole& group = *alike[i];
        if (!group.ranks.empty()) {
            ranks += (ranks.empty() ? "" : "; ") + std::string(group.ranks.size() == 1 ? "rank " : "ranks ") +
                     membersOf(group);
        }
    }
    if (!ranks.empty() && named < alike.size()) {
        ranks += "; and " + formatCount(alike.size() - named) + " more";
    }
    return printable(alike.front()->label()) +
           (alike.size() > 1 ? ", " + formatCounted(alike.size(), "group") : std::string()) +
           (ranks.empty() ? ranks : " (" + ranks + ")");
}

/// "data", "in part data" for a group with several uses, "cannot tell".
std::string roleOf(const GroupRole& group) {
    std::string roles;
    for (const GroupPart& part : group.parts) {
        if (part.role) {
            roles += (roles.empty() ? "in part " : ", ") + std::string(roleName(*part.role));
        }
    }
    return group.role ? std::string(roleName(*group.role)) : roles.empty() ? std::string("cannot tell") : roles;
}

}  // namespace

Table groupTable(const AnalysedRun& run, std::size_t rows) {
    const ParallelismFacts& facts = run.facts.parallelism;
    Table table;
    table.header = {"group", "role", "confidence", "ranks", "operations", "exposed per step"};
    table.left_columns = 5;
    for (std::size_t g = 0; g < std::min(rows, facts.groups.size()); ++g) {
        const GroupRole& group = facts.groups[g];
        table.rows.push_back({printable(group.label()), roleOf(group),
                              group.role ? std::string(confidenceName(group.confidence)) : kNothing, membersOf(group),
                              group.operations.empty() ? "nothing" : operationsText(group.operations),
                              aStep(group.exposedAStep(), 1)});
    }
    return table;
}

std::vector<std::string> groupEvidence(const AnalysedRun& run, std::size_t rows) {
    const std::vector<GroupsAlike> together = groupsTogether(run.facts.parallelism.groups);
    std::vector<std::string> lines;
    std::size_t untold = run.facts.parallelism.groups.size();
    for (std::size_t i = 0; i < std::min(rows, together.size()); ++i) {
        untold -= together[i].size();
        std::string line = whoTheyAre(together[i]) + ":";
        for (const std::string& sentence : together[i].front()->evidence) {
            line += " " + printable(sentence);
        }
        lines.push_back(std::move(line));
    }
    if (untold > 0) {
        lines.push_back(fmt::format("And {}, in --json.", formatCounted(untold, "more group")));
    }
    return lines;
}

std::vector<std::string> gridLines(const AnalysedRun& run) {
    const JobGrid& grid = run.facts.parallelism.grid;
    std::vector<std::string> lines;
    if (!grid.dimensions.empty()) {
        const std::string ranks =
            grid.world_size > 0 ? formatCounted(static_cast<std::uint64_t>(grid.world_size), "rank") : "";
        lines.push_back("The job is " + grid.text() + (grid.complete ? ": all " + ranks + "." : "."));
    }
    std::ranges::transform(grid.notes, std::back_inserter(lines),
                           [](const std::string& note) { return printable(note); });
    return lines;
}

Table roleTable(const AnalysedRun& run, std::size_t rows) {
    const ParallelismFacts& facts = run.facts.parallelism;
    Table table;
    table.header = {"", "place"};
    table.left_columns = 2;
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i <= kRoleCount; ++i) {
        if (std::ranges::any_of(facts.ranks, [i](const RankRoles& rank) { return rank.exposed.ns[i] > 0; })) {
            shown.push_back(i);
            table.header.push_back(i < kRoleCount ? std::string(roleName(static_cast<Role>(i))) : "cannot tell");
        }
    }
    if (shown.empty() && facts.grid.dimensions.empty()) {
        return table;
    }
    for (RankPosition position{0}; position < std::min(rows, facts.ranks.size()); ++position) {
        const std::string place = facts.grid.placeText(position);
        std::vector<std::string> cells = {rankLabel(*run.run->ranks[position], position),
                                          place.empty() ? kNothing : place};
        for (const std::size_t i : shown) {
            cells.push_back(aStep(facts.ranks[position].exposed.ns[i], facts.ranks[position].counted));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string rolesNote() {
    return "Exposed communication by the role of its group: the mean of a rank's complete, steady-state steps. If two "
           "collectives run at once, the time counts for the one that ends last.";
}

}  // namespace rankscope::report
