// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/fit_system.h"

#include <cstdint>
#include <map>

namespace rankscope {
namespace {

/// Sums over the matches with the same members.
struct Moments {
    double matches = 0;
    double time = 0;
    double time_squared = 0;
};

/// The kept members of one match.
struct Kept {
    std::vector<std::uint32_t> domains;
    std::vector<std::size_t> members;
    double mean_late_ns = 0;
    double time = 0;
};

/// Calls `use` for every match with two kept members or more.
template <typename Use>
void forEachMatch(const MatchTable& table, const MatchEnds& ends, const TimeAxis& axis, Use use) {
    Kept kept;
    for (std::size_t match = 0; match < table.size(); ++match) {
        kept.domains.clear();
        kept.members.clear();
        double sum = 0;
        for (std::size_t i = table.first[match]; i < table.first[match + 1]; ++i) {
            if (ends.kept[i] != 0) {
                kept.domains.push_back(table.domain[i]);
                kept.members.push_back(i);
                sum += ends.late_ns[i];
            }
        }
        if (kept.members.size() > 1) {
            kept.mean_late_ns = sum / static_cast<double>(kept.members.size());
            kept.time = axis.at(ends.at_ns[match]);
            use(kept);
        }
    }
}

/// One product of domains a and b in the sum of squares, by offset and drift of each.
void addPair(NormalEquations& system, const Unknowns& unknowns, std::uint32_t a, std::uint32_t b, double factor,
             const Moments& sum) {
    const auto add = [&](const std::optional<std::size_t>& row, const std::optional<std::size_t>& column,
                         double value) {
        if (row && column && *row >= *column) {
            system.add(*row, *column, factor * value);
        }
    };
    add(unknowns.offset[a], unknowns.offset[b], sum.matches);
    add(unknowns.offset[a], unknowns.drift[b], sum.time);
    add(unknowns.drift[a], unknowns.offset[b], sum.time);
    add(unknowns.drift[a], unknowns.drift[b], sum.time_squared);
}

void addMembers(NormalEquations& system, const Unknowns& unknowns, const std::vector<std::uint32_t>& domains,
                const Moments& sum) {
    const double share = 1 / static_cast<double>(domains.size());
    for (const std::uint32_t a : domains) {
        addPair(system, unknowns, a, a, 1, sum);
        for (const std::uint32_t b : domains) {
            addPair(system, unknowns, a, b, -share, sum);
        }
    }
}

/// What a match adds beside the products of its domains: all that depends on its ends and on who came last.
void addEnds(NormalEquations& system, const Unknowns& unknowns, const MatchEnds& ends, const Kept& kept) {
    const double share = 1 / static_cast<double>(kept.members.size());
    for (std::size_t k = 0; k < kept.members.size(); ++k) {
        const double late = ends.late_ns[kept.members[k]] - kept.mean_late_ns;
        const double last = ends.came_last[kept.members[k]] - share;
        system.add(unknowns.lag, unknowns.lag, last * last);
        system.addRight(unknowns.lag, last * late);
        if (const auto offset = unknowns.offset[kept.domains[k]]) {
            system.add(unknowns.lag, *offset, -last);
            system.addRight(*offset, -late);
        }
        if (const auto drift = unknowns.drift[kept.domains[k]]) {
            system.add(unknowns.lag, *drift, -last * kept.time);
            system.addRight(*drift, -late * kept.time);
        }
    }
}

}  // namespace

NormalEquations fitSystem(const MatchTable& table, const MatchEnds& ends, const Unknowns& unknowns,
                          const TimeAxis& axis) {
    NormalEquations system(unknowns.count());
    // Most runs have few groups of ranks and many matches of each: products of domains are summed up by group.
    std::map<std::vector<std::uint32_t>, Moments> groups;
    auto group = groups.end();
    forEachMatch(table, ends, axis, [&](const Kept& kept) {
        if (group == groups.end() || group->first != kept.domains) {
            group = groups.try_emplace(kept.domains).first;
        }
        group->second.matches += 1;
        group->second.time += kept.time;
        group->second.time_squared += kept.time * kept.time;
        addEnds(system, unknowns, ends, kept);
    });
    for (const auto& [domains, sum] : groups) {
        addMembers(system, unknowns, domains, sum);
    }
    return system;
}

Misfit misfitOf(const MatchTable& table, const MatchEnds& ends, const Unknowns& unknowns, const TimeAxis& axis,
                const std::vector<double>& solution) {
    Misfit misfit;
    std::vector<double> late;
    forEachMatch(table, ends, axis, [&](const Kept& kept) {
        late.clear();
        double mean = 0;
        for (std::size_t k = 0; k < kept.members.size(); ++k) {
            const auto offset = unknowns.offset[kept.domains[k]];
            const auto drift = unknowns.drift[kept.domains[k]];
            late.push_back(ends.late_ns[kept.members[k]] + (offset ? solution[*offset] : 0) +
                           (drift ? solution[*drift] * kept.time : 0) -
                           solution[unknowns.lag] * ends.came_last[kept.members[k]]);
            mean += late.back() / static_cast<double>(kept.members.size());
        }
        for (const double value : late) {
            misfit.squares += (value - mean) * (value - mean);
        }
        misfit.freedom += static_cast<double>(kept.members.size() - 1);
    });
    return misfit;
}

}  // namespace rankscope
