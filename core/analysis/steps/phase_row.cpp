// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/phase_row.h"

#include <algorithm>
#include <array>

namespace rankscope {
namespace {

/// If threads are in several phases, later ones in this order win.
constexpr std::array kOrder = {Phase::Data, Phase::Forward, Phase::Optimizer, Phase::Backward};

/// A phase begins on a thread, or ends.
struct Turn {
    TimeNs at_ns = 0;
    Phase phase = Phase::Other;
    int change = 0;
};

std::vector<Turn> turnsOf(const PhaseMarks& marks) {
    std::vector<Turn> turns;
    for (const std::vector<PhaseRange>& thread : marks.ranges) {
        for (const PhaseRange& range : thread) {
            if (std::ranges::find(kOrder, range.phase) != kOrder.end() && !range.span.empty()) {
                turns.push_back({range.span.start_ns, range.phase, 1});
                turns.push_back({range.span.end_ns, range.phase, -1});
            }
        }
    }
    std::ranges::sort(turns, {}, &Turn::at_ns);
    return turns;
}

bool beginsBetween(const std::vector<RankStep>& steps, TimeNs from_ns, TimeNs to_ns) {
    const auto start = [](const RankStep& step) { return step.host.start_ns; };
    const auto at = std::ranges::lower_bound(steps, from_ns, {}, start);
    return at != steps.end() && at->host.start_ns <= to_ns;
}

}  // namespace

std::vector<PhaseSpan> phaseRow(const PhaseMarks& marks, const std::vector<RankStep>& steps) {
    std::vector<PhaseSpan> row;
    ByPhase<int> inside;
    const std::vector<Turn> turns = turnsOf(marks);
    for (std::size_t t = 0; t < turns.size(); ++t) {
        inside[turns[t].phase] += turns[t].change;
        if (t + 1 == turns.size() || turns[t + 1].at_ns == turns[t].at_ns) {
            continue;
        }
        const auto most = std::ranges::find_if(kOrder.rbegin(), kOrder.rend(), [&](Phase p) { return inside[p] > 0; });
        if (most == kOrder.rend()) {
            continue;
        }
        const TimeSpan span{turns[t].at_ns, turns[t + 1].at_ns};
        if (!row.empty() && row.back().phase == *most && !beginsBetween(steps, row.back().span.end_ns, span.start_ns)) {
            row.back().span.end_ns = span.end_ns;
        } else {
            row.push_back({*most, span});
        }
    }
    return row;
}

PhaseOrder::PhaseOrder(const std::vector<PhaseSpan>& row) : row_(&row), next_(row.size() + 1) {
    next_.back().values.fill(static_cast<std::uint32_t>(row.size()));
    for (std::size_t i = row.size(); i > 0; --i) {
        next_[i - 1] = next_[i];
        next_[i - 1][row[i - 1].phase] = static_cast<std::uint32_t>(i - 1);
    }
}

std::size_t PhaseOrder::at(TimeNs at_ns) const {
    const auto end = [](const PhaseSpan& range) { return range.span.end_ns; };
    return static_cast<std::size_t>(std::ranges::upper_bound(*row_, at_ns, {}, end) - row_->begin());
}

Phase PhaseOrder::phaseAt(TimeNs at_ns) const {
    const std::size_t place = at(at_ns);
    return place < size() && (*row_)[place].span.contains(at_ns) ? (*row_)[place].phase : Phase::Other;
}

std::size_t PhaseOrder::next(std::size_t from, Phase phase) const {
    return next_[std::min(from, size())][phase];
}

}  // namespace rankscope
