// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/phase_marks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/analysis/facts.h"
#include "core/analysis/steps/step_bounds.h"

namespace rankscope {
namespace {

/// A piece of work of a phase, with the time of its call.
struct Piece {
    TimeNs called_ns = 0;
    PhaseSpan of;
};

std::vector<PhaseSpan> joined(std::vector<Piece> pieces) {
    std::ranges::stable_sort(pieces, {}, &Piece::called_ns);
    std::vector<PhaseSpan> out;
    for (const Piece& piece : pieces) {
        if (out.empty() || out.back().phase != piece.of.phase) {
            out.push_back(piece.of);
        } else {
            TimeSpan& span = out.back().span;
            span = {std::min(span.start_ns, piece.of.span.start_ns), std::max(span.end_ns, piece.of.span.end_ns)};
        }
    }
    return out;
}

/// Device work by the phase of its launch.
std::vector<std::vector<Piece>> piecesOfDevice(const RankContext& work, const ExplainedRank& facts,
                                               const PhaseMarks& marks) {
    std::vector<std::vector<Piece>> pieces(facts.steps.size());
    std::vector<std::size_t> hints(marks.ranges.size(), 0);
    for (const DeviceEvent& event : work.device.events) {
        const std::optional<RankStepPosition> step = slotOf(work.marks.marks, event.launched_ns).step();
        if (event.work == WorkClass::Communication || !event.launch.valid() || !step) {
            continue;
        }
        const std::uint32_t track = event.launch.track.value;
        const Phase phase = phaseAt(marks.ranges[track], event.call.start_ns, hints[track]);
        const TimeSpan inside = intersect(event.span, facts.steps[*step].span);
        if (phase != Phase::Other && !inside.empty()) {
            pieces[*step].push_back({event.launched_ns, {phase, inside}});
        }
    }
    return pieces;
}

/// The ranges of the threads themselves. The ranges of a thread and the steps are both disjoint and in order.
std::vector<std::vector<Piece>> piecesOfHost(const ExplainedRank& facts, const PhaseMarks& marks) {
    std::vector<std::vector<Piece>> pieces(facts.steps.size());
    for (const std::vector<PhaseRange>& of_thread : marks.ranges) {
        std::size_t first = 0;
        for (const PhaseRange& range : of_thread) {
            while (first < facts.steps.size() && facts.steps[first].host.end_ns <= range.span.start_ns) {
                ++first;
            }
            for (std::size_t s = first; s < facts.steps.size() && facts.steps[s].host.start_ns < range.span.end_ns;
                 ++s) {
                const TimeSpan inside = intersect(range.span, facts.steps[s].host);
                if (!inside.empty()) {
                    pieces[s].push_back({inside.start_ns, {range.phase, inside}});
                }
            }
        }
    }
    return pieces;
}

}  // namespace

std::vector<std::vector<PhaseSpan>> phaseSpans(const RankContext& work, const ExplainedRank& facts,
                                               const PhaseMarks& marks) {
    std::vector<std::vector<PhaseSpan>> out;
    out.reserve(facts.steps.size());
    for (auto& pieces : facts.device < 0 ? piecesOfHost(facts, marks) : piecesOfDevice(work, facts, marks)) {
        out.push_back(joined(std::move(pieces)));
    }
    return out;
}

}  // namespace rankscope
