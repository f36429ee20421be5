// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/collective_list.h"

#include <algorithm>

namespace rankscope {
namespace {

bool isWanted(const RunFacts& facts, const Collective& collective, const CollectiveFilter& filter) {
    return !collective.members.empty() && (!filter.group || *filter.group == collective.group) &&
           (!filter.of_role || facts.parallelism.roleOfGroup(collective.group) == filter.role);
}

/// The number of the step of a rank that an instant is in.
std::optional<std::int64_t> stepAt(const RankFacts& rank, TimeNs at_ns) {
    const auto after =
        std::ranges::partition_point(rank.steps, [at_ns](const RankStep& step) { return step.span.end_ns <= at_ns; });
    return after != rank.steps.end() && after->span.start_ns <= at_ns ? std::optional(after->index) : std::nullopt;
}

CollectiveLine lineOf(const RunFacts& facts, const RunClock& clock, CollectivePosition position) {
    const Collective& collective = facts.collectives.collectives[position];
    CollectiveLine line;
    line.collective = position;
    for (std::size_t m = 0; m < collective.members.size(); ++m) {
        const CollectiveMember& member = collective.members[m];
        const RunTime start_ns = clock.ranks[member.rank].toRun(FileTime(member.span.start_ns));
        if (m == 0 || start_ns < line.start_ns) {
            line.start_ns = start_ns;
            line.first_member = m;
        }
        line.length_ns = std::max(line.length_ns, member.span.length());
        if (member.wait_ns) {
            line.wait_ns = std::max(line.wait_ns.value_or(0), *member.wait_ns);
        }
    }
    const CollectiveMember& first = collective.members[line.first_member];
    line.step = stepAt(facts.ranks[first.rank], first.span.start_ns);
    return line;
}

}  // namespace

std::vector<CollectiveLine> collectiveLines(const RunFacts& facts, const RunClock& clock,
                                            const CollectiveFilter& filter) {
    std::vector<CollectiveLine> lines;
    const std::vector<Collective>& all = facts.collectives.collectives;
    for (CollectivePosition c{0}; c < all.size(); ++c) {
        if (isWanted(facts, all[c], filter)) {
            lines.push_back(lineOf(facts, clock, c));
        }
    }
    std::ranges::stable_sort(lines, {}, &CollectiveLine::start_ns);
    return lines;
}

}  // namespace rankscope
