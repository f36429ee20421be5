// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/path_stretches.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/interval_set.h"

namespace rankscope {
namespace {

PathKind kindOf(WaitedFor what) {
    switch (what) {
        case WaitedFor::Compute: return PathKind::Compute;
        case WaitedFor::Communication: return PathKind::Transfer;
        case WaitedFor::Copy: return PathKind::Copy;
        case WaitedFor::Idle: return PathKind::Idle;
        case WaitedFor::Unknown: break;
    }
    return PathKind::Unsplit;
}

/// Puts together the stretches of one rank in one window of one of its steps.
class WindowCutter {
  public:
    WindowCutter(RankPosition position, const TimeSpan& window, std::vector<PathStretch>& out)
        : position_(position), window_(window), out_(out) {}

    void addAll(const IntervalSet& spans, PathKind kind) {
        for (const TimeSpan& span : spans.spans()) {
            add({.rank = position_, .span = span, .kind = kind, .worker = position_});
        }
    }

    void addGaps(const std::vector<Gap>& gaps) {
        auto gap = std::ranges::upper_bound(gaps, window_.start_ns, {}, [](const Gap& g) { return g.span.end_ns; });
        for (; gap != gaps.end() && gap->span.start_ns < window_.end_ns; ++gap) {
            for (const GapPart& part : gap->parts) {
                const bool launch_unknown = !gap->launch.valid() && part.cause == Cause::Unrecorded;
                add({.rank = position_,
                     .span = part.span,
                     .kind = launch_unknown ? PathKind::Unknown : PathKind::Idle,
                     .cause = part.cause,
                     .worker = position_,
                     .label = part.label,
                     .slice = part.evidence.empty() ? SliceRef() : part.evidence.front()});
            }
        }
    }

    /// Returns what the waits cover.
    IntervalSet addWaits(const std::vector<ExposedWait>& waits) {
        std::vector<TimeSpan> covered;
        auto wait =
            std::ranges::upper_bound(waits, window_.start_ns, {}, [](const ExposedWait& w) { return w.span.end_ns; });
        for (; wait != waits.end() && wait->span.start_ns < window_.end_ns; ++wait) {
            covered.push_back(intersect(wait->span, window_));
            for (const WaitPart& part : wait->parts) {
                add({.rank = position_,
                     .span = part.span,
                     .kind = kindOf(part.what),
                     .cause = part.cause,
                     .worker = part.rank,
                     .label = part.label,
                     .slice = part.evidence});
            }
        }
        return IntervalSet::unionOf(std::move(covered));
    }

  private:
    void add(PathStretch stretch) {
        stretch.span = intersect(stretch.span, window_);
        if (!stretch.span.empty()) {
            out_.push_back(stretch);
        }
    }

    RankPosition position_;
    TimeSpan window_;
    std::vector<PathStretch>& out_;
};

}  // namespace

void addStretch(const PathStretch& stretch, PathTimes& times) {
    const DurationNs ns = stretch.length();
    switch (stretch.kind) {
        case PathKind::Compute: times.compute_ns += ns; return;
        case PathKind::Transfer: times.transfer_ns += ns; return;
        case PathKind::Copy: times.copy_ns += ns; return;
        case PathKind::Idle: times.idle[stretch.cause] += ns; return;
        case PathKind::Unknown: times.unknown_ns += ns; return;
        case PathKind::Unsplit: times.unsplit_ns += ns; return;
    }
}

void cutIntoStretches(const ExplainedRank& rank, RankPosition position, const RankStep& step, const TimeSpan& window,
                      std::vector<PathStretch>& out) {
    if (!step.partition || window.empty()) {
        return;
    }
    const std::size_t first = out.size();
    WindowCutter cutter(position, window, out);
    const IntervalSet compute = rank.compute.clip(window);
    const IntervalSet exposed = rank.exposed_communication.clip(window);
    const IntervalSet transfer = rank.exposed_transfer.clip(window);
    cutter.addAll(compute, PathKind::Compute);
    cutter.addAll(transfer, PathKind::Transfer);
    const IntervalSet waits = cutter.addWaits(step.waits);
    cutter.addAll(exposed.subtract(transfer).subtract(waits), PathKind::Unsplit);
    cutter.addAll(rank.copy.clip(window).subtract(compute).subtract(exposed), PathKind::Copy);
    cutter.addGaps(step.gaps);
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
              [](const PathStretch& a, const PathStretch& b) { return a.span.start_ns < b.span.start_ns; });
}

}  // namespace rankscope
