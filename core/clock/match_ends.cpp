// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/match_ends.h"

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "core/clock/last_arriver.h"

namespace rankscope {
namespace {

/// Ends that are further off than this many standard deviations belong to another collective. Real ends scatter within
/// bounds, so none of them reaches this far.
constexpr double kWrongDeviations = 6;
/// Real ends lie up to 24 us apart (design 4.6) even where most are closer: none of these is wrong.
constexpr double kLeastDeviationNs = 4'200;
/// Of more ends than this, every so many do: their median is sharp enough to tell wrong from right.
constexpr std::size_t kEnoughToTell = 1'024;
/// A domain's own scatter is only believed from this many ends on.
constexpr std::size_t kEnoughEnds = 8;

double deviationOf(std::vector<double>& late) {
    const std::size_t stride = 1 + late.size() / kEnoughToTell;
    std::size_t thinned = 0;
    for (std::size_t i = 0; i < late.size(); i += stride) {
        late[thinned++] = late[i];
    }
    late.resize(thinned);
    return robustDeviation(late);
}

void placeEnds(const MatchTable& table, const std::vector<RankClock>& clocks, MatchEnds& ends) {
    std::vector<double> late;
    for (std::size_t match = 0; match < table.size(); ++match) {
        const std::size_t begin = table.first[match];
        const std::size_t end = table.first[match + 1];
        const TimeNs anchor = clocks[table.domain[begin]].toRun(table.span[begin].end_ns);
        late.clear();
        for (std::size_t i = begin; i < end; ++i) {
            ends.late_ns[i] = static_cast<double>(clocks[table.domain[i]].toRun(table.span[i].end_ns) - anchor);
            late.push_back(ends.late_ns[i]);
        }
        const double middle = std::round(midMedian(late));
        ends.at_ns[match] = anchor + static_cast<DurationNs>(middle);
        for (std::size_t i = begin; i < end; ++i) {
            ends.late_ns[i] -= middle;
        }
    }
}

/// How far an end of each domain may be off.
std::vector<double> toleranceOf(const MatchTable& table, const MatchEnds& ends) {
    std::vector<std::vector<double>> late_of(table.domains);
    for (std::size_t i = 0; i < table.domain.size(); ++i) {
        late_of[table.domain[i]].push_back(ends.late_ns[i]);
    }
    std::vector<double> tolerance;
    for (std::vector<double>& late : late_of) {
        const double own = late.size() < kEnoughEnds ? 0 : deviationOf(late);
        tolerance.push_back(kWrongDeviations * std::max({own, ends.deviation_ns, kLeastDeviationNs}));
    }
    return tolerance;
}

}  // namespace

MatchEnds matchEnds(const MatchTable& table, const std::vector<RankClock>& clocks) {
    const std::size_t members = table.domain.size();
    MatchEnds ends;
    ends.at_ns.resize(table.size());
    ends.late_ns.resize(members);
    ends.kept.assign(members, 1);
    placeEnds(table, clocks, ends);
    if (members > 0) {
        // The ends of a match are measured from their own middle, which makes them seem closer than they are.
        const double freedom = static_cast<double>(members - table.size()) / static_cast<double>(members);
        std::vector<double> late = ends.late_ns;
        ends.deviation_ns = deviationOf(late) / std::sqrt(freedom);
    }
    const std::vector<double> tolerance = toleranceOf(table, ends);
    for (std::size_t i = 0; i < members; ++i) {
        ends.kept[i] = std::abs(ends.late_ns[i]) <= tolerance[table.domain[i]] ? 1 : 0;
    }
    findLastArriver(table, ends);
    return ends;
}

}  // namespace rankscope
